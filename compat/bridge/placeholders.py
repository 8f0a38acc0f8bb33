"""Placeholders of TF 1.15: tensors of the graph whose values the runs feed."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..places import place_of_caller
from .graph import current_graph, enclosing_graph

__all__ = ["placeholder", "placeholder_with_default", "sparse_placeholder"]


def _require_graph(what: str) -> None:
    if current_graph() is None:
        raise RuntimeError(
            f"compat.{what} needs a graph that is being built: call compat.open_graph() first, or build inside "
            "`with compat.Graph().as_default():`"
        )


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> tf.Tensor:
    """A tensor that every run which needs it must feed; `tf.placeholder` of TF 1.15.

    Args:
      dtype: the type of the values.
      shape: the static shape, None entries unknown; None: any shape.
      name: the operation's name.

    Raises:
      RuntimeError: no graph is being built.
    """
    _require_graph("placeholder")
    made = tf.raw_ops.Placeholder(
        dtype=tf.as_dtype(dtype).base_dtype, shape=tf.TensorShape(shape), name=name or "Placeholder"
    )
    return _noted(made, name)


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> tf.Tensor:
    """A tensor that has the value of `input` in runs that do not feed it; the same name in TF 1.15.

    In a `tf.function` it always has that value, under a static shape that may say less.

    Args:
      input: the default.
      shape: the static shape, None entries unknown; None: any shape.
      name: the operation's name.

    Raises:
      RuntimeError: neither a graph nor a function is being built.

    Example:
      >>> @tf.function
      ... def doubled():
      ...     return 2 * placeholder_with_default([1, 2], shape=[None])
      >>> doubled().numpy().tolist()
      [2, 4]
    """
    if tf.executing_eagerly():
        _require_graph("placeholder_with_default")
    made = tf.raw_ops.PlaceholderWithDefault(
        input=tf.convert_to_tensor(input), shape=tf.TensorShape(shape), name=name or "PlaceholderWithDefault"
    )
    return _noted(made, name)


def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> tf.SparseTensor:
    """A sparse tensor that is fed as `(indices, values, dense_shape)`; `tf.sparse_placeholder` of TF 1.15.

    Args:
      dtype: the type of the values.
      shape: the dense shape; when fully known it need not be fed differently.
      name: prefix of the three placeholders' names; without it they are plain "Placeholder"s, as in TF 1.15.

    Raises:
      RuntimeError: no graph is being built.
    """
    _require_graph("sparse_placeholder")

    def named(part: str) -> str | None:
        return None if name is None else f"{name}/{part}"

    rank = None
    if shape is None:
        dense_shape = placeholder(tf.int64, [None], name=named("shape"))
    else:
        sizes = shape if isinstance(shape, tf.Tensor) else tf.TensorShape(shape)
        if isinstance(sizes, tf.Tensor):
            dense_shape = sizes
        else:
            rank = sizes.rank
            if sizes.is_fully_defined():
                dense_shape = placeholder_with_default(
                    tf.constant(sizes.as_list(), tf.int64), [rank], name=named("shape")
                )
            else:
                dense_shape = placeholder(tf.int64, [rank], name=named("shape"))
    made = tf.SparseTensor(
        values=placeholder(dtype, [None], name=named("values")),
        indices=placeholder(tf.int64, [None, rank], name=named("indices")),
        dense_shape=dense_shape,
    )
    return _noted(made, name)


def _noted(made: Any, name: str | None) -> Any:
    """A placeholder; in the graph of a store it is an input of steps."""
    graph = enclosing_graph()
    if graph is not None:
        graph.note_input(made, name, place_of_caller())
    return made
