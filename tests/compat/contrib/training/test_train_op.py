"""`create_train_op`, what is done to gradients, and the loop around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train
from compat.contrib import training


def test_updates_come_first_and_the_loss_is_returned() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant([3.0, 4.0]))
        mean = compat.get_variable("mean", initializer=tf.constant(0.0), trainable=False)
        compat.add_to_collection(compat.GraphKeys.UPDATE_OPS, compat.assign(mean, 7.0).op)
        loss = tf.reduce_sum(w * w)
        op = training.create_train_op(
            loss,
            train.GradientDescentOptimizer(1.0),
            transform_grads_fn=training.clip_gradient_norms_fn(1.0),
            summarize_gradients=True,
        )
        tags = [s.op.name for s in compat.get_collection("summaries")]
        sess.run(compat.global_variables_initializer())
        assert sess.run(op) == 25.0
        np.testing.assert_allclose(sess.run(w), [2.4, 3.2])
        assert sess.run([mean, train.get_global_step()]) == [7.0, 1]
        assert tags == ["summarize_grads/w_gradient", "summarize_grads/w_gradient_norm"]
        assert op.op.name == "train_op/control_dependency"
        assert compat.get_collection("train_op")[-1] is op


def test_a_loss_that_is_not_finite_fails() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        w = compat.get_variable("w", initializer=tf.constant(float("nan")))
        op = training.create_train_op(w * w, train.GradientDescentOptimizer(1.0), global_step=None)
        sess.run(compat.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="LossTensor is inf or nan"):
            sess.run(op)


def test_multiplied_gradients() -> None:
    a, b = tf.Variable([1.0], name="a"), tf.Variable([1.0], name="b")
    slices = tf.IndexedSlices(tf.constant([3.0]), tf.constant([0]), tf.constant([1]))
    pairs = training.multiply_gradients([(tf.constant([2.0]), a), (slices, b)], {"a": 2.0, b.ref(): 0.5})
    assert pairs[0][0].numpy() == [4.0]
    assert pairs[1][0].values.numpy() == [1.5]
    with pytest.raises(ValueError, match="Requested multiple of `None` gradient"):
        training.multiply_gradients([(None, a)], {"a": 2.0})
    with pytest.raises(ValueError, match="is empty"):
        training.multiply_gradients([(None, a)], {})


def test_train_runs_until_a_hook_stops_it(tmp_path: Path) -> None:
    with compat.Graph().as_default():
        w = compat.get_variable("w", initializer=tf.constant(8.0))
        op = training.create_train_op(tf.sqrt(w), train.GradientDescentOptimizer(0.0))
        loss: Any = training.train(op, str(tmp_path), hooks=[train.StopAtStepHook(num_steps=3)])
        assert loss == pytest.approx(8.0**0.5)
        with pytest.raises(ValueError, match="logdir cannot be None"):
            training.train(op, None)
    found = training.wait_for_new_checkpoint(str(tmp_path))
    assert found == str(tmp_path / "model.ckpt-3")
    assert training.wait_for_new_checkpoint(str(tmp_path), found, seconds_to_sleep=0.1, timeout=0.05) is None
