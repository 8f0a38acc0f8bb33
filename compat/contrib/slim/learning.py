"""Making the train op, and the loop that runs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from ... import logging, summary
from ... import train as tf_train
from ...variables.collection import get_collection, get_collection_ref, trainable_variables
from ...variables.graph_keys import GraphKeys
from ...variables.name_scope import name_scope
from ..framework.variables import op_name

GradsAndVars = list[tuple[Any, Any]]
_DEFAULT: Any = 0


def clip_gradient_norms(gradients_to_variables: GradsAndVars, max_norm: float) -> GradsAndVars:
    """Clips each gradient to a norm. Stands for ``slim.learning.clip_gradient_norms``."""
    return [
        (_mapped(gradient, lambda each: tf.clip_by_norm(each, max_norm)), variable)
        for gradient, variable in gradients_to_variables
    ]


def multiply_gradients(grads_and_vars: GradsAndVars, gradient_multipliers: dict[Any, Any]) -> GradsAndVars:
    """Multiplies gradients by factors, by variable or by its name. Stands for ``slim.learning.multiply_gradients``.

    Raises:
        ValueError: arguments of the wrong kind, or a factor for a gradient that is None.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    multiplied = []
    for gradient, variable in grads_and_vars:
        factors = [value for key, value in gradient_multipliers.items() if key is variable or key == op_name(variable)]
        if factors:
            if gradient is None:
                raise ValueError("Requested multiple of `None` gradient.")
            gradient = _mapped(gradient, lambda each, by=factors[0]: each * tf.cast(by, each.dtype))
        multiplied.append((gradient, variable))
    return multiplied


def _mapped(gradient: Any, function: Callable[[Any], Any]) -> Any:
    """A function of a gradient, of the values of a sparse one, of None None."""
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(function(gradient.values), gradient.indices, gradient.dense_shape)
    return None if gradient is None else function(gradient)


def add_gradients_summaries(grads_and_vars: GradsAndVars) -> list[Any]:
    """A histogram and the norm of each gradient. Stands for ``slim.learning.add_gradients_summaries``."""
    made = []
    for gradient, variable in grads_and_vars:
        name = op_name(variable)
        if gradient is None:
            logging.info("Var %s has no gradient", name)
            continue
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        made.append(summary.histogram(f"{name}/gradient", values))
        made.append(summary.scalar(f"{name}/gradient_norm", tf.linalg.global_norm([values])))
    return made


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _DEFAULT,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = tf_train.Optimizer.GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: dict[Any, Any] | None = None,
    check_numerics: bool = True,
) -> Any:
    """Makes the op that trains: its value is the loss. Stands for ``slim.learning.create_train_op``.

    Args:
        total_loss: a scalar.
        global_step: the counter, the program's own unless given; None for none.
        update_ops: what is to run before the loss, the collection ``UPDATE_OPS`` unless given.
        variables_to_train: the trainable variables unless given.
        clip_gradient_norm: the greatest norm of each gradient, 0 for none.
        gradient_multipliers: factors by variable or by its name.
        check_numerics: fails when the loss is not finite.

    Raises:
        ValueError: there is nothing to train.
    """
    step = tf_train.get_or_create_global_step() if global_step is _DEFAULT else global_step
    before = list(dict.fromkeys(get_collection(GraphKeys.UPDATE_OPS))) if update_ops is None else list(update_ops)
    total_loss = _after(before, total_loss)
    variables = trainable_variables() if variables_to_train is None else variables_to_train
    if not variables:
        raise ValueError("There are no variables to train.")
    pairs = optimizer.compute_gradients(
        total_loss,
        variables,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if gradient_multipliers:
        with name_scope("multiply_grads"):
            pairs = multiply_gradients(pairs, gradient_multipliers)
    if clip_gradient_norm > 0:
        with name_scope("clip_grads"):
            pairs = clip_gradient_norms(pairs, clip_gradient_norm)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    applied = optimizer.apply_gradients(pairs, global_step=step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = tf.debugging.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = _after([applied], total_loss)
    get_collection_ref(GraphKeys.TRAIN_OP).append(train_op)
    return train_op


def _after(operations: list[Any], value: Any) -> Any:
    """The value, given after the operations; natively these have run."""
    present = [operation for operation in operations if operation is not None]
    if not present or tf.executing_eagerly():
        return value
    with tf.control_dependencies(present):
        return tf.identity(value)


def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """One step of :func:`train`: the loss, and whether to stop. Stands for ``slim.learning.train_step``."""
    began = time.time()
    loss, step = sess.run([train_op, global_step])
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, time.time() - began)
    stop = sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False
    return loss, bool(stop)
