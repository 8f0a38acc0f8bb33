"""How one gradient reaches one variable: dense or sparse, through the method that a class of optimizers defines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf


def deduplicate(slices: tf.IndexedSlices) -> tf.IndexedSlices:
    """The same slices with each index once: the rows of equal indices are summed, in order of first appearance."""
    unique, positions = tf.unique(slices.indices)
    summed = tf.math.unsorted_segment_sum(slices.values, positions, tf.shape(unique)[0])
    return tf.IndexedSlices(summed, unique, slices.dense_shape)


def target_of(variable: Any) -> Any:
    """What ``tf.gradients`` differentiates with respect to.

    Raises:
        NotImplementedError: it is neither a variable nor a tensor.
    """
    if not isinstance(variable, (tf.Variable, tf.Tensor)):
        raise NotImplementedError("Trying to optimize unsupported type ", variable)
    return variable


def as_variable(variable: Any) -> Any:
    """``variable``, if it can be updated.

    Raises:
        NotImplementedError: it is a tensor.
    """
    if not isinstance(variable, tf.Variable):
        raise NotImplementedError("Trying to update a Tensor ", variable)
    return variable


def update_variable(optimizer: Any, grad: Any, variable: Any) -> Any:
    """Has ``optimizer`` apply ``grad`` to ``variable``, and projects the result onto the variable's constraint.

    Raises:
        RuntimeError: the gradient is sparse and the variable has a constraint.
    """
    constraint = variable.constraint
    if isinstance(grad, tf.IndexedSlices):
        if constraint is not None:
            raise RuntimeError("Cannot use a constraint function on a sparse variable.")
        return _apply_duplicates(optimizer, grad, variable)
    update = apply_dense(optimizer, grad, variable)
    if constraint is None:
        return update
    with tf.control_dependencies([] if update is None else [update]):
        projected = constraint(variable.read_value())
        return tf.raw_ops.AssignVariableOp(resource=variable.handle, value=projected)


def apply_dense(optimizer: Any, grad: Any, variable: Any, below: type | None = None) -> Any:
    """Calls the optimizer's method for dense gradients: of the classes below ``below``, where that is given."""
    methods = _methods(optimizer, below)
    if _is_reference_style(optimizer, ("_apply_dense",), ("_resource_apply_dense",), below):
        return methods._apply_dense(grad, variable)
    return methods._resource_apply_dense(grad, variable)


def apply_sparse(optimizer: Any, grad: tf.IndexedSlices, variable: Any, below: type | None = None) -> Any:
    """Calls the optimizer's method for sparse gradients without duplicate indices."""
    methods = _methods(optimizer, below)
    if _is_reference_style(optimizer, ("_apply_sparse",), ("_resource_apply_sparse",), below):
        return methods._apply_sparse(grad, variable)
    return methods._resource_apply_sparse(grad.values, variable, grad.indices)


def _apply_duplicates(optimizer: Any, grad: tf.IndexedSlices, variable: tf.Variable) -> Any:
    reference = ("_apply_sparse", "_apply_sparse_duplicate_indices")
    resource = ("_resource_apply_sparse", "_resource_apply_sparse_duplicate_indices")
    if _is_reference_style(optimizer, reference, resource, None):
        return optimizer._apply_sparse_duplicate_indices(grad, variable)
    return optimizer._resource_apply_sparse_duplicate_indices(grad.values, variable, grad.indices)


def _methods(optimizer: Any, below: type | None) -> Any:
    return optimizer if below is None else super(below, optimizer)


def _is_reference_style(optimizer: Any, reference: Sequence[str], resource: Sequence[str], below: type | None) -> bool:
    """Whether the methods for TF1's default variables apply: the most derived class that defines any decides."""
    order = type(optimizer).__mro__
    for cls in order if below is None else order[order.index(below) + 1 :]:
        if any(name in vars(cls) for name in reference):
            return True
        if any(name in vars(cls) for name in resource):
            return False
    return True
