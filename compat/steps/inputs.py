"""What stands where a placeholder stood: tensors that steps are given values for."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..places import place_of_caller
from .graph import StoreGraph, current_store_graph, enclosing_store_graph

__all__ = ["Input", "SparseInput"]


def Input(dtype: Any, shape: Any = None, name: str | None = None, default: Any = None) -> tf.Tensor:
    """A tensor that steps are given values for; what `tf.placeholder` of TF 1.15 made, in its order of arguments.

    It is a real tensor of the store's graph, compared and hashed by identity, and a key of the values that steps and
    `compat.run` are given.

    Args:
      dtype: the type of the values; None: that of the default.
      shape: the static shape, None entries unknown; None: any shape.
      name: the operation's name; calls of steps may give the value by its last part.
      default: what is computed where a call gives no value, as `tf.placeholder_with_default` made it; None: a call has
        to give one.

    Raises:
      RuntimeError: a `tf.function` or another graph is being built.

    Example:
      >>> with compat.VariableStore():
      ...     x = compat.Input(tf.float32, [None], "x")
      ...     scale = compat.Input(tf.float32, [], default=2.0)
      ...     with compat.building():
      ...         scaled = x * scale
      ...     scaled_step = compat.step(scaled, x, scale)
      >>> scaled_step([1.0, 2.0]), scaled_step([1.0, 2.0], 10.0)
      (array([2., 4.], dtype=float32), array([10., 20.], dtype=float32))
    """
    graph = _graph_for("compat.Input")
    with graph.building():
        static = tf.TensorShape(shape)
        if default is None:
            made = tf.raw_ops.Placeholder(dtype=tf.as_dtype(dtype).base_dtype, shape=static, name=name or "Placeholder")
        else:
            value = tf.convert_to_tensor(default, dtype)
            made = tf.raw_ops.PlaceholderWithDefault(input=value, shape=static, name=name or "PlaceholderWithDefault")
    graph.note_input(made, name, place_of_caller())
    return made


def SparseInput(dtype: Any, shape: Any = None, name: str | None = None) -> tf.SparseTensor:
    """A sparse tensor that steps are given as `(indices, values, dense_shape)`; `tf.sparse_placeholder` of TF 1.15.

    Args:
      dtype: the type of the values.
      shape: the dense shape; where it is fully known, or a tensor of the graph, calls need not give it.
      name: prefix of the three inputs' names, and the name that calls may give it by.

    Raises:
      RuntimeError: a `tf.function` or another graph is being built.

    Example:
      >>> with compat.VariableStore():
      ...     x = compat.SparseInput(tf.float32, [2, 2])
      ...     with compat.building():
      ...         total = tf.sparse.reduce_sum(x)
      ...     total_step = compat.step(total, x)
      >>> print(total_step(([[0, 1], [1, 0]], [3.0, 4.0], [2, 2])))
      7.0
    """

    def part(label: str) -> str | None:
        return None if name is None else f"{name}/{label}"

    # In the order in which TF 1.x made the three placeholders: it numbers those without a name.
    sizes = tf.TensorShape(None if isinstance(shape, tf.Tensor) else shape)
    if isinstance(shape, tf.Tensor):
        dense_shape = shape
    else:
        known = sizes.as_list() if sizes.is_fully_defined() else None
        dense_shape = Input(tf.int64, [sizes.rank], part("shape"), default=known)
    values = Input(dtype, [None], part("values"))
    indices = Input(tf.int64, [None, sizes.rank], part("indices"))
    made = tf.SparseTensor(indices, values, dense_shape)
    _graph_for("compat.SparseInput").note_input(made, name, place_of_caller())
    return made


def _graph_for(what: str) -> StoreGraph:
    around = enclosing_store_graph()
    if not tf.executing_eagerly() and around is None:
        raise RuntimeError(f"{what} belongs into the graph of a store, not into a tf.function or another graph")
    return current_store_graph()
