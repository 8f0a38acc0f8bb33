"""Monitored sessions, their hooks, and the supervisor: against real TF 1.15.5 where it is there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import train


def counting_program() -> tuple[Any, Any, Any]:
    step = train.get_or_create_global_step()
    w = compat.get_variable("w", initializer=tf.constant(8.0))
    loss = tf.square(w)
    compat.summary.scalar("loss", loss)
    return step, loss, train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step)


class Recording(train.SessionRunHook):
    """Notes what it is told, and fetches a tensor."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor
        self.calls: list[Any] = []

    def begin(self) -> None:
        self.calls.append("begin")

    def after_create_session(self, session: Any, coord: Any) -> None:
        self.calls.append("created")

    def before_run(self, run_context: Any) -> Any:
        self.calls.append(("before", run_context.original_args.feed_dict))
        return train.SessionRunArgs(self.tensor)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.calls.append(("after", float(run_values.results)))

    def end(self, session: Any) -> None:
        self.calls.append("end")


def test_hooks_are_called_in_order_and_stop_the_loop() -> None:
    with compat.Graph().as_default():
        _, loss, op = counting_program()
        hook = Recording(loss)
        with train.MonitoredSession(hooks=[hook, train.StopAtStepHook(num_steps=2)]) as sess:
            while not sess.should_stop():
                assert sess.run([op, {"loss": loss}])[1]["loss"] in (64.0, 16.0)
            with pytest.raises(RuntimeError, match="should_stop requested"):
                sess.run(op)
    assert hook.calls == [
        "begin",
        "created",
        ("before", None),
        ("after", 64.0),
        ("before", None),
        ("after", 16.0),
        "end",
    ]
    assert sess.should_stop()
    with pytest.raises(RuntimeError, match="closed"):
        sess.run(op)


def test_an_error_skips_the_end_and_is_raised() -> None:
    with compat.Graph().as_default():
        _, loss, op = counting_program()
        hook = Recording(loss)
        with pytest.raises(KeyError, match="mine"), train.SingularMonitoredSession(hooks=[hook]) as sess:
            sess.run(op)
            raise KeyError("mine")
        assert hook.calls[-1] == ("after", 64.0)
        with train.MonitoredSession(hooks=[hook]):
            raise tf.errors.OutOfRangeError(None, None, "end of input")
        assert hook.calls[-1] == "end"


def test_training_session_saves_restores_and_summarizes(tmp_path: Path) -> None:
    def run(steps: int) -> float:
        with compat.Graph().as_default():
            step, loss, op = counting_program()
            hooks = [train.StopAtStepHook(num_steps=steps), train.NanTensorHook(loss)]
            with train.MonitoredTrainingSession(
                checkpoint_dir=str(tmp_path), hooks=hooks, save_checkpoint_steps=2, save_summaries_steps=1
            ) as sess:
                while not sess.should_stop():
                    sess.run(op)
                    last = sess.run_step_fn(lambda step_context: step_context.session.run([loss, step]))
            return [float(value) for value in last]

    assert run(3) == [1.0, 3.0]
    assert run(2) == [1.0 / 16, 5.0]
    assert train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model.ckpt-5")
    assert (tmp_path / "graph.pbtxt").exists()
    compat.summary.FileWriterCache.clear()
    events = [event for path in sorted(tmp_path.glob("events*")) for event in train.summary_iterator(str(path))]
    losses = {e.step: v.simple_value for e in events for v in e.summary.value if v.tag == "loss"}
    assert losses == {1: 64.0, 2: 16.0, 3: 4.0, 4: 1.0, 5: 0.25}
    saved = [e.step for e in events if e.session_log.status == e.session_log.CHECKPOINT]
    assert saved == [0, 2, 3, 3, 5]


def test_errors_of_hooks() -> None:
    with compat.Graph().as_default():
        w = compat.get_variable("w", [])
        with pytest.raises(RuntimeError, match="Global step should be created to use StopAtStepHook"):
            train.MonitoredSession(hooks=[train.StopAtStepHook(last_step=1)])
        with (
            pytest.raises(train.NanLossDuringTrainingError, match="NaN loss during training"),
            train.MonitoredSession(hooks=[train.NanTensorHook(w * float("nan"))]) as sess,
        ):
            sess.run(w)
    with compat.Graph().as_default():
        compat.get_variable("w", [])
        with pytest.raises(RuntimeError, match=r"Variables not initialized: w"):
            train.MonitoredSession(train.ChiefSessionCreator(train.Scaffold(init_op=tf.no_op())))
    with pytest.raises(ValueError, match="Only one of num_steps or last_step"):
        train.StopAtStepHook(1, 2)
    with pytest.raises(ValueError, match="Either every_secs or every_steps"):
        train.CheckpointSaverHook("x")


def test_scaffold_and_feeding_hook() -> None:
    with compat.Graph().as_default():
        x = compat.placeholder(tf.float32, [])
        w = compat.get_variable("w", initializer=tf.constant(1.0))
        product = w * x
        scaffold = train.Scaffold(init_fn=lambda scaffold, session: w.load(5.0, session))
        hooks = [train.FeedFnHook(lambda: {x: 3.0}), train.FinalOpsHook(w * 2.0)]
        with train.SingularMonitoredSession(hooks, scaffold) as sess:
            assert sess.run(product) == 15.0
            with pytest.raises(RuntimeError, match="Same tensor is fed by a SessionRunHook and user"):
                sess.run(product, {x: 1.0})
            with pytest.raises(RuntimeError, match="finalized"):
                tf.add(product, 1.0)
        tf.add(product, 1.0)
        assert hooks[1].final_ops_values == 10.0


def test_supervisor_restores_and_stops(tmp_path: Path) -> None:
    def run() -> tuple[float, int]:
        with compat.Graph().as_default():
            _, loss, op = counting_program()
            supervisor = train.Supervisor(logdir=str(tmp_path), save_model_secs=0, save_summaries_secs=0)
            with supervisor.managed_session() as sess:
                before = sess.run(loss)
                sess.run(op)
                supervisor.saver.save(sess, supervisor.save_path, global_step=supervisor.global_step)
                supervisor.summary_computed(sess, sess.run(supervisor.summary_op))
                assert not supervisor.should_stop()
                step = sess.run(supervisor.global_step)
            assert supervisor.should_stop()
            return float(before), int(step)

    assert run() == (64.0, 1)
    assert run() == (16.0, 2)
    events = [event for path in sorted(tmp_path.glob("events*")) for event in train.summary_iterator(str(path))]
    assert [(e.step, v.simple_value) for e in events for v in e.summary.value] == [(1, 16.0), (2, 4.0)]


def test_supervisor_raises_errors_but_not_the_end_of_input(tmp_path: Path) -> None:
    with compat.Graph().as_default():
        counting_program()
        with train.Supervisor().managed_session():
            raise tf.errors.OutOfRangeError(None, None, "end")
        with pytest.raises(KeyError, match="mine"), train.Supervisor().managed_session():
            raise KeyError("mine")


PROGRAM = """
import json, sys
import tensorflow as tf
step = tf.train.get_or_create_global_step()
w = tf.get_variable("w", initializer=tf.constant(8.0))
loss = tf.sqrt(w)  # the gradient needs its value: it is computed before the update
tf.summary.scalar("loss", loss)
op = tf.train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step)
with tf.train.MonitoredTrainingSession(checkpoint_dir=sys.argv[1], save_checkpoint_steps=2, save_summaries_steps=1,
                                       hooks=[tf.train.StopAtStepHook(num_steps=4)]) as sess:
    while not sess.should_stop():
        sess.run(op)
"""


def test_files_of_a_training_session_are_tf1s(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    run_legacy(PROGRAM, str(theirs))
    with compat.Graph().as_default():
        step = train.get_or_create_global_step()
        w = compat.get_variable("w", initializer=tf.constant(8.0))
        loss = tf.sqrt(w)
        compat.summary.scalar("loss", loss)
        op = train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step)
        with train.MonitoredTrainingSession(
            checkpoint_dir=str(ours),
            save_checkpoint_steps=2,
            save_summaries_steps=1,
            hooks=[train.StopAtStepHook(num_steps=4)],
        ) as sess:
            while not sess.should_stop():
                sess.run(op)
    compat.summary.FileWriterCache.clear()

    def described(folder: Path) -> dict[str, Any]:
        files = sorted(path.name for path in folder.iterdir() if not path.name.startswith("events"))
        events = [e for path in sorted(folder.glob("events*")) for e in train.summary_iterator(str(path))]
        losses = [(e.step, round(v.simple_value, 5)) for e in events for v in e.summary.value if v.tag == "loss"]
        logs = [(e.step, e.session_log.status) for e in events if e.HasField("session_log")]
        path = train.latest_checkpoint(str(folder))
        values = {name: train.load_variable(path, name).round(5).tolist() for name, _ in train.list_variables(path)}
        state = (folder / "checkpoint").read_text().replace(str(folder), "")
        return {"files": files, "losses": losses, "logs": logs, "values": values, "state": state}

    assert json.dumps(described(ours)) == json.dumps(described(theirs))
    assert np.isfinite(train.load_variable(str(ours), "w"))
