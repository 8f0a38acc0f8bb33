"""The bodies of conditions and loops, which were parts of the one graph of TF 1.x and are graphs of their own in TF2.

In TF 1.x an operation of a branch that stood under ``tf.control_dependencies`` of another one outside of the condition
waited for it. In TF2 the condition as a whole does, and no longer once it takes a value that comes behind that
operation, for its other branch say: a branch that is chosen waits for no value that it does not use.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import tensorflow as tf
from tensorflow.python.framework import ops

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
        graph = None if tf.executing_eagerly() else ops.get_default_graph()
        captures = getattr(graph, "function_captures", None)
        values = (
            []
            if captures is None
            else [value for value in map(_value, sorted(captures.control, key=_name)) if value is not None]
        )
        if graph is not None and values:
            operations = graph.get_operations()
            with tf.control_dependencies(None):
                awaited = [tf.identity(value).op for value in values]
            for operation in operations:
                if operation.type not in ("Const", "Placeholder"):
                    operation._add_control_inputs(awaited)
        return result

    return build


def _value(element: Any) -> Any:
    """A value that is there when an operation has run; as in TF 1.x, one without results is not waited for."""
    if isinstance(element, tf.Operation):
        return element.outputs[0] if element.outputs else None
    return element


def _name(element: Any) -> str:
    return str(element.name)
