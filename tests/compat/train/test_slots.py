"""Slot variables: their names, what they start from, and who owns them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train

from .optimizer_runs import GOLDENS


def test_names_and_scopes_of_several_optimizers() -> None:
    """The program is `record_names` of tests/goldens/make_train.py."""
    with compat.Graph().as_default():
        with compat.variable_scope("a"):
            w = compat.get_variable("w", [2])
        with compat.variable_scope("train"):
            train.AdamOptimizer().minimize(tf.reduce_sum(w * w))
            train.AdamOptimizer(name="Other").minimize(tf.reduce_sum(w))
        with compat.name_scope("scope"):
            train.AdamOptimizer().minimize(tf.reduce_sum(w * 2.0))
            train.RMSPropOptimizer(0.1, centered=True).minimize(tf.reduce_sum(w))
        train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w))
        train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w))
        assert [v.op.name for v in compat.global_variables()] == GOLDENS["names|variables"].tolist()
        assert [op.name for op in compat.get_collection("train_op")] == GOLDENS["names|ops"].tolist()
        assert [v.op.name for v in compat.trainable_variables()] == ["a/w"]


def test_initializers_do_not_wait_for_control_dependencies() -> None:
    class Copying(train.GradientDescentOptimizer):
        def _create_slots(self, var_list: Any) -> None:
            for var in var_list:
                self._get_or_make_slot(var, tf.zeros_like(var.initialized_value()) + 3.0, "copy", "Copying")

    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant([1.0, 2.0]))
        x = compat.placeholder(tf.float32, [2])
        average = train.ExponentialMovingAverage(0.5)
        with tf.control_dependencies([x + 1.0]):
            optimizer = Copying(0.5)
            step = optimizer.minimize(tf.reduce_sum(w * x))
            averaged = average.apply([w])
        sess.run(compat.global_variables_initializer())
        np.testing.assert_array_equal(sess.run(optimizer.get_slot(w, "copy")), [3.0, 3.0])
        sess.run([step], {x: [1.0, 1.0]})
        np.testing.assert_array_equal(sess.run(w), [0.5, 1.5])
        np.testing.assert_array_equal(sess.run(average.average(w)), [1.0, 2.0])
        sess.run(averaged, {x: [1.0, 1.0]})
        np.testing.assert_array_equal(sess.run(average.average(w)), [0.75, 1.75])


def adam_on_squares(w: Any, rate: float, steps: int) -> Any:
    """Adam's formula, for the loss sum(w * w)."""
    m = v = np.zeros_like(w)
    for t in range(1, steps + 1):
        m, v = 0.9 * m + 0.1 * (2 * w), 0.999 * v + 0.001 * (2 * w) ** 2
        w = w - rate * np.sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (np.sqrt(v) + 1e-8)
    return w


def test_plain_variables_need_no_store() -> None:
    a, b = tf.Variable([1.0, 2.0], name="a"), tf.Variable([[1.0], [3.0]], name="b")
    optimizer = train.AdamOptimizer(0.1)

    @tf.function
    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(a * a) + tf.reduce_sum(tf.gather(b, [1, 1]))
        optimizer.apply_gradients(zip(tape.gradient(loss, [a, b]), [a, b], strict=True))

    step()
    step()
    names = [v.name for v in optimizer.variables()]
    assert names == ["a/Adam:0", "a/Adam_1:0", "b/Adam:0", "b/Adam_1:0", "beta1_power:0", "beta2_power:0"]
    np.testing.assert_allclose(a.numpy(), adam_on_squares(np.array([1.0, 2.0]), 0.1, steps=2), atol=1e-6)
    assert b.numpy()[0, 0] == 1.0
    assert optimizer.get_slot(a, "m") is optimizer._slots["m"][a.ref()]
    assert optimizer.get_slot_names() == ["m", "v"]
    assert optimizer.get_slot(a, "momentum") is None


def test_optimizers_of_two_traces_share_nothing() -> None:
    store = compat.VariableStore()
    with store:
        w = compat.get_variable("w", initializer=tf.constant([4.0]))
    first, second = train.AdamOptimizer(0.1), train.AdamOptimizer(0.1)

    def stepper(optimizer: Any) -> Any:
        @tf.function
        def step() -> None:
            with store:
                optimizer.apply_gradients([(tf.ones([1]), w)])

        return step

    stepper(first)()
    stepper(second)()
    assert {v.name for v in first.variables()} == {"w/Adam:0", "w/Adam_1:0", "beta1_power:0", "beta2_power:0"}
    assert {v.name for v in second.variables()} == {"w/Adam_2:0", "w/Adam_3:0", "beta1_power_1:0", "beta2_power_1:0"}


def test_retracing_finds_the_same_slots() -> None:
    store = compat.VariableStore()
    with store:
        w = compat.get_variable("w", initializer=tf.zeros([3]))

    @tf.function
    def step(x: Any) -> None:
        with store:
            train.MomentumOptimizer(1.0, 0.5).apply_gradients([(x * tf.ones([3]), w)])

    step(tf.constant(1.0))
    step(tf.constant([2.0, 2.0, 2.0]))
    assert [v.name for v in store.variables] == ["w:0", "w/Momentum:0"]
    np.testing.assert_allclose(w.numpy(), [-3.5] * 3)


@pytest.mark.parametrize("in_store", [False, True])
def test_checkpoint_of_tf2_saves_slots(in_store: bool, tmp_path: Path) -> None:
    def build() -> tuple[Any, Any, Any]:
        store = compat.VariableStore()
        if not in_store:
            w = tf.Variable([1.0, 2.0], name="w")
            return store, w, train.MomentumOptimizer(0.1, 0.9)
        with store:
            w = compat.get_variable("w", initializer=tf.constant([1.0, 2.0]))
        return store, w, train.MomentumOptimizer(0.1, 0.9)

    def step(store: Any, w: Any, optimizer: Any) -> None:
        if in_store:
            with store:
                optimizer.apply_gradients([(tf.ones([2]), w)])
        else:
            optimizer.apply_gradients([(tf.ones([2]), w)])

    store, w, optimizer = build()
    step(store, w, optimizer)
    path = tf.train.Checkpoint(store=store, w=w, optimizer=optimizer).save(str(tmp_path / "checkpoint"))
    step(store, w, optimizer)
    wanted = w.numpy()

    store, w, optimizer = build()
    status = tf.train.Checkpoint(store=store, w=w, optimizer=optimizer).restore(path)
    step(store, w, optimizer)
    status.assert_existing_objects_matched()
    np.testing.assert_array_equal(w.numpy(), wanted)
    np.testing.assert_allclose(optimizer.get_slot(w, "momentum").numpy(), [1.9, 1.9])


def test_slots_of_float64_and_float16() -> None:
    for dtype in (tf.float64, tf.float16):
        w = tf.Variable(tf.ones([2], dtype))
        optimizer = train.RMSPropOptimizer(0.1)
        optimizer.apply_gradients([(tf.ones([2], dtype), w)])
        slot = optimizer.get_slot(w, "rms")
        assert slot.dtype == dtype
        np.testing.assert_allclose(slot.numpy(), [1.0, 1.0])
        np.testing.assert_allclose(w.numpy(), [0.9, 0.9], rtol=1e-3)


def test_slots_that_a_users_optimizer_makes() -> None:
    from compat.train import slot_creator

    with compat.VariableStore():
        w = compat.get_variable("net/w", [2], initializer=compat.ones_initializer())
        made = [
            slot_creator.create_slot(w, tf.constant([2.0, 2.0]), "Twice"),
            slot_creator.create_slot_with_initializer(w, compat.constant_initializer(3.0), [2], tf.float64, "Wide"),
            slot_creator.create_zeros_slot(w, "Twice"),
        ]
    assert [slot.name for slot in made] == ["net/w/Twice:0", "net/w/Wide:0", "net/w/Twice_1:0"]
    assert [slot.numpy().tolist() for slot in made] == [[2.0, 2.0], [3.0, 3.0], [0.0, 0.0]]
    assert made[1].dtype == tf.float64
    assert not any(slot.trainable for slot in made)
