"""The loop without a session: hooks, files, ends and errors as those of a monitored session."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from compat import train


class Halving:
    """A variable that each step halves, and the counter of the steps."""

    def __init__(self) -> None:
        self.w = tf.Variable(8.0, name="w")
        self.step = tf.Variable(0, dtype=tf.int64, name="global_step")

    def loop(self, folder: Path | None = None, **options: Any) -> train.TrainingLoop:
        """A loop over this training."""
        where = None if folder is None else str(folder)
        return train.TrainingLoop(where, variables=[self.w, self.step], global_step=self.step, **options)

    def run(self) -> tf.Tensor:
        """One step; gives the value before it."""
        before = self.w.read_value()
        self.w.assign(before / 2)
        self.step.assign_add(1)
        return before

    def train(self, loop: train.TrainingLoop) -> None:
        """Steps until the loop is to stop, at most 20."""
        with loop:
            for _ in range(20):
                if loop.should_stop():
                    break
                loop.after_run(w=self.run())


@pytest.fixture(autouse=True)
def _no_open_writers() -> Iterator[None]:
    yield
    compat.summary.FileWriterCache.clear()


def checkpoints(folder: Path) -> list[int]:
    return sorted(int(path.stem.rpartition("-")[2]) for path in folder.glob("model.ckpt-*.index"))


def test_files_and_events_are_those_of_a_training_session(tmp_path: Path) -> None:
    training = Halving()
    hooks = [train.StopAtStepHook(last_step=5)]
    training.train(training.loop(tmp_path, hooks=hooks, save_checkpoint_steps=2, log_step_count_steps=2))
    assert checkpoints(tmp_path) == [0, 2, 4, 5]
    assert sorted(name for name, _ in train.list_variables(str(tmp_path))) == ["global_step", "w"]
    compat.summary.FileWriterCache.clear()
    (path,) = tmp_path.glob("events*")
    events = list(train.summary_iterator(str(path)))
    status = [(event.step, event.session_log.status) for event in events if event.HasField("session_log")]
    # As TensorFlow 1.15.5 writes them: 3 is a checkpoint, 1 the beginning.
    assert status == [(0, 3), (1, 1), (2, 3), (4, 3), (5, 3)]
    assert [(e.step, v.tag) for e in events for v in e.summary.value] == [
        (3, "global_step/sec"),
        (5, "global_step/sec"),
    ]
    assert not (tmp_path / "graph.pbtxt").exists()


def test_it_goes_on_from_the_last_checkpoint_and_takes_a_step_even_at_the_end(tmp_path: Path) -> None:
    for last_step, value in ((2, 2.0), (3, 1.0), (3, 0.5)):
        training = Halving()
        training.train(training.loop(tmp_path, hooks=[train.StopAtStepHook(last_step=last_step)]))
        assert training.w.numpy() == value
    assert checkpoints(tmp_path) == [0, 2, 3, 4]


def test_an_error_leaves_no_last_checkpoint_and_the_end_of_the_input_does(tmp_path: Path) -> None:
    training = Halving()
    with pytest.raises(KeyError, match="mine"), training.loop(tmp_path) as loop:
        loop.after_run(w=training.run())
        raise KeyError("mine")
    assert checkpoints(tmp_path) == [0]
    for end in (tf.errors.OutOfRangeError(None, None, "end of input"), StopIteration()):
        training = Halving()
        with training.loop(tmp_path) as loop:
            loop.after_run(w=training.run())
            raise end
        assert loop.should_stop()
    assert checkpoints(tmp_path) == [0, 1, 2]


def test_lines_are_logged_as_by_tf1(caplog: pytest.LogCaptureFixture) -> None:
    training = Halving()
    hook = train.LoggingTensorHook({"w": "w", "step": training.step}, every_n_iter=2, formatter=str)
    plain = train.LoggingTensorHook({"value": "w"}, every_n_iter=9)
    with caplog.at_level(logging.INFO, logger="tensorflow"):
        training.train(training.loop(hooks=[hook, plain, train.StopAtStepHook(last_step=3)]))
    logged = [record.getMessage() for record in caplog.records]
    assert logged[1] == "value = 8.0"
    assert ["8.0" in logged[0], "2.0" in logged[2]] == [True, True]
    assert len(logged) == 3


def test_a_loss_that_is_no_number_stops_or_fails() -> None:
    training = Halving()
    training.w.assign(float("nan"))
    training.train(training.loop(hooks=[train.NanTensorHook("w", fail_on_nan_loss=False)]))
    assert training.step.numpy() == 1
    with pytest.raises(train.NanLossDuringTrainingError):
        training.train(training.loop(hooks=[train.NanTensorHook("w")]))
    assert training.step.numpy() == 2


def test_misuse_is_an_error() -> None:
    training = Halving()
    with pytest.raises(RuntimeError, match="Global step should be created to use StopAtStepHook"):
        train.TrainingLoop(hooks=[train.StopAtStepHook(1)])
    with (
        pytest.raises(RuntimeError, match="should_stop requested"),
        training.loop(hooks=[train.StopAtStepHook(1)]) as loop,
    ):
        loop.after_run(w=training.run())
        loop.after_run(w=training.run())
    with (
        pytest.raises(ValueError, match=r"after_run\(loss=…\)"),
        training.loop(hooks=[train.NanTensorHook("loss")]) as loop,
    ):
        loop.after_run(w=training.run())
    with (
        pytest.raises(ValueError, match="FeedFnHook feeds"),
        training.loop(hooks=[train.FeedFnHook(lambda: {"x": 1})]) as loop,
    ):
        loop.after_run(w=training.run())
