"""The bodies of conditions and loops, which were parts of the one graph of TF 1.x and are graphs of their own in TF2.

In TF 1.x an operation of a body that stood under ``tf.control_dependencies`` of another one outside of it waited for
it. In TF2 the condition or loop as a whole does, and no longer once it takes a value that comes behind that operation,
for its other branch say: a branch that is chosen waits for no value that it does not use.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import tensorflow as tf

from .private import ops
from .random_sequences import apart

T = TypeVar("T")


def body(function: Callable[..., T]) -> Callable[..., T]:
    """A function that builds the body of a condition or a loop as one of TF 1.x's graph.

    Its random operations draw other numbers than those of other bodies, and its operations wait, inside of it, for
    what any of them is to wait for outside.
    """
    built = apart(function)

    @functools.wraps(function, updated=())
    def build(*args: Any, **kwargs: Any) -> T:
        result = built(*args, **kwargs)
        if not tf.executing_eagerly():
            _wait_inside(ops.get_default_graph())
        return result

    return build


def _wait_inside(graph: Any) -> None:
    """Has the operations of a body wait for values of what they are to wait for; what gives none is not waited for."""
    captures = getattr(graph, "function_captures", None)
    outer = [] if captures is None else sorted(captures.control, key=lambda element: str(element.name))
    values = [value for element in outer for value in _first_output(element)]
    if not values:
        return
    operations = graph.get_operations()
    with tf.control_dependencies(None):
        awaited = [tf.identity(value).op for value in values]
    for operation in operations:
        if operation.type not in ("Const", "Placeholder"):
            operation._add_control_inputs(awaited)


def _first_output(element: Any) -> Sequence[tf.Tensor]:
    return element.outputs[:1] if isinstance(element, tf.Operation) else [element]
