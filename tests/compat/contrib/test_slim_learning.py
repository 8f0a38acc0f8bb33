"""slim's train op and loop: the steps are taken, updates run, checkpoints are written and resumed."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

slim = compat.contrib.slim


def linear_model() -> tuple[Any, Any]:
    """A loss (w - 3)² that an update op counts, and the variable."""
    weight = compat.get_variable("w", [], initializer=compat.zeros_initializer())
    runs = compat.get_variable("runs", [], trainable=False, initializer=compat.zeros_initializer())
    compat.add_to_collection(compat.GraphKeys.UPDATE_OPS, compat.assign_add(runs, 1.0).op)
    return tf.square(weight - 3.0), weight


def test_train_takes_the_steps_and_saves(tmp_path: pathlib.Path) -> None:
    for expected_step in (5, 8):
        with compat.Graph().as_default():
            loss, _ = linear_model()
            train_op = slim.learning.create_train_op(loss, compat.train.GradientDescentOptimizer(0.25))
            # A thread that saves now and then may be behind the last save, as in TF 1.15: there is none.
            last = slim.learning.train(
                train_op,
                str(tmp_path),
                number_of_steps=expected_step,
                log_every_n_steps=0,
                save_summaries_secs=0,
                save_interval_secs=0,
            )
        # Each step halves the distance; the loss is that before the step.
        np.testing.assert_allclose(last, 9.0 * 0.25 ** (expected_step - 1), rtol=1e-5)
        reader = tf.train.load_checkpoint(str(tmp_path))
        assert reader.get_tensor("global_step") == expected_step
        assert reader.get_tensor("runs") == expected_step
        np.testing.assert_allclose(reader.get_tensor("w"), 3.0 - 3.0 * 0.5**expected_step, rtol=1e-6)


def test_train_without_a_folder_and_with_a_step_of_its_own() -> None:
    seen = []

    def step(session: Any, train_op: Any, global_step: Any, arguments: dict[str, Any]) -> tuple[Any, bool]:
        loss, stop = slim.learning.train_step(session, train_op, global_step, arguments)
        seen.append(float(loss))
        return loss, stop or len(seen) == 3

    with compat.Graph().as_default():
        loss, _ = linear_model()
        train_op = slim.learning.create_train_op(loss, compat.train.GradientDescentOptimizer(0.25), update_ops=[])
        slim.learning.train(train_op, None, train_step_fn=step)
    np.testing.assert_allclose(seen, [9.0, 2.25, 0.5625])


def test_every_third_step_is_traced(tmp_path: pathlib.Path) -> None:
    """The files and tags that TF 1.15.5 writes for this training."""
    with compat.Graph().as_default():
        loss, _ = linear_model()
        train_op = slim.learning.create_train_op(loss, compat.train.GradientDescentOptimizer(0.1))
        slim.learning.train(train_op, str(tmp_path), number_of_steps=7, trace_every_n_steps=3, log_every_n_steps=100)
    traces = sorted(tmp_path.glob("tf_trace*"))
    assert [file.name for file in traces] == ["tf_trace-1.json", "tf_trace-4.json", "tf_trace-7.json"]
    ran = {event["args"].get("op") for event in json.loads(traces[0].read_text())["traceEvents"]}
    assert "ResourceApplyGradientDescent" in ran
    (written,) = tmp_path.glob("*tfevents*")
    tags = [event.tagged_run_metadata.tag for event in compat.train.summary_iterator(str(written))]
    assert [tag for tag in tags if tag] == ["run_metadata-1", "run_metadata-4", "run_metadata-7"]


def test_gradients_are_multiplied_and_clipped() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        loss, weight = linear_model()
        train_op = slim.learning.create_train_op(
            loss,
            compat.train.GradientDescentOptimizer(1.0),
            gradient_multipliers={"w": 0.5},
            clip_gradient_norm=2.0,
            summarize_gradients=True,
        )
        session.run(compat.global_variables_initializer())
        assert session.run(train_op) == 9.0
        assert session.run(weight) == 2.0
        assert len(compat.get_collection(compat.GraphKeys.SUMMARIES)) == 2


def test_wrong_use() -> None:
    with compat.Graph().as_default():
        loss, weight = linear_model()
        optimizer = compat.train.GradientDescentOptimizer(0.1)
        train_op = slim.learning.create_train_op(loss, optimizer)
        for message, arguments in (
            ("train_op cannot be None", {"train_op": None, "logdir": None}),
            ("positive number", {"train_op": train_op, "logdir": None, "number_of_steps": 0}),
            ("saver because logdir=None", {"train_op": train_op, "logdir": None, "saver": object()}),
            ("n_steps because logdir=None", {"train_op": train_op, "logdir": None, "trace_every_n_steps": 3}),
            ("tf.distribute", {"train_op": train_op, "logdir": None, "sync_optimizer": optimizer}),
        ):
            with pytest.raises(ValueError, match=message):
                slim.learning.train(**arguments)
        with pytest.raises(ValueError, match="multiple of `None`"):
            slim.learning.multiply_gradients([(None, weight)], {weight: 2.0})


def test_a_loss_that_is_not_finite_stops_the_training() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        loss, _ = linear_model()
        train_op = slim.learning.create_train_op(loss / 0.0, compat.train.GradientDescentOptimizer(0.1))
        session.run(compat.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="LossTensor is inf or nan"):
            session.run(train_op)


def test_model_analyzer(capsys: pytest.CaptureFixture[str]) -> None:
    with compat.Graph().as_default() as graph:
        compat.get_variable("w", [3, 4])
        compat.get_variable("n", [2], tf.int64)
        assert slim.model_analyzer.analyze_vars(compat.global_variables(), print_info=True) == (14, 64)
        assert slim.model_analyzer.analyze_ops(graph) > 14
    assert "w:0 (float32 3x4) [12, bytes: 48]" in capsys.readouterr().out
