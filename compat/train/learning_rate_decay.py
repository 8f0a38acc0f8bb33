"""Learning-rate schedules. In a graph or trace each gives a tensor; eagerly a callable, as TF1's did in eager mode."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from .. import counting
from .. import variables as tf1
from .op_names import exact_name


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """``learning_rate * decay_rate ** (global_step / decay_steps)``. Stands for ``tf.train.exponential_decay``.

    Args:
        learning_rate: the rate at step 0, a float or a scalar tensor; its dtype is the result's.
        global_step: the step, an integer tensor or variable.
        decay_steps, decay_rate: numbers or scalar tensors.
        staircase: round ``global_step / decay_steps`` down.
        name: name of the result.

    Returns:
        A scalar tensor; when eager a callable without arguments that computes it from the step at the time.
    """

    def decay(rate: tf.Tensor, step: tf.Tensor, scope: str | None) -> tf.Tensor:
        done = step / tf.cast(decay_steps, rate.dtype)
        exponent = tf.floor(done) if staircase else done
        return tf.multiply(rate, tf.pow(tf.cast(decay_rate, rate.dtype), exponent), name=scope)

    return _schedule(learning_rate, global_step, decay, name or "ExponentialDecay")


def piecewise_constant(x: Any, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None) -> Any:
    """``values[i]`` for the first boundary that ``x`` does not exceed. Stands for ``tf.train.piecewise_constant``.

    Args:
        x: the step, a scalar tensor or variable.
        boundaries: rising numbers of the dtype of ``x`` (int32 is taken for int64).
        values: one more than ``boundaries``, all of one dtype.
        name: name scope of the operations.

    Returns:
        A scalar tensor; when eager a callable without arguments.

    Raises:
        ValueError: the lengths or dtypes do not fit.
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    dtype = tf.as_dtype(x.dtype) if hasattr(x, "dtype") else tf.convert_to_tensor(x).dtype
    limits = [_boundary(boundary, dtype) for boundary in boundaries]
    rates = [tf.convert_to_tensor(value) for value in values]
    for rate in rates[1:]:
        if rate.dtype != rates[0].dtype:
            raise ValueError(f"Values must have elements all with the same dtype ({rates[0].dtype} vs {rate.dtype}).")

    def compute() -> tf.Tensor:
        with tf1.name_scope(name, "PiecewiseConstant"):
            passed = tf.convert_to_tensor(x) > tf.stack(limits)
            return tf.gather(tf.stack(rates), tf.math.count_nonzero(passed))

    return compute if tf.executing_eagerly() else compute()


def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Any:
    """``(learning_rate - end) * (1 - step / decay_steps) ** power + end``. Stands for ``tf.train.polynomial_decay``.

    Args:
        learning_rate, global_step, name: as for :func:`exponential_decay`.
        decay_steps: the step at which ``end_learning_rate`` is reached, and kept unless ``cycle``.
        end_learning_rate, power: numbers or scalar tensors.
        cycle: past ``decay_steps``, stretch the decay to the next multiple of it.
    """

    def decay(rate: tf.Tensor, step: tf.Tensor, scope: str | None) -> tf.Tensor:
        end = tf.cast(end_learning_rate, rate.dtype)
        span = tf.cast(decay_steps, rate.dtype)
        # TF1 chose the periods by `tf.cond`, and made the steps a tensor once more.
        counting.add(4 if cycle else 0 if tf.is_tensor(decay_steps) else 1)
        if cycle:
            periods = tf.where(tf.equal(step, 0), tf.ones_like(step), tf.math.ceil(step / span))
            span = span * periods
        else:
            step = tf.minimum(step, span)
        left = tf.pow(1 - step / span, tf.cast(power, rate.dtype))
        return tf.add((rate - end) * left, end, name=scope)

    return _schedule(learning_rate, global_step, decay, name or "PolynomialDecay")


def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """``learning_rate * exp(-decay_rate * global_step / decay_steps)``. Stands for ``tf.train.natural_exp_decay``.

    Arguments and result are those of :func:`exponential_decay`.
    """
    base = tf.exp(-tf.convert_to_tensor(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, base, staircase, name)


def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """``learning_rate / (1 + decay_rate * global_step / decay_steps)``. Stands for ``tf.train.inverse_time_decay``.

    Arguments and result are those of :func:`exponential_decay`.
    """

    def decay(rate: tf.Tensor, step: tf.Tensor, scope: str | None) -> tf.Tensor:
        counting.add(1)  # TF1 made a tensor of the 1.
        done = step / tf.cast(decay_steps, rate.dtype)
        done = tf.floor(done) if staircase else done
        return tf.divide(rate, 1 + tf.cast(decay_rate, rate.dtype) * done, name=scope)

    return _schedule(learning_rate, global_step, decay, name or "InverseTimeDecay")


def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: Any = 0.0, name: str | None = None
) -> Any:
    """Half a cosine from ``learning_rate`` to ``alpha * learning_rate``. Stands for ``tf.train.cosine_decay``.

    Arguments and result are those of :func:`exponential_decay`; after ``decay_steps`` the rate stays.
    """

    def decay(rate: tf.Tensor, step: tf.Tensor, scope: str | None) -> tf.Tensor:
        del scope
        span = tf.cast(decay_steps, rate.dtype)
        cosine = _raised_cosine(tf.minimum(step, span) / span)
        return tf.multiply(rate, (1 - alpha) * cosine + alpha)

    return _schedule(learning_rate, global_step, decay, name or "CosineDecay")


def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: Any = 0.0,
    name: str | None = None,
) -> Any:
    """Cosine decay that begins again (Loshchilov and Hutter, 2016). Stands for ``tf.train.cosine_decay_restarts``.

    Args:
        learning_rate, global_step, name: as for :func:`exponential_decay`.
        first_decay_steps: length of the first period.
        t_mul: how much longer each next period is.
        m_mul: how much lower or higher each next period starts.
        alpha: the lowest rate, as a fraction of ``learning_rate``.
    """

    def decay(rate: tf.Tensor, step: tf.Tensor, scope: str | None) -> tf.Tensor:
        growth = tf.cast(t_mul, rate.dtype)
        fraction = step / tf.cast(first_decay_steps, rate.dtype)
        restarts, fraction = tf.cond(
            tf.equal(growth, 1.0), lambda: _equal_periods(fraction), lambda: _growing_periods(fraction, growth)
        )
        # TF1 multiplies from the left; other orders round differently.
        cosine = 0.5 * tf.cast(m_mul, rate.dtype) ** restarts * (1.0 + tf.cos(tf.constant(math.pi) * fraction))
        low = tf.cast(alpha, rate.dtype)
        return tf.multiply(rate, (1 - low) * cosine + low, name=scope)

    return _schedule(learning_rate, global_step, decay, name or "SGDRDecay")


def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Any:
    """``learning_rate * ((alpha + linear) * cosine + beta)``. Stands for ``tf.train.linear_cosine_decay``.

    ``linear`` falls from 1 to 0 in ``decay_steps``; ``cosine`` runs through ``num_periods`` periods meanwhile.
    """

    def decay(rate: tf.Tensor, step: tf.Tensor, scope: str | None) -> tf.Tensor:
        linear, cosine = _linear_and_cosine(step, tf.cast(decay_steps, rate.dtype), num_periods)
        factor = (tf.cast(alpha, rate.dtype) + linear) * cosine + tf.cast(beta, rate.dtype)
        return tf.multiply(rate, factor, name=scope)

    return _schedule(learning_rate, global_step, decay, name or "LinearCosineDecay")


def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: Any = 1.0,
    variance_decay: Any = 0.55,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Any:
    """:func:`linear_cosine_decay` with noise on the linear part. Stands for ``tf.train.noisy_linear_cosine_decay``.

    The noise is normal, of variance ``initial_variance / (1 + global_step) ** variance_decay``.
    """

    def decay(rate: tf.Tensor, step: tf.Tensor, scope: str | None) -> tf.Tensor:
        linear, cosine = _linear_and_cosine(step, tf.cast(decay_steps, rate.dtype), num_periods)
        at = tf.minimum(step, tf.cast(decay_steps, rate.dtype))
        variance = tf.cast(initial_variance, rate.dtype) / tf.pow(1.0 + at, tf.cast(variance_decay, rate.dtype))
        noisy = linear + tf.random.normal(linear.shape, stddev=tf.sqrt(variance))
        factor = (tf.cast(alpha, rate.dtype) + noisy) * cosine + tf.cast(beta, rate.dtype)
        return tf.multiply(rate, factor, name=scope)

    return _schedule(learning_rate, global_step, decay, name or "NoisyLinearCosineDecay")


def _schedule(
    learning_rate: Any, global_step: Any, decay: Callable[[tf.Tensor, tf.Tensor, str | None], tf.Tensor], name: str
) -> Any:
    def compute() -> tf.Tensor:
        with tf1.name_scope(name) as scope:
            rate = tf.convert_to_tensor(learning_rate, name="initial_learning_rate")
            return decay(rate, tf.cast(global_step, rate.dtype), exact_name(scope))

    return compute if tf.executing_eagerly() else compute()


def _boundary(boundary: Any, dtype: tf.DType) -> tf.Tensor:
    tensor = tf.convert_to_tensor(boundary)
    if tensor.dtype == dtype:
        return tensor
    if tensor.dtype == tf.int32 and dtype == tf.int64:
        return tf.cast(tensor, dtype)
    raise ValueError(f"Boundaries ({tensor.dtype}) must have the same dtype as x ({dtype}).")


def _raised_cosine(fraction: tf.Tensor) -> tf.Tensor:
    return 0.5 * (1.0 + tf.cos(tf.constant(math.pi) * fraction))


def _linear_and_cosine(step: tf.Tensor, span: tf.Tensor, num_periods: Any) -> tuple[tf.Tensor, tf.Tensor]:
    step = tf.minimum(step, span)
    cosine = _raised_cosine(2.0 * tf.cast(num_periods, step.dtype) * (step / span))
    return (span - step) / span, cosine


def _equal_periods(fraction: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    restarts = tf.floor(fraction)
    return restarts, fraction - restarts


def _growing_periods(fraction: tf.Tensor, growth: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    restarts = tf.floor(tf.math.log(1.0 - fraction * (1.0 - growth)) / tf.math.log(growth))
    begun = (1.0 - growth**restarts) / (1.0 - growth)
    return restarts, (fraction - begun) / growth**restarts
