"""Updates of variables as functions: ``tf.assign`` and its kin.

Each returns the variable's value after the update, as a tensor. Natively the update has then happened; under the bridge
it happens when the tensor (or its ``op``) is fetched or depended on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf


def updated(ref: Any, update: Callable[[], Any], name: str) -> Any:
    """The value of ``ref`` after ``update()``."""
    operation = update()
    if operation is None or tf.executing_eagerly():
        return tf.identity(ref.read_value(), name=name)
    with tf.control_dependencies([operation]):
        return tf.identity(ref.read_value(), name=name)


def _check_shape(ref: Any, value: Any) -> None:
    if not ref.shape.is_compatible_with(value.shape):
        raise ValueError(
            f"Cannot assign to variable {ref.name}: shape {value.shape} is not compatible with {ref.shape}."
        )


def assign(
    ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Sets ``ref`` to ``value``. Stands for ``tf.assign``.

    Args:
        ref: the variable.
        value: a tensor-like of its dtype; of its shape, unless ``validate_shape`` is False.

    Returns:
        The new value.

    Raises:
        ValueError: the shapes do not fit.

    >>> step = tf.Variable(0)
    >>> _ = compat.assign(step, 7)
    >>> int(step)
    7
    """
    del use_locking
    value = tf.convert_to_tensor(value, ref.dtype)
    if validate_shape is not False:
        _check_shape(ref, value)
    return updated(ref, lambda: tf.raw_ops.AssignVariableOp(resource=ref.handle, value=value), name or "Assign")


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds ``value`` to ``ref`` and returns the new value. Stands for ``tf.assign_add``."""
    del use_locking
    value = tf.convert_to_tensor(value, ref.dtype)
    _check_shape(ref, value)
    return updated(ref, lambda: tf.raw_ops.AssignAddVariableOp(resource=ref.handle, value=value), name or "AssignAdd")


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts ``value`` from ``ref`` and returns the new value. Stands for ``tf.assign_sub``."""
    del use_locking
    value = tf.convert_to_tensor(value, ref.dtype)
    _check_shape(ref, value)
    return updated(ref, lambda: tf.raw_ops.AssignSubVariableOp(resource=ref.handle, value=value), name or "AssignSub")


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """Counts ``ref`` up by one and returns the value before. Stands for ``tf.count_up_to``.

    Raises:
        tf.errors.OutOfRangeError: ``ref`` has reached ``limit``.
    """
    return tf.raw_ops.ResourceCountUpTo(resource=ref.handle, limit=limit, T=ref.dtype, name=name or "CountUpTo")
