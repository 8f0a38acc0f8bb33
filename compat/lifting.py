"""`tf.init_scope` of TF 1.15: out of the loops, branches and functions that are being built."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import ops

from .bridge.graph import Graph


def _enclosing_graph() -> Graph | None:
    """The bridge graph around the innermost function graph; None when eager or when there is none."""
    graph: Any = None if tf.executing_eagerly() else ops.get_default_graph()
    while graph is not None and not isinstance(graph, Graph):
        graph = getattr(graph, "outer_graph", None)
    return graph


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Builds outside of control flow, functions and control dependencies; stands for `tf.init_scope`.

    While a graph is open it leads to the graph, as in TF1, and not out of it to eager execution, as TF2's would.

    Example:
      >>> with init_scope():
      ...     table = compat.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]))
    """
    graph = _enclosing_graph()
    if graph is None:
        with tf.init_scope():
            yield
        return
    with graph.as_default(), tf.control_dependencies(None):
        yield
