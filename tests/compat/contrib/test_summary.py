"""`compat.contrib.summary`: what is written, when, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

import compat
from compat.contrib import summary
from tests.steps.migration import said_by

UNFLUSHED = """\
import sys
import tensorflow as tf
import compat

class Logger:
    def __init__(self, folder):
        self.writer = compat.contrib.summary.create_file_writer(folder, name="mine")

    def write(self, value):
        with self.writer.as_default(), compat.contrib.summary.always_record_summaries():
            return compat.contrib.summary.scalar("loss", value, step=tf.constant(3, tf.int64))

compat.open_graph()
written = Logger("logs").write(2.0)
session = compat.Session()
session.run(compat.contrib.summary.summary_writer_initializer_op())
session.run(written)
"""


def _values(folder: Path) -> list[tuple[str, int, float]]:
    paths = sorted(folder.glob("events*"))
    events = [event for path in paths for event in compat.train.summary_iterator(str(path))]
    return [(value.tag, event.step, value.simple_value) for event in events for value in event.summary.value]


def test_operations_of_a_graph(tmp_path: Path, graph: Any) -> None:
    step = compat.train.create_global_step()
    loss = compat.placeholder(tf.float32, [])
    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), summary.always_record_summaries(), compat.name_scope("train"):
        summary.scalar("loss", loss)
        summary.scalar("other", loss * 2, step=tf.constant(7, tf.int64))
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        session.run(summary.summary_writer_initializer_op())
        session.run(summary.all_summary_ops(), {loss: 3.0})
        session.run(compat.assign_add(step, 1))
        session.run(summary.all_summary_ops(), {loss: 4.0})
        session.run(writer.flush())
    values = sorted(_values(tmp_path))
    assert values == [("train/loss", 0, 3.0), ("train/loss", 1, 4.0), ("train/other", 7, 6.0), ("train/other", 7, 8.0)]


def test_only_every_nth_step(tmp_path: Path, graph: Any) -> None:
    step = compat.train.create_global_step()
    with summary.create_file_writer(str(tmp_path)).as_default() as writer:
        with summary.record_summaries_every_n_global_steps(2):
            summary.scalar("loss", 1.0)
        with compat.Session() as session:
            session.run(compat.global_variables_initializer())
            summary.initialize(session=session)
            for _ in range(4):
                session.run(summary.all_summary_ops())
                session.run(compat.assign_add(step, 1))
            session.run(writer.flush())
    assert [number for _, number, _ in _values(tmp_path)] == [0, 2]


def test_nothing_without_writer_or_condition(tmp_path: Path, graph: Any) -> None:
    compat.train.create_global_step()
    summary.scalar("no writer", 1.0)
    with summary.create_file_writer(str(tmp_path)).as_default():
        summary.scalar("no condition", 1.0)
        with summary.always_record_summaries(), summary.never_record_summaries():
            summary.scalar("never", 1.0)
    assert summary.all_summary_ops() == []


def test_natively(tmp_path: Path) -> None:
    step = tf.constant(5, tf.int64)
    with summary.create_file_writer(str(tmp_path)).as_default(), summary.always_record_summaries():
        summary.scalar("eager", 2.0, step=step)
        summary.histogram("spread", np.arange(4.0), step=step)
        summary.image("picture", tf.zeros([1, 2, 2, 3]), step=step)
        summary.generic("tensor", tf.constant([1, 2]), step=step)
    assert [(tag, number) for tag, number, _ in _values(tmp_path)] == [
        ("eager", 5),
        ("spread", 5),
        ("picture/image/0", 5),
        ("tensor", 5),
    ]


def test_eagerly_with_a_flush_of_the_writer(tmp_path: Path) -> None:
    writer = summary.create_file_writer(str(tmp_path))
    assert isinstance(writer, summary.SummaryWriter)
    with writer.as_default():
        assert not bool(summary.should_record_summaries())
        with summary.always_record_summaries():
            assert bool(summary.should_record_summaries())
            summary.scalar("loss", tf.constant(2.0), step=3)
    summary.flush(writer)
    assert _values(tmp_path) == [("loss", 3, 2.0)]


def test_what_is_written_stays_when_a_session_ends(tmp_path: Path, graph: Any) -> None:
    with summary.create_file_writer(str(tmp_path)).as_default(), summary.always_record_summaries():
        written = summary.scalar("loss", 5.0, step=tf.constant(2, tf.int64))
    for _ in range(2):
        with compat.Session() as session:
            session.run(summary.summary_writer_initializer_op())
            session.run(written)
    assert _values(tmp_path) == [("loss", 2, 5.0)] * 2


def test_what_is_written_stays_when_a_program_ends(tmp_path: Path) -> None:
    said_by(UNFLUSHED, tmp_path)
    assert _values(tmp_path / "logs") == [("loss", 3, 2.0)]
