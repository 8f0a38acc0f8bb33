"""One call that trains: learning rate, clipping, noise, multipliers, summaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from ... import summary, train
from ...initializers import constant_initializer, zeros_initializer
from ...train.moving_averages import assign_moving_average
from ...variables.collection import get_collection, trainable_variables
from ...variables.graph_keys import GraphKeys
from ...variables.lookup import get_variable
from ...variables.variable_scope import variable_scope

GradsAndVars = list[tuple[Any, Any]]

OPTIMIZER_CLS_NAMES: dict[str, Callable[..., Any]] = {
    "Adagrad": train.AdagradOptimizer,
    "Adam": train.AdamOptimizer,
    "Ftrl": train.FtrlOptimizer,
    "Momentum": lambda learning_rate: train.MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": train.RMSPropOptimizer,
    "SGD": train.GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]


def optimize_loss(
    loss: Any,
    global_step: Any,
    learning_rate: Any,
    optimizer: Any,
    gradient_noise_scale: float | None = None,
    gradient_multipliers: dict[Any, Any] | None = None,
    clip_gradients: Any = None,
    learning_rate_decay_fn: Callable[[Any, Any], Any] | None = None,
    update_ops: Iterable[Any] | None = None,
    variables: Sequence[Any] | None = None,
    name: str | None = None,
    summaries: Sequence[str] | None = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Any:
    """Makes the op that trains, and returns the loss that runs it. Stands for ``tf.contrib.layers.optimize_loss``.

    Args:
        loss: a scalar.
        global_step: the step counter, the program's own when None.
        learning_rate: a float (kept in the variable ``learning_rate``), a scalar tensor, or None for an optimizer that
            has one.
        optimizer: a name of ``OPTIMIZER_CLS_NAMES``, a class, an optimizer, or a function of the learning rate.
        gradient_noise_scale: adds truncated normal noise of that size.
        gradient_multipliers: factors by variable or by its name.
        clip_gradients: the greatest global norm, or a function of the ``(gradient, variable)`` pairs.
        learning_rate_decay_fn: a function of learning rate and step.
        update_ops: what is to run before, the collection ``UPDATE_OPS`` by default.
        summaries: which of ``OPTIMIZER_SUMMARIES`` to make; loss, learning rate and global norm by default.

    Raises:
        ValueError: an argument outside of these.
    """
    loss = tf.convert_to_tensor(loss)
    if loss.shape.rank not in (0, None):
        raise ValueError(f"Expected scalar shape for {loss}, saw shape: {loss.shape}.")
    step = train.get_global_step() if global_step is None else global_step
    with variable_scope(name, "OptimizeLoss", [loss, step]):
        before = list(dict.fromkeys(get_collection(GraphKeys.UPDATE_OPS))) if update_ops is None else list(update_ops)
        loss = _after(before, loss)
        wanted = _checked_summaries(summaries)
        rate = _learning_rate(learning_rate)
        if rate is not None and learning_rate_decay_fn is not None:
            if step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, step)
            if "learning_rate" in wanted:
                summary.scalar("learning_rate", rate)
        opt = _optimizer(optimizer, rate)
        pairs = opt.compute_gradients(
            loss,
            trainable_variables() if variables is None else variables,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        pairs = _transformed(pairs, gradient_noise_scale, gradient_multipliers, clip_gradients, wanted)
        if "loss" in wanted:
            summary.scalar("loss", loss)
        _summarize(pairs, wanted)
        if clip_gradients is not None and wanted & {"global_gradient_norm", "gradient_norm"}:
            summary.scalar("global_norm/clipped_gradient_norm", tf.linalg.global_norm([pair[0] for pair in pairs]))
        applied = opt.apply_gradients(pairs, global_step=step if increment_global_step else None, name="train")
        return _after([applied], loss)


def _after(operations: list[Any], value: Any) -> Any:
    """The value, given after the operations; natively these have run."""
    present = [operation for operation in operations if operation is not None]
    if not present or tf.executing_eagerly():
        return value
    with tf.control_dependencies(present):
        return tf.identity(value)


def _checked_summaries(summaries: Sequence[str] | None) -> set[str]:
    if summaries is None:
        return {"loss", "learning_rate", "global_gradient_norm"}
    for each in summaries:
        if each not in OPTIMIZER_SUMMARIES:
            raise ValueError(f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you provided {each}.")
    return set(summaries)


def _learning_rate(learning_rate: Any) -> Any:
    if learning_rate is None or (tf.is_tensor(learning_rate) and learning_rate.shape.rank == 0):
        return learning_rate
    if isinstance(learning_rate, float):
        if learning_rate < 0.0:
            raise ValueError("Invalid learning_rate %s.", learning_rate)
        return get_variable("learning_rate", [], trainable=False, initializer=constant_initializer(learning_rate))
    raise ValueError(f"Learning rate should be 0d Tensor or float. Got {learning_rate} of type {type(learning_rate)}")


def _optimizer(optimizer: Any, rate: Any) -> Any:
    if isinstance(optimizer, train.Optimizer):
        return optimizer
    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError(
                f"Optimizer name should be one of [{', '.join(OPTIMIZER_CLS_NAMES)}], you provided {optimizer}."
            )
        optimizer, needed = OPTIMIZER_CLS_NAMES[optimizer], True
    else:
        needed = isinstance(optimizer, type)
    if not callable(optimizer):
        raise ValueError(
            "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of Optimizer or "
            f"function with one argument. Got {optimizer}."
        )
    if needed and rate is None:
        raise ValueError(f"Learning rate is None, but should be specified for the optimizer {optimizer}.")
    made = optimizer(learning_rate=rate) if needed else optimizer(rate) if rate is not None else optimizer()
    if not isinstance(made, train.Optimizer):
        raise ValueError(f"Unrecognized optimizer: function should return subclass of Optimizer. Got {made}.")
    return made


def _transformed(
    pairs: GradsAndVars,
    noise_scale: float | None,
    multipliers: dict[Any, Any] | None,
    clip_gradients: Any,
    wanted: set[str],
) -> GradsAndVars:
    """Noise, multipliers, clipping, in this order."""
    if noise_scale is not None:
        pairs = [(_noisy(gradient, noise_scale), variable) for gradient, variable in pairs]
    if multipliers is not None:
        pairs = [(_multiplied(gradient, variable, multipliers), variable) for gradient, variable in pairs]
        if not pairs:
            raise ValueError(
                "Empty list of (gradient, var) pairs encountered. This is most likely to be caused by an improper "
                "value of gradient_multipliers."
            )
    if wanted & {"global_gradient_norm", "gradient_norm"}:
        summary.scalar("global_norm/gradient_norm", tf.linalg.global_norm([pair[0] for pair in pairs]))
    if isinstance(clip_gradients, float):
        clipped, _ = tf.clip_by_global_norm([pair[0] for pair in pairs], clip_gradients)
        return list(zip(clipped, [pair[1] for pair in pairs], strict=True))
    if callable(clip_gradients):
        return clip_gradients(pairs)
    if clip_gradients is not None:
        raise ValueError(f"Unknown type {type(clip_gradients)} for clip_gradients")
    return pairs


def _noisy(gradient: Any, scale: float) -> Any:
    if gradient is None:
        return None
    shape = gradient.dense_shape if isinstance(gradient, tf.IndexedSlices) else gradient.shape
    return gradient + tf.random.truncated_normal(shape) * scale


def _multiplied(gradient: Any, variable: Any, multipliers: dict[Any, Any]) -> Any:
    factor = next((value for key, value in multipliers.items() if key is variable or key == variable.name), None)
    return gradient if gradient is None or factor is None else scaled(gradient, factor)


def scaled(gradient: Any, factor: Any) -> Any:
    """A dense or sparse gradient times a factor."""
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
    return gradient * tf.cast(factor, gradient.dtype)


def _summarize(pairs: GradsAndVars, wanted: set[str]) -> None:
    for gradient, variable in pairs:
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        if values is None:
            continue
        name = variable.name.replace(":", "_")
        if "gradients" in wanted:
            summary.histogram(f"gradients/{name}", values)
        if "gradient_norm" in wanted:
            summary.scalar(f"gradient_norm/{name}", tf.linalg.global_norm([values]))


def adaptive_clipping_fn(
    std_factor: float = 2.0,
    decay: float = 0.95,
    static_max_norm: float | None = None,
    global_step: Any = None,
    report_summary: bool = False,
    epsilon: float = 1e-8,
    name: str | None = None,
) -> Callable[[GradsAndVars], GradsAndVars]:
    """A ``clip_gradients`` that learns what norm is usual. Stands for ``tf.contrib.layers.adaptive_clipping_fn``.

    Args:
        std_factor: how many standard deviations of the log norm above its mean are allowed.
        decay: of the moving averages.
        static_max_norm: a bound besides.
    """

    def gradient_clipping(grads_and_vars: GradsAndVars) -> GradsAndVars:
        norm = tf.linalg.global_norm([gradient for gradient, _ in grads_and_vars])
        greatest, log_mean = _adaptive_max_norm(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            summary.scalar("global_norm/adaptive_max_gradient_norm", greatest)
        factor = tf.where(norm < greatest, tf.ones_like(norm), tf.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = tf.minimum(static_max_norm / norm, factor)
        return [(None if each is None else scaled(each, factor), variable) for each, variable in grads_and_vars]

    return gradient_clipping


def _adaptive_max_norm(
    norm: Any, std_factor: float, decay: Any, global_step: Any, epsilon: float, name: str | None
) -> tuple[Any, Any]:
    with variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = tf.math.log(norm + epsilon)
        if global_step is not None:
            steps = tf.cast(global_step, tf.float32)
            decay = tf.minimum(decay, steps / (steps + 1.0))

        def moving_average(key: str, value: Any) -> Any:
            average = get_variable(
                key, shape=value.shape, dtype=value.dtype, initializer=zeros_initializer(), trainable=False
            )
            return assign_moving_average(average, value, decay, zero_debias=False)

        mean = moving_average("mean", log_norm)
        variance = moving_average("sq_mean", tf.square(log_norm)) - tf.square(mean)
        deviation = tf.sqrt(tf.maximum(epsilon, variance))
        return tf.exp(mean + std_factor * deviation), mean
