"""Schedules against TF 1.15.5, at 31 steps, in every way of running."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train

from .optimizer_runs import GOLDENS

SCHEDULES: dict[str, Any] = {
    "exponential": lambda s: train.exponential_decay(0.1, s, 7, 0.9),
    "exponential_staircase": lambda s: train.exponential_decay(0.1, s, 7, 0.9, staircase=True),
    "piecewise": lambda s: train.piecewise_constant(s, [3, 10, 20], [1.0, 0.5, 0.25, 0.1]),
    "polynomial": lambda s: train.polynomial_decay(0.1, s, 15, 0.01, power=0.5),
    "polynomial_cycle": lambda s: train.polynomial_decay(0.1, s, 15, 0.01, power=2.0, cycle=True),
    "natural_exp": lambda s: train.natural_exp_decay(0.1, s, 7, 0.9),
    "natural_exp_staircase": lambda s: train.natural_exp_decay(0.1, s, 7, 0.9, staircase=True),
    "inverse_time": lambda s: train.inverse_time_decay(0.1, s, 7, 0.9),
    "inverse_time_staircase": lambda s: train.inverse_time_decay(0.1, s, 7, 0.9, staircase=True),
    "cosine": lambda s: train.cosine_decay(0.1, s, 20, alpha=0.1),
    "cosine_restarts": lambda s: train.cosine_decay_restarts(0.1, s, 5, alpha=0.1, m_mul=0.9),
    "cosine_restarts_linear": lambda s: train.cosine_decay_restarts(0.1, s, 5, t_mul=1.0),
    "linear_cosine": lambda s: train.linear_cosine_decay(0.1, s, 20),
    "noisy_linear_cosine": lambda s: train.noisy_linear_cosine_decay(0.1, s, 20, initial_variance=1e-12),
}
# The names that TF1 gave: one graph with all of them, in this order. `piecewise_constant` was a chain of conditions.
UNNAMED = ("piecewise",)
# 1e-6 is the standard deviation of the noise at step 0.
# A graph's optimizer divides by a constant through its reciprocal, the eager kernel does not: it differs by one unit.
BOUNDS = {"noisy_linear_cosine": 6e-7, "cosine_restarts_linear": 1e-7}


def check(name: str, values: list[Any]) -> None:
    np.testing.assert_allclose(values, GOLDENS[f"schedule|{name}"], rtol=0, atol=BOUNDS.get(name, 3e-8), err_msg=name)


def test_bridged() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        step = compat.placeholder(tf.int64, [], "step")
        rates = {name: make(step) for name, make in SCHEDULES.items()}
        values = [sess.run(rates, {step: i}) for i in range(31)]
        for name, rate in rates.items():
            check(name, [value[name] for value in values])
            if name not in UNNAMED:
                assert rate.op.name == str(GOLDENS[f"schedule_name|{name}"])


@pytest.mark.parametrize("name", SCHEDULES)
def test_eager_is_a_callable_over_the_current_step(name: str) -> None:
    step = tf.Variable(0, dtype=tf.int64)
    rate = SCHEDULES[name](step)
    values = []
    for i in range(31):
        step.assign(i)
        values.append(rate().numpy())
    check(name, values)


@pytest.mark.parametrize("name", SCHEDULES)
def test_traced(name: str) -> None:
    rate = tf.function(SCHEDULES[name], input_signature=[tf.TensorSpec([], tf.int64)])
    check(name, [rate(tf.constant(i, tf.int64)).numpy() for i in range(31)])


def test_wrong_boundaries() -> None:
    step = tf.constant(1)
    with pytest.raises(ValueError, match="length of boundaries should be 1 less"):
        train.piecewise_constant(step, [1, 2], [0.1, 0.2])
    with pytest.raises(ValueError, match="must have the same dtype as x"):
        train.piecewise_constant(step, [1.5], [0.1, 0.2])
    with pytest.raises(ValueError, match="elements all with the same dtype"):
        train.piecewise_constant(step, [1], [0.1, 2])
    assert float(train.piecewise_constant(tf.constant(2, tf.int64), [1], [0.1, 0.2])()) == pytest.approx(0.2)
