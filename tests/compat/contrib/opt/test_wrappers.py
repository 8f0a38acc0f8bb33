"""Optimizers around optimizers, and optimizers outside of TensorFlow. The numbers of the others are compared with
TF 1.15.5's in tests/compat/train/test_optimizers.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train
from compat.contrib import opt


def test_decay_of_some_variables_and_of_a_users_optimizer() -> None:
    class Users(train.Optimizer):
        def __init__(self, rate: float) -> None:
            super().__init__(False, "Users")
            self.rate = rate

        def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
            return handle.assign_sub(self.rate * grad)

    a, b = tf.Variable([2.0]), tf.Variable([2.0])
    decaying = opt.extend_with_decoupled_weight_decay(Users)
    optimizer = decaying(0.5, rate=1.0)
    optimizer.apply_gradients([(tf.constant([0.25]), a), (tf.constant([0.25]), b)], decay_var_list=[a])
    assert (a.numpy(), b.numpy()) == ([0.75], [1.75])
    optimizer.apply_gradients([(tf.constant([0.0]), b)])
    assert b.numpy() == [0.875]


def test_swapping_saver_writes_averages_under_the_variables_names(tmp_path: Path) -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant([4.0]))
        optimizer = opt.MovingAverageOptimizer(train.GradientDescentOptimizer(1.0), average_decay=0.5)
        with pytest.raises(RuntimeError, match="Must call apply_gradients or minimize"):
            optimizer.swapping_saver()
        op = optimizer.minimize(2.0 * w)
        assert op.name == "train_with_avg"
        saver = optimizer.swapping_saver()
        with pytest.raises(ValueError, match="is not part of variables to save"):
            optimizer.swapping_saver([w])
        sess.run(compat.global_variables_initializer())
        sess.run(op)
        path = saver.save(sess, str(tmp_path / "model"), write_meta_graph=False)
    assert train.load_variable(path, "w") == [3.0]
    assert train.load_variable(path, "w/ExponentialMovingAverage") == [2.0]


def test_clipped_variables() -> None:
    w, rows = tf.Variable([3.0, 4.0]), tf.Variable([[3.0, 4.0], [6.0, 8.0]])
    inner = train.GradientDescentOptimizer(0.0)
    optimizer = opt.VariableClippingOptimizer(inner, {w.ref(): [0], rows.ref(): [1]}, 1.0)
    slices = tf.IndexedSlices(tf.zeros([1, 2]), tf.constant([1]), tf.constant([2, 2]))
    optimizer.apply_gradients([(tf.zeros([2]), w), (slices, rows)])
    np.testing.assert_allclose(w.numpy(), [0.6, 0.8], rtol=1e-6)
    np.testing.assert_allclose(rows.numpy(), [[3.0, 4.0], [0.6, 0.8]], rtol=1e-6)


@pytest.mark.parametrize("bridged", [False, True])
def test_all_zero_gradients_of_an_absent_task(bridged: bool) -> None:
    def build() -> tuple[Any, Any, Any, Any]:
        a = compat.get_variable("a", initializer=tf.constant([1.0]))
        b = compat.get_variable("b", initializer=tf.constant([1.0]))
        inner = train.MomentumOptimizer(1.0, 0.5)
        optimizer = opt.MultitaskOptimizerWrapper(inner)
        first = optimizer.apply_gradients([(tf.constant([1.0]), a), (tf.constant([1.0]), b)])
        with tf.control_dependencies([] if first is None else [first]):
            second = optimizer.apply_gradients([(tf.constant([1.0]), a), (tf.constant([0.0]), b)])
        return a, b, inner, second

    if bridged:
        with compat.Graph().as_default(), compat.Session() as sess:
            a, b, inner, second = build()
            sess.run(compat.global_variables_initializer())
            sess.run(second)
            values = sess.run([a, b, inner.get_slot(a, "momentum"), inner.get_slot(b, "momentum")])
    else:
        with compat.VariableStore():
            a, b, inner, _ = build()
            values = [v.numpy() for v in (a, b, inner.get_slot(a, "momentum"), inner.get_slot(b, "momentum"))]
    assert [float(value[0]) for value in values] == [-1.5, 0.0, 1.5, 1.0]


def test_gradients_clipped_by_their_joint_norm() -> None:
    w = tf.Variable([0.0])
    pairs, norm = opt.clip_gradients_by_global_norm([(tf.constant([3.0]), w), (None, w), (tf.constant([4.0]), w)], 1.0)
    assert float(norm) == 5.0
    np.testing.assert_allclose([pairs[0][0].numpy(), pairs[2][0].numpy()], [[0.6], [0.8]], rtol=1e-6)
    assert pairs[1] == (None, w) or pairs[1][0] is None


def test_slots_held_still() -> None:
    w = tf.Variable([1.0])
    optimizer = opt.RegAdagradOptimizer(1.0, initial_accumulator_value=1.0)
    with optimizer.avoid_updating_slots():
        optimizer.apply_gradients([(tf.constant([2.0]), w)])
    assert optimizer.get_slot(w, "accumulator").numpy() == [1.0]
    assert w.numpy() == [-1.0]


def test_scipy_minimizes_within_bounds() -> None:
    pytest.importorskip("scipy")
    with compat.Graph().as_default(), compat.Session() as sess:
        a = compat.get_variable("a", initializer=tf.constant([4.0, 4.0]))
        b = compat.get_variable("b", initializer=tf.constant(3.0))
        loss = tf.reduce_sum(tf.square(a - [1.0, -2.0])) + tf.square(b - 0.5)
        seen: list[float] = []
        optimizer = opt.ScipyOptimizerInterface(loss, var_to_bounds={b: (1.0, 5.0)}, options={"maxiter": 50})
        sess.run(compat.global_variables_initializer())
        optimizer.minimize(sess, fetches=[loss], loss_callback=lambda value: seen.append(float(value)))
        np.testing.assert_allclose(sess.run(a), [1.0, -2.0], atol=1e-4)
        assert sess.run(b) == 1.0
        assert seen[0] > 40 and seen[-1] == pytest.approx(0.25, abs=1e-6)


def test_an_optimizer_of_the_users_own() -> None:
    class OneStep(opt.ExternalOptimizerInterface):
        def _minimize(self, **arguments: Any) -> Any:
            loss, gradient = arguments["loss_grad_func"](arguments["initial_val"])
            assert loss == 16.0
            return arguments["initial_val"] - 0.25 * gradient

    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant(4.0))
        optimizer = OneStep(w * w)
        sess.run(compat.global_variables_initializer())
        optimizer.minimize(sess)
        assert sess.run(w) == 2.0
        with pytest.raises(NotImplementedError, match="subclass from it"):
            opt.ExternalOptimizerInterface(w * w).minimize(sess)


def test_decay_beside_a_class_of_tf1() -> None:
    class Decaying(opt.DecoupledWeightDecayExtension, train.GradientDescentOptimizer):
        def __init__(self, weight_decay: float, learning_rate: float) -> None:
            super().__init__(weight_decay, learning_rate=learning_rate)

    w = tf.Variable([2.0])
    Decaying(0.25, 1.0).apply_gradients([(tf.constant([0.5]), w)])
    assert w.numpy().tolist() == [2.0 * (1 - 0.25) - 0.5]
