"""Updates of variables as functions: ``tf.assign`` and its kin.

Each returns the variable's value after the update, as a tensor. Natively the update has then happened; under the bridge
it happens when the tensor (or its ``op``) is fetched or depended on. That tensor stands for the variable where another
update takes it, as TF1's references did: the other one comes second.

A variable with copies in the replicas of a ``tf.distribute`` strategy is updated in all of them; within
``strategy.run`` it needs an ``aggregation`` for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .. import counting
from ..bridge.graph import current_graph
from .needed import left_out
from .placement import count_on_the_host, lies_on_a_gpu
from .references import behind, standing_for, stands_for_variable, value_behind, variable_of
from .replicas import check_aggregation, handle_of_all, has_replicas, is_in_its_replica
from .store import current_pass, has_store

_METHODS = {"Assign": "assign", "AssignAdd": "assign_add", "AssignSub": "assign_sub"}


def is_for_results() -> bool:
    """Whether updates are those that :meth:`VariableStore.compute` tells apart."""
    return has_store() and current_pass().updates is not None


def updated_together(variable: Any, make: Callable[[], Any]) -> Any:
    """What `make` gives: the operation that ends several updates which stand or fall together, as an optimizer's do.

    Where the results of :meth:`VariableStore.compute` do not need it, nothing is made.

    Args:
        variable: one of those that are updated.
    """
    asked = current_pass().updates if has_store() else None
    if asked is None:
        return make()
    if asked.leaves_out(variable):
        return tf.no_op()
    return asked.made_together(make)


def updated(ref: Any, update: Callable[[Any], Any], name: str) -> Any:
    """The value of the variable that ``ref`` stands for after ``update(variable)``.

    Raises:
        AttributeError: ``ref`` is neither a variable nor what an update of one gave.
    """
    variable = variable_of(ref)
    asked = current_pass().updates if has_store() else None
    if asked is not None and asked.leaves_out(variable):
        return left_out(variable)
    with behind(ref):
        operation = update(variable)
    if asked is not None:
        asked.note(operation)
    reads = 0 if getattr(variable, "shares_memory", False) else 1  # TF1's update gave the value itself.
    with tf.control_dependencies([] if operation is None else [operation]), counting.counted(reads):
        if current_graph() is not None and isinstance(operation, tf.Operation):
            return value_behind(variable, operation, name)
        return standing_for(variable, tf.identity(variable.read_value(), name=name))


def _update(kind: str, ref: Any, value: Any, name: str | None, check: bool = True) -> Any:
    variable = variable_of(ref)
    value = tf.convert_to_tensor(value, variable.dtype)
    if check and not variable.shape.is_compatible_with(value.shape):
        raise ValueError(
            f"Cannot assign to variable {variable.name}: shape {value.shape} is not compatible with {variable.shape}."
        )
    if has_replicas(variable):
        check_aggregation(variable)
        return _in_replicas(kind, variable, value, name)
    return update_alike(kind, ref, value, name, check=check)


def _in_replicas(kind: str, variable: Any, value: Any, name: str | None) -> tf.Tensor:
    return standing_for(variable, tf.identity(getattr(variable, _METHODS[kind])(value), name=name or kind))


def assign(
    ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Sets ``ref`` to ``value``. Stands for ``tf.assign``.

    Args:
        ref: the variable, a part of it (``v[0]``), or what an update of it gave.
        value: a tensor-like of its dtype; of its shape, unless ``validate_shape`` is False.

    Returns:
        The new value, of the whole variable.

    Raises:
        ValueError: the shapes do not fit.
        AttributeError: ``ref`` is neither of these.

    >>> step = tf.Variable(0)
    >>> _ = compat.assign(step, 7)
    >>> int(step)
    7
    """
    del use_locking
    part = getattr(ref, "assign", None) if isinstance(ref, tf.Tensor) and not stands_for_variable(ref) else None
    if part is not None:
        return part(value, name=name)
    return _update("Assign", ref, value, name, check=validate_shape is not False)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds ``value`` to ``ref`` and returns the new value. Stands for ``tf.assign_add``."""
    del use_locking
    return _update("AssignAdd", ref, value, name)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts ``value`` from ``ref`` and returns the new value. Stands for ``tf.assign_sub``."""
    del use_locking
    return _update("AssignSub", ref, value, name)


def update_alike(kind: str, ref: Any, value: Any, name: str | None = None, *, check: bool = True) -> Any:
    """An update whose value is the same in all replicas, as what is computed from variables alone is.

    Args:
        kind: ``Assign``, ``AssignAdd`` or ``AssignSub``.
        check: whether a value of another shape than the variable's is refused when the update happens.
    """
    value = tf.convert_to_tensor(value, ref.dtype)
    if has_replicas(ref) and not is_in_its_replica(ref):
        return _in_replicas(kind, ref, value, name)
    kernel = getattr(tf.raw_ops, f"{kind}VariableOp")
    checked = {"validate_shape": check and variable_of(ref).shape.is_fully_defined()} if kind == "Assign" else {}
    return updated(ref, lambda variable: kernel(resource=variable.handle, value=value, **checked), name or kind)


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """Counts ``ref`` up by one and returns the value before. Stands for ``tf.count_up_to``.

    Raises:
        tf.errors.OutOfRangeError: ``ref`` has reached ``limit``.
    """
    variable, name = variable_of(ref), name or "CountUpTo"
    handle = handle_of_all(variable)
    with behind(ref):
        if lies_on_a_gpu(variable):
            return count_on_the_host(variable, limit, name)
        return tf.raw_ops.ResourceCountUpTo(resource=handle, limit=limit, T=variable.dtype, name=name)
