"""Updates of rows of variables: ``tf.scatter_*``.

Each takes TF1's ``(ref, indices, updates)``, changes the rows ``ref[indices]`` (the ``nd`` kind: the elements or slices
that ``indices`` address) and returns the whole new value, as :mod:`.assignment` does.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .. import counting
from .assignment import updated
from .references import variable_of
from .replicas import handle_of_all


def _scatter(kernel: str, ref: Any, indices: Any, updates: Any, name: str | None) -> Any:
    indices = tf.convert_to_tensor(indices)
    updates = tf.convert_to_tensor(updates, ref.dtype)
    with counting.counted(0):
        updates = _fitting(variable_of(ref).shape[1:], indices, updates)

    def update(variable: Any) -> Any:
        handle = handle_of_all(variable)
        return getattr(tf.raw_ops, f"Resource{kernel}")(resource=handle, indices=indices, updates=updates)

    return updated(ref, update, name or kernel)


def _fitting(row: tf.TensorShape, indices: tf.Tensor, updates: tf.Tensor) -> tf.Tensor:
    """Updates that are single numbers, or have a row for each index: others raise when they run, as in TF1.

    TF2's kernel writes them over other rows, and beyond the variable. What it is given directly has the right shape to
    TensorFlow's optimizer, which then leaves out what would find that it has not.
    """
    if updates.shape.rank == 0:
        return updates
    if None not in (row.rank, updates.shape.rank, indices.shape.rank):
        wanted = indices.shape.concatenate(row)
        return updates if updates.shape == wanted and wanted.is_fully_defined() else tf.ensure_shape(updates, wanted)
    if not row.is_fully_defined():
        return updates
    shape = tf.concat([tf.shape(indices), tf.constant(row.as_list(), tf.int32)], 0)
    whole = tf.logical_and(
        tf.equal(tf.rank(updates), tf.size(shape)), tf.equal(tf.size(updates), tf.reduce_prod(shape))
    )
    fits = tf.logical_or(tf.equal(tf.rank(updates), 0), whole)
    with tf.control_dependencies([tf.debugging.Assert(fits, ["updates have the shape", tf.shape(updates)])]):
        return tf.broadcast_to(updates, shape)


def _scatter_nd(kernel: str, ref: Any, indices: Any, updates: Any, name: str | None) -> Any:
    indices = tf.convert_to_tensor(indices)
    updates = tf.convert_to_tensor(updates, ref.dtype)

    def update(variable: Any) -> Any:
        handle = handle_of_all(variable)
        return getattr(tf.raw_ops, f"Resource{kernel}")(ref=handle, indices=indices, updates=updates)

    return updated(ref, update, name or kernel)


def scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Sets rows. Stands for ``tf.scatter_update``."""
    del use_locking
    return _scatter("ScatterUpdate", ref, indices, updates, name)


def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Adds to rows; several updates of one row sum up. Stands for ``tf.scatter_add``."""
    del use_locking
    return _scatter("ScatterAdd", ref, indices, updates, name)


def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Subtracts from rows. Stands for ``tf.scatter_sub``."""
    del use_locking
    return _scatter("ScatterSub", ref, indices, updates, name)


def scatter_mul(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Multiplies rows. Stands for ``tf.scatter_mul``."""
    del use_locking
    return _scatter("ScatterMul", ref, indices, updates, name)


def scatter_div(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Divides rows. Stands for ``tf.scatter_div``."""
    del use_locking
    return _scatter("ScatterDiv", ref, indices, updates, name)


def scatter_max(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Takes the greater of row and update. Stands for ``tf.scatter_max``."""
    del use_locking
    return _scatter("ScatterMax", ref, indices, updates, name)


def scatter_min(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Takes the lesser of row and update. Stands for ``tf.scatter_min``."""
    del use_locking
    return _scatter("ScatterMin", ref, indices, updates, name)


def scatter_nd_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Sets elements or slices. Stands for ``tf.scatter_nd_update``."""
    del use_locking
    return _scatter_nd("ScatterNdUpdate", ref, indices, updates, name)


def scatter_nd_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Adds to elements or slices. Stands for ``tf.scatter_nd_add``."""
    del use_locking
    return _scatter_nd("ScatterNdAdd", ref, indices, updates, name)


def scatter_nd_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Subtracts from elements or slices. Stands for ``tf.scatter_nd_sub``."""
    del use_locking
    return _scatter_nd("ScatterNdSub", ref, indices, updates, name)


def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Sets rows of each batch: ``ref[i, indices[i, j]] = updates[i, j]``. Stands for ``tf.batch_scatter_update``."""
    del use_locking
    indices = tf.convert_to_tensor(indices)
    batch = tf.shape(indices)[:-1]
    places = tf.where(tf.ones(batch, tf.bool))
    places = tf.reshape(tf.cast(places, indices.dtype), tf.concat([batch, [1, tf.rank(indices) - 1]], 0))
    places = tf.repeat(places, tf.shape(indices)[-1], axis=-2)
    return scatter_nd_update(ref, tf.concat([places, indices[..., tf.newaxis]], -1), updates, name=name)
