"""A training operation out of a loss and an optimizer, and what is done to gradients on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from ... import logging, summary
from ... import variables as tf1
from ...train.global_step import get_or_create_global_step
from ...train.optimizer import Optimizer
from ...train.slot_creator import name_of

_USE_GLOBAL_STEP = object()


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _USE_GLOBAL_STEP,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None,
    transform_grads_fn: Callable[[Any], Any] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> tf.Tensor:
    """A tensor that is the loss, after the update that it stands for. Stands for
    ``tf.contrib.training.create_train_op``.

    Args:
        total_loss: the loss.
        optimizer: the optimizer.
        global_step: what is incremented; the global step, which is made if need be, unless given. None for nothing.
        update_ops: run before the loss is computed; those of the collection ``UPDATE_OPS`` by default.
        variables_to_train: all trainable variables by default.
        transform_grads_fn: from pairs of gradient and variable to such pairs.
        summarize_gradients: add summaries of the gradients.
        gate_gradients, aggregation_method, colocate_gradients_with_ops: as for ``compute_gradients``.
        check_numerics: fail when the loss is not finite.

    Raises:
        ValueError: there is nothing to train.
    """
    step = get_or_create_global_step() if global_step is _USE_GLOBAL_STEP else global_step
    total_loss = _after_updates(total_loss, update_ops)
    variables = tf1.trainable_variables() if variables_to_train is None else list(variables_to_train)
    if not variables:
        raise ValueError("There are no variables to train")
    grads = optimizer.compute_gradients(
        total_loss,
        variables,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn is not None:
        grads = transform_grads_fn(grads)
    if summarize_gradients:
        with tf1.name_scope("summarize_grads"):
            add_gradients_summaries(grads)
    updates = optimizer.apply_gradients(grads, global_step=step)
    with tf1.name_scope("train_op"):
        if check_numerics:
            total_loss = tf.debugging.check_numerics(total_loss, "LossTensor is inf or nan")
        with tf.control_dependencies([] if updates is None else [updates]):
            train_op = tf.identity(total_loss, name="control_dependency")
    tf1.add_to_collection(tf1.GraphKeys.TRAIN_OP, train_op)
    return train_op


def add_gradients_summaries(grads_and_vars: Iterable[tuple[Any, Any]]) -> list[tf.Tensor]:
    """A histogram and the norm of each gradient, as summaries. Stands for
    ``tf.contrib.training.add_gradients_summaries``."""
    summaries = []
    for grad, variable in grads_and_vars:
        name = name_of(variable)
        if grad is None:
            logging.info("Var %s has no gradient", name)
            continue
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        summaries.append(summary.histogram(f"{name}_gradient", values))
        summaries.append(summary.scalar(f"{name}_gradient_norm", tf.linalg.global_norm([values])))
    return summaries


def clip_gradient_norms(gradients_to_variables: Iterable[tuple[Any, Any]], max_norm: Any) -> list[tuple[Any, Any]]:
    """Clips each gradient by its norm. Stands for ``tf.contrib.training.clip_gradient_norms``."""
    return [
        (None if grad is None else _map_values(grad, lambda values: tf.clip_by_norm(values, max_norm)), variable)
        for grad, variable in gradients_to_variables
    ]


def clip_gradient_norms_fn(max_norm: Any) -> Callable[[Any], list[tuple[Any, Any]]]:
    """:func:`clip_gradient_norms` for ``transform_grads_fn``."""
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(
    grads_and_vars: list[tuple[Any, Any]], gradient_multipliers: Mapping[Any, Any]
) -> list[tuple[Any, Any]]:
    """Multiplies gradients. Stands for ``tf.contrib.training.multiply_gradients``.

    Args:
        grads_and_vars: pairs of gradient and variable.
        gradient_multipliers: factors by variable (or ``variable.ref()``) or by its name.

    Raises:
        ValueError: no list, no dict, an empty one, or a factor for a gradient of None.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, Mapping):
        raise ValueError("`gradient_multipliers` must be a dict.")
    factors = {_multiplier_key(key): factor for key, factor in gradient_multipliers.items()}
    return [(_multiplied(grad, variable, factors), variable) for grad, variable in grads_and_vars]


def _after_updates(total_loss: Any, update_ops: Iterable[Any] | None) -> Any:
    collected = tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)
    updates = collected if update_ops is None else list(update_ops)
    if any(all(op is not update for update in updates) for op in collected):
        logging.warning("update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS")
    if not updates:
        return total_loss
    with tf.control_dependencies(updates):
        barrier = tf.no_op(name="update_barrier")
    with tf.control_dependencies([] if barrier is None else [barrier]):
        return tf.identity(total_loss)


def _map_values(grad: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(change(grad.values), grad.indices, grad.dense_shape)
    return change(grad)


def _multiplier_key(key: Any) -> Any:
    return id(key) if isinstance(key, tf.Variable) else id(key.deref()) if hasattr(key, "deref") else key


def _multiplied(grad: Any, variable: Any, factors: Mapping[Any, Any]) -> Any:
    key = id(variable) if id(variable) in factors else name_of(variable)
    if key not in factors:
        return grad
    if grad is None:
        raise ValueError("Requested multiple of `None` gradient.")
    return _map_values(grad, lambda values: values * tf.cast(factors[key], values.dtype))
