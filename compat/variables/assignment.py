"""Updates of variables as functions: ``tf.assign`` and its kin.

Each returns the variable's value after the update, as a tensor. Natively the update has then happened; under the bridge
it happens when the tensor (or its ``op``) is fetched or depended on. A variable with copies in the replicas of a
``tf.distribute`` strategy is updated in all of them; within ``strategy.run`` it needs an ``aggregation`` for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .replicas import check_aggregation, handle_of_all, has_replicas, is_in_its_replica

_METHODS = {"Assign": "assign", "AssignAdd": "assign_add", "AssignSub": "assign_sub"}


def updated(ref: Any, update: Callable[[], Any], name: str) -> Any:
    """The value of ``ref`` after ``update()``."""
    operation = update()
    if operation is None or tf.executing_eagerly():
        return tf.identity(ref.read_value(), name=name)
    with tf.control_dependencies([operation]):
        return tf.identity(ref.read_value(), name=name)


def _update(kind: str, ref: Any, value: Any, name: str | None) -> Any:
    if has_replicas(ref):
        check_aggregation(ref)
        return tf.identity(getattr(ref, _METHODS[kind])(value), name=name or kind)
    return update_alike(kind, ref, value, name)


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
    return _update("Assign", ref, value, name)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds ``value`` to ``ref`` and returns the new value. Stands for ``tf.assign_add``."""
    del use_locking
    value = tf.convert_to_tensor(value, ref.dtype)
    _check_shape(ref, value)
    return _update("AssignAdd", ref, value, name)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts ``value`` from ``ref`` and returns the new value. Stands for ``tf.assign_sub``."""
    del use_locking
    value = tf.convert_to_tensor(value, ref.dtype)
    _check_shape(ref, value)
    return _update("AssignSub", ref, value, name)


def update_alike(kind: str, ref: Any, value: Any, name: str | None = None) -> Any:
    """An update whose value is the same in all replicas, as what is computed from variables alone is.

    Args:
        kind: ``Assign``, ``AssignAdd`` or ``AssignSub``.
    """
    value = tf.convert_to_tensor(value, ref.dtype)
    if has_replicas(ref) and not is_in_its_replica(ref):
        return tf.identity(getattr(ref, _METHODS[kind])(value), name=name or kind)
    kernel = getattr(tf.raw_ops, f"{kind}VariableOp")
    return updated(ref, lambda: kernel(resource=ref.handle, value=value), name or kind)


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """Counts ``ref`` up by one and returns the value before. Stands for ``tf.count_up_to``.

    Raises:
        tf.errors.OutOfRangeError: ``ref`` has reached ``limit``.
    """
    return tf.raw_ops.ResourceCountUpTo(resource=handle_of_all(ref), limit=limit, T=ref.dtype, name=name or "CountUpTo")
