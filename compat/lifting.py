"""`tf.init_scope` of TF 1.15, and `tf.control_dependencies(None)`: out of the loops and branches being built."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from .bridge.graph import enclosing_graph
from .variables.store import traced_graph
from .variables.tracing import outermost_trace


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Builds outside of control flow, functions and control dependencies; stands for `tf.init_scope`.

    While a graph is open it leads to the graph, as in TF1, and not out of it to eager execution, as TF2's would; so it
    does in a trace that has entered a `VariableStore`.

    Example:
      >>> with init_scope():
      ...     table = compat.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]))
    """
    graph = enclosing_graph() or traced_graph()
    if graph is None:
        with tf.init_scope():
            yield
        return
    with graph.as_default(), tf.control_dependencies(None):
        yield


@contextlib.contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Has what is built wait for others, as ``tf.control_dependencies``, or for nothing where that is None.

    With None it leads out of loops and branches too, as in TF 1.x: what is built in it is computed once for all rounds.

    Example:
      >>> @tf.function
      ... def drawn_in_two_rounds():
      ...     def step(i, _, before):
      ...         with control_dependencies(None):
      ...             once = tf.random.normal([])
      ...         return i + 1, before, once
      ...     return tf.while_loop(lambda i, *_: i < 2, step, (0, 0.0, 0.0))[1:]
      >>> first, second = drawn_in_two_rounds()
      >>> bool(first == second)
      True
    """
    graph = (enclosing_graph() or traced_graph() or outermost_trace()) if control_inputs is None else None
    with contextlib.nullcontext() if graph is None else graph.as_default(), tf.control_dependencies(control_inputs):
        yield
