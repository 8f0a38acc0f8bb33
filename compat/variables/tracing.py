"""Where are we: eager, in a trace, or in the bridge's graph?

The one place of this package that asks TensorFlow which graph is being built.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from ..private import ops as _ops

_PRIORITY_OF_FUNCTIONS = 50
"""What ``tf.function`` gives its own creator of variables; everybody else's is 100."""


def ambient_graph() -> Any | None:
    """The bridge graph that is being built, seen from inside its control-flow bodies too, or None."""
    from ..bridge.graph import current_graph

    return current_graph()


def outermost_trace() -> Any | None:
    """The outermost function graph that is being traced, or None when executing eagerly.

    Bodies of loops, branches and nested functions belong to the trace around them: one pass over the
    graph-building code must not fall apart because it contains a ``tf.cond``.
    """
    graph = _ops.get_default_graph()
    found = None
    while graph is not None and getattr(graph, "building_function", False):
        found = graph
        graph = getattr(graph, "outer_graph", None)
    return found


def innermost_graph() -> Any:
    """The graph that ops are added to right now."""
    return _ops.get_default_graph()


@contextlib.contextmanager
def making_eagerly() -> Iterator[None]:
    """Makes variables in the body as eager code does, from inside a trace too.

    A ``tf.function`` that sees a variable made runs its body a second time; so it does not see these, and the code that
    builds runs once, as in TF1. Strategies that spread variables over replicas, and scopes of creators, have their say.
    """
    graph = _ops.get_default_graph()
    creators = graph._variable_creator_stack
    if not tf.distribute.has_strategy():
        others = [(priority, creator) for priority, creator in creators if priority != _PRIORITY_OF_FUNCTIONS]
        graph._variable_creator_stack = others
    try:
        with tf.init_scope():
            yield
    finally:
        graph._variable_creator_stack = creators


def copied(results: Any) -> Any:
    """Results of another trace, with the tensors among them computed in the graph that is being built."""
    tensors = [each for each in tf.nest.flatten(results) if tf.is_symbolic_tensor(each)]
    if not tensors:
        return results
    captured = [inside for _, inside in tensors[0].graph.captures]
    found = tf.__internal__.lift_to_graph(tensors, innermost_graph(), sources=captured, handle_captures=True)
    return tf.nest.map_structure(lambda each: found[each] if tf.is_symbolic_tensor(each) else each, results)


def lift(tensor: Any) -> Callable[[], Any]:
    """Copies what a traced tensor is computed from out of its trace, into a function to call eagerly.

    Raises:
        ValueError: the tensor depends on an argument of the function being traced.
    """

    # What the trace captured from eager code (variables) the function can capture again.
    captured = [inside for outside, inside in tensor.graph.captures if not tf.is_symbolic_tensor(outside)]

    def compute() -> Any:
        graph = _ops.get_default_graph()
        return tf.__internal__.lift_to_graph([tensor], graph, sources=captured, handle_captures=True)[tensor]

    with tf.init_scope():
        try:
            return tf.function(compute, autograph=False).get_concrete_function()
        except Exception as error:
            if type(error).__name__ != "UnliftableError":
                raise
            raise ValueError(
                f"The initial value {tensor.name} of a variable depends on an argument of the function that is being "
                "traced. Create the variable outside of it, or pass a function that makes the value."
            ) from error
