"""The names that TF1's functions gave to their results, where those of TF2 end with an operation of another name.

Programs look them up (`cond/Merge:0`), freeze by them, and make tags of summaries from them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from .. import counting

__all__ = ["exits", "result_name"]

_BRANCHES = ("Case", "If", "StatelessCase", "StatelessIf")
_NUMBER = re.compile(r"_\d+$")
_STACK = re.compile(r"\bTensorArrayV2Stack(_\d+)?$")
_LOOPS = ("StatelessWhile", "While")


def result_name(graph: Any, op_type: str, name: str | None, inputs: Sequence[Any]) -> str | None:
    """The name of an operation that is going to be made: TF1's, where the operation gives a function's result."""
    if not name or not name.endswith("/") or not inputs:
        return name
    scope, _, leaf = name[:-1].rpartition("/")
    found = _leaf(op_type, scope, _NUMBER.sub("", leaf), inputs)
    if found is None:
        return name
    scope = _STACK.sub(r"TensorArrayStack\1", scope)
    # Names are counted from the outermost scope here: what is open is the scope of this very operation.
    opened, graph._name_stack = graph._name_stack, ""
    try:
        return f"{graph.unique_name(f'{scope}/{found}' if scope else found)}/"
    finally:
        graph._name_stack = opened


def _leaf(op_type: str, scope: str, leaf: str, inputs: Sequence[Any]) -> str | None:
    """The last part of TF1's name, or None where it is TF2's."""
    maker = inputs[0].op
    if op_type == "Identity":
        return "Merge" if leaf == "Identity" and maker.type in _BRANCHES and maker.name == scope else None
    if op_type in ("AvgPool", "MaxPool"):
        return op_type if leaf.lower() == f"{op_type}2d".lower() else None
    if op_type == "ResourceGather":
        return "GatherV2" if leaf == "Gather" and _shares_memory(inputs[0]) else None
    if op_type == "SelectV2":
        drawn = maker.inputs[0].op.name if maker.type == "GreaterEqual" else ""
        return "mul_1" if leaf == "SelectV2" and drawn.startswith(f"{scope}/random_uniform/") else None
    if op_type == "TensorListStack":
        return "TensorArrayGatherV3" if leaf == "TensorListStack" and _STACK.search(scope) else None
    return None


def _shares_memory(handle: tf.Tensor) -> bool:
    """Whether a variable is one of TF1's default ones."""
    outside = handle.graph.captured().get(handle.op.name)
    return getattr(handle.graph.variables_by_handle.get(id(outside)), "shares_memory", False)


def exits(results: Any, counted: bool) -> Any:
    """What a loop gives, under TF1's names: `while/Exit`, `while/Exit_1`; `counted`: it counts its rounds before."""
    flat = tf.nest.flatten(results)
    named, position = [], int(counted)
    with counting.counted(0):
        for each in flat:
            named.append(_exit(each, position))
            position += len(tf.nest.flatten(each, expand_composites=True))
    return tf.nest.pack_sequence_as(results, named)


def _exit(value: Any, position: int) -> Any:
    if not tf.is_symbolic_tensor(value) or value.dtype in (tf.resource, tf.variant):
        return value
    loop = value.op.inputs[0].op if value.op.type == "StopGradient" else value.op
    if loop.type not in _LOOPS or not hasattr(value.graph, "variables_by_handle"):
        return value
    with value.graph.name_scope(f"{loop.name}/"):
        return tf.identity(value, name=f"Exit_{position}" if position else "Exit")
