"""Moving averages against TF 1.15.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train
from compat.train import moving_averages

from .optimizer_runs import GOLDENS

OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {"decay": 0.9},
    "num_updates": {"decay": 0.9, "num_updates": 3},
    "debias": {"decay": 0.9, "zero_debias": True, "name": "avg"},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_bridged(name: str) -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        with compat.variable_scope("net"):
            w = compat.get_variable("w", initializer=tf.constant([1.0, -2.0]))
        total = tf.multiply(w, 3.0, name="total")
        average = train.ExponentialMovingAverage(**OPTIONS[name])
        update = average.apply([w, total])
        grow = w.assign(w * 1.5)
        sess.run(compat.global_variables_initializer())
        for _ in range(5):
            sess.run(grow)
            sess.run(update)
        np.testing.assert_allclose(sess.run(average.average(w)), GOLDENS[f"ema|{name}|w"], rtol=3e-7)
        np.testing.assert_allclose(sess.run(average.average(total)), GOLDENS[f"ema|{name}|total"], rtol=3e-7)
        assert [v.op.name for v in compat.global_variables()] == GOLDENS[f"ema|{name}|names"].tolist()
        assert update.name == str(GOLDENS[f"ema|{name}|op"])
        restore = sorted([key, v.op.name] for key, v in average.variables_to_restore().items())
        assert restore == GOLDENS[f"ema|{name}|restore"].tolist()
        assert [v.op.name for v in compat.moving_average_variables()] == ["net/w"]


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("with_store", [False, True])
def test_natively(traced: bool, with_store: bool) -> None:
    store = compat.VariableStore()
    if with_store:
        with store, compat.variable_scope("net"):
            w = compat.get_variable("w", initializer=tf.constant([1.0, -2.0]))
    else:
        w = tf.Variable([1.0, -2.0], name="net/w")
    average = train.ExponentialMovingAverage(0.9)
    average.create_averages([w]) if not with_store else store.build(lambda: average.create_averages([w]))

    def step() -> None:
        w.assign(w * 1.5)
        if with_store:
            with store:
                average.apply([w])
        else:
            average.apply([w])

    run = tf.function(step) if traced else step
    for _ in range(5):
        run()
    shadow = average.average(w)
    assert shadow is not None and shadow.name == "net/w/ExponentialMovingAverage:0"
    assert average.average_name(w) == "net/w/ExponentialMovingAverage"
    np.testing.assert_allclose(shadow.numpy(), GOLDENS["ema|plain|w"], rtol=3e-7)


def test_what_cannot_be_averaged() -> None:
    average = train.ExponentialMovingAverage(0.9)
    with pytest.raises(TypeError, match="must be half, float, or double"):
        average.apply([tf.Variable(1)])
    with pytest.raises(TypeError, match="does not support non-Variable tensors"):
        average.apply([tf.constant(1.0)])
    assert average.average(tf.Variable(1.0)) is None


def test_assign_moving_average_returns_the_new_value() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        mean = compat.get_variable("mean", initializer=tf.constant([1.0, 2.0]), trainable=False)
        update = moving_averages.assign_moving_average(mean, tf.constant([3.0, 4.0]), 0.75, zero_debias=False)
        sess.run(compat.global_variables_initializer())
        np.testing.assert_allclose(sess.run(update), [1.5, 2.5])
        np.testing.assert_allclose(sess.run(mean), [1.5, 2.5])
    store = compat.VariableStore()
    with store:
        mean = compat.get_variable("mean", initializer=tf.zeros([2]), trainable=False)
        moving_averages.assign_moving_average(mean, tf.constant([3.0, 4.0]), 0.75)
    np.testing.assert_allclose(mean.numpy(), [3.0, 4.0])
    assert [v.name for v in store.variables] == ["mean:0", "mean/biased:0", "mean/local_step:0"]


def test_weighted_moving_average() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        value, weight = compat.placeholder(tf.float32, []), compat.placeholder(tf.float32, [])
        average = moving_averages.weighted_moving_average(value, 0.5, weight)
        sess.run(compat.global_variables_initializer())
        assert sess.run(average, {value: 4.0, weight: 1.0}) == pytest.approx(4.0)
        assert sess.run(average, {value: 1.0, weight: 3.0}) == pytest.approx((0.25 * 4 + 0.5 * 3) / (0.25 + 0.5 * 3))
        names = [v.op.name for v in compat.global_variables()]
        assert names == ["WeightedMovingAvg/value_x_weight", "WeightedMovingAvg/weight"]


def test_functions_that_compute_parts_share_the_averages_of_tensors():
    store = compat.VariableStore()

    def averaged(x):
        mean = tf.reduce_mean(x)
        average = compat.train.ExponentialMovingAverage(0.5)
        with tf.control_dependencies([average.apply([mean])]):
            return tf.identity(mean), average.average(mean).read_value()

    @tf.function
    def beside(x):
        with store:
            # In another function the operation that is averaged has another name.
            return averaged(x + tf.reduce_mean(x))[1]

    @tf.function
    def alone(x):
        with store:
            return averaged(x)[1]

    assert beside(tf.constant([1.0, 3.0])) == 2.0
    assert alone(tf.constant([4.0])) == 3.0
    assert [v.name for v in store.variables] == ["Mean_1/ExponentialMovingAverage:0"]
