"""Keeps TensorFlow's optimizer from computing with another output of an operation than the program says.

Where oneDNN is in use, as it is by default, the optimizer of TF 2 makes `maximum(x, 0.5 * x)` one operation, and so it
does with an `x` that is normalized by its own moments. It asks whether both are of the same operation, not whether
they are the same output of it: of `x, y = split(z)`, `maximum(y, 0.5 * x)` becomes `maximum(x, 0.5 * x)`. Which outputs
it will see there is not to be known before, since it takes away operations that change nothing, and those that are
there twice. In the functions of runs such operations therefore take one of their values from one that it leaves alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from . import runtime
from .function_calls import CALLING, rewrite_called

__all__ = ["keep_apart"]

_MISTAKEN = ("Maximum", "SquaredDifference")
_ALIKE = frozenset({"EnsureShape", "Identity", "PreventGradient", "Reshape", "StopGradient"})
_SCALING = ("Mul", "RealDiv")


def keep_apart(function: str, operations: Iterable[tf.Operation]) -> tuple[str, ...]:
    """Has the registered `function`, made of `operations`, compute what they say.

    Returns:
      The names of other functions that were made for it alone.
    """
    if not any(each.type in _MISTAKEN or each.type in CALLING for each in operations):
        return ()
    copies: list[str] = []
    definition = _apart(runtime.function_definition(function), function, copies)
    if definition is not None:
        runtime.remove_function(function)
        runtime.add_function(definition)
    return tuple(copies)


def _apart(definition: Any, name: str, copies: list[str]) -> Any:
    """A function under a name, in which values are kept apart; None where there are none to be mistaken."""
    nodes = {node.name: node for node in definition.node_def}
    mistaken = [node for node in definition.node_def if node.op in _MISTAKEN and _may_be_mistaken(node, nodes)]

    def inner(body: Any, copy: str, _: str) -> Any:
        return _apart(body, copy, copies)

    called = [rewrite_called(node, name, inner, copies) for node in definition.node_def]
    if not mistaken and not any(called):
        return None
    used = {*nodes, *(argument.name for argument in definition.signature.input_arg)}
    names = (each for each in map("kept_apart_{}".format, itertools.count()) if each not in used)
    for node, apart in zip(mistaken, names, strict=False):
        added = definition.node_def.add(name=apart, op="PlaceholderWithDefault", input=[node.input[1]])
        added.attr["dtype"].type = node.attr["T"].type
        added.attr["shape"].shape.unknown_rank = True
        added.device = node.device
        node.input[1] = f"{apart}:output:0"
    definition.signature.name = name
    return definition


def _may_be_mistaken(node: Any, nodes: dict[str, Any]) -> bool:
    """Whether the optimizer may take an operation of two values for one of a single value, and be wrong."""

    def made(output: str) -> Any:
        return nodes.get(output.split(":")[0]) if ":" in output else None

    def sources(output: str, kinds: Iterable[str]) -> list[str]:
        """What an output comes from where an operation of these kinds gives it; nothing where another one does."""
        before = made(output)
        return list(before.input[:2]) if before is not None and before.op in kinds else []

    def behind(output: str) -> str:
        """What an output is, but for operations that change nothing."""
        while found := sources(output, _ALIKE):
            output = found[0]
        return output

    one, other = (behind(output) for output in node.input[:2])
    constant = any((before := made(each)) is not None and before.op == "Const" for each in (one, other))
    if constant or not tf.as_dtype(node.attr["T"].type).is_floating:
        return False
    if node.op == "Maximum":  # Where it is a leaky ReLU, it may be taken for one.
        pairs = ((one, other), (other, one))
        return not any(plain in map(behind, sources(scaled, _SCALING)) for scaled, plain in pairs)
    return True
