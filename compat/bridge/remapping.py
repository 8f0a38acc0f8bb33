"""Keeps apart what TensorFlow's optimizer takes for one another: several outputs of one operation.

Where oneDNN is in use, as it is by default, the optimizer of TF 2 makes `maximum(x, 0.5 * x)` one operation, and so it
does with an `x` that is normalized by its own moments. It asks whether both are of the same operation, not whether
they are the same output of it: of `x, y = split(z)`, `maximum(y, 0.5 * x)` becomes `maximum(x, 0.5 * x)`. In the
functions of runs something that it does not look through stands behind all but one of such outputs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from . import runtime
from .function_calls import CALLING, called_functions

__all__ = ["keep_outputs_apart"]

_ROOTS = ("Maximum", "SquaredDifference")
_ALIKE = frozenset({"EnsureShape", "Identity", "PreventGradient", "Reshape", "Snapshot", "StopGradient"})
"""Operations that the optimizer takes away where they change nothing."""
_SCALING = ("Mul", "RealDiv")
_NORMALIZING = ("Mean", "Mul", "Sub")


def keep_outputs_apart(function: str, operations: Iterable[tf.Operation]) -> tuple[str, ...]:
    """Has the registered `function`, made of `operations`, compute what they say.

    Returns:
      The names of other functions that were made for it alone.
    """
    if not any(
        each.type in CALLING or (each.type in _ROOTS and each.inputs[0].dtype.is_floating) for each in operations
    ):
        return ()
    copies: list[str] = []
    definition = _apart(runtime.function_definition(function), function, copies)
    if definition is not None:
        runtime.remove_function(function)
        runtime.add_function(definition)
    return tuple(copies)


def _apart(definition: Any, name: str, copies: list[str]) -> Any:
    """A function under a name, in which outputs are kept apart; None where nothing is mistaken."""
    mistaken = {output: dtype for outputs, dtype in _mistaken(definition) for output in outputs[1:]}
    found = bool(mistaken)
    for node in definition.node_def:
        for function in called_functions(node) if node.op in CALLING else ():
            copy = f"{name}/{node.name}/{function.name}"
            body = _apart(runtime.function_definition(function.name), copy, copies)
            if body is not None:
                runtime.add_function(body)
                copies.append(copy)
                function.name = copy
                found = True
    if not found:
        return None
    used = {each.name for each in (*definition.node_def, *definition.signature.input_arg)}
    names = (each for each in map("kept_apart_{}".format, itertools.count()) if each not in used)
    apart = dict(zip(mistaken, names, strict=False))
    for node in definition.node_def:
        for position, output in enumerate(node.input):
            if output in apart:
                node.input[position] = f"{apart[output]}:output:0"
    for output, dtype in mistaken.items():
        node = definition.node_def.add(name=apart[output], op="PlaceholderWithDefault", input=[output])
        node.attr["dtype"].type = dtype
        node.attr["shape"].shape.unknown_rank = True
    definition.signature.name = name
    return definition


def _mistaken(definition: Any) -> Iterator[tuple[list[str], int]]:
    """Outputs of one operation that the optimizer would take for one another, and their type.

    The inputs of a function may be outputs of one operation too, where it is called.
    """
    nodes = {node.name: node for node in definition.node_def}

    def made(output: str) -> Any:
        return nodes.get(output.split(":")[0]) if ":" in output else None

    def given(node: Any) -> list[str]:
        """What a node computes with, by the operations that the optimizer sees it come from."""
        found = []
        for output in node.input[: 1 if node.op == "Mean" else 2]:
            while (before := made(output)) is not None and before.op in _ALIKE:
                output = before.input[0]
            found.append(output)
        return found

    def through(outputs: list[str], kinds: Iterable[str]) -> list[str]:
        """Outputs, and what operations of some kinds made them of."""
        return outputs + [
            each for output in outputs if (node := made(output)) and node.op in kinds for each in given(node)
        ]

    for root in (node for node in definition.node_def if node.op in _ROOTS):
        dtype = root.attr["T"].type
        if not tf.as_dtype(dtype).is_floating:
            continue
        asked = through(given(root), _SCALING if root.op == "Maximum" else ("Mean",))
        near = list(asked)
        if root.op == "SquaredDifference":
            others = (node for node in definition.node_def if node.op in _NORMALIZING and node.attr["T"].type == dtype)
            near += [each for node in others for each in given(node)]
        for origin in dict.fromkeys(map(_origin, asked)):
            outputs = list(dict.fromkeys(each for each in near if _origin(each) == origin))
            if len(outputs) > 1:
                yield outputs, dtype


def _origin(output: str) -> str:
    """The operation that an output is of; of all inputs the same."""
    return output.split(":")[0] if ":" in output else ""
