"""Event files: read back by TensorBoard and by our own reader."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import summary, train
from tests import warm


def events_of(folder: Path) -> list[Any]:
    return [event for path in sorted(folder.iterdir()) for event in train.summary_iterator(str(path))]


def test_tensorboard_reads_tags_and_steps(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with compat.Graph().as_default() as graph, compat.Session() as sess:
        x = compat.placeholder(tf.float32, [2])
        with compat.name_scope("net"):
            summary.scalar("loss", tf.reduce_sum(x))
            summary.histogram("x", x)
            summary.image("picture", tf.reshape(x, [1, 1, 2, 1]))
        merged = summary.merge_all()
        with summary.FileWriter(str(tmp_path), graph) as writer:
            for step in (1, 5):
                writer.add_summary(sess.run(merged, {x: [step, 1.0]}), step)
    reader = accumulator.EventAccumulator(str(tmp_path), size_guidance={"histograms": 0, "images": 0})
    reader.Reload()
    assert [(e.step, e.value) for e in reader.Scalars("net/loss")] == [(1, 2.0), (5, 6.0)]
    assert [(e.step, e.histogram_value.max) for e in reader.Histograms("net/x")] == [(1, 1.0), (5, 5.0)]
    assert [(e.step, e.width) for e in reader.Images("net/picture/image/0")] == [(1, 2), (5, 2)]
    assert {"net/loss", "net/x"} <= {node.name for node in reader.Graph().node}


def test_what_can_be_added(tmp_path: Path) -> None:
    writer = summary.FileWriter(str(tmp_path), filename_suffix=".mine")
    value = summary.Summary(value=[summary.Summary.Value(tag="a", simple_value=1.5)])
    writer.add_summary(value, global_step=np.int64(3))
    writer.add_summary(value.SerializeToString(), tf.Variable(4, dtype=tf.int64))
    writer.add_summary(summary.scalar("b", 2.5), tf.constant(5))
    writer.add_session_log(summary.SessionLog(status=summary.SessionLog.START), 6)
    writer.add_run_metadata(compat.RunMetadata(), "run", 7)
    writer.add_event(summary.Event(step=8, wall_time=1.0))
    with pytest.raises(ValueError, match="tag was already used"):
        writer.add_run_metadata(compat.RunMetadata(), "run", 8)
    with pytest.raises(TypeError, match="must be an instance of `Graph`"):
        writer.add_graph("graph")
    with pytest.raises(ValueError, match="not both"):
        writer.add_graph()
    with pytest.raises(TypeError, match="must be type MetaGraphDef"):
        writer.add_meta_graph(1)
    writer.close()
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("events.out.tfevents.") and path.name.endswith(".mine")
    events = events_of(tmp_path)
    assert events[0].file_version == "brain.Event:2"
    assert [event.step for event in events] == [0, 3, 4, 5, 6, 7, 8]
    assert [v.simple_value for event in events for v in event.summary.value] == [1.5, 1.5, 2.5]


def test_metadata_is_written_once(tmp_path: Path) -> None:
    text = summary.text("words", tf.constant("one")).numpy()
    with summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(text, 1)
        writer.add_summary(text, 2)
    values = [v for event in events_of(tmp_path) for v in event.summary.value]
    assert [v.HasField("metadata") for v in values] == [True, False]


def test_closing_and_reopening(tmp_path: Path) -> None:
    writer = summary.FileWriter(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    writer.add_event(summary.Event(step=1))
    writer.close()
    with pytest.warns(UserWarning, match="closed FileWriter"):
        writer.add_event(summary.Event(step=2))
    writer.reopen()
    writer.add_event(summary.Event(step=3))
    writer.flush()
    assert len(list(tmp_path.iterdir())) == 2
    assert [event.step for event in events_of(tmp_path) if event.step] == [1, 3]


def test_cache_gives_one_writer_a_folder(tmp_path: Path) -> None:
    first = summary.FileWriterCache.get(str(tmp_path))
    assert summary.FileWriterCache.get(str(tmp_path)) is first
    summary.FileWriterCache.clear()
    assert summary.FileWriterCache.get(str(tmp_path)) is not first
    summary.FileWriterCache.clear()


def test_a_program_that_ends_without_closing_loses_nothing(tmp_path: Path) -> None:
    program = f"""
from compat import summary
writer = summary.FileWriter({str(tmp_path)!r})
writer.add_event(summary.Event(step=1))
writer.add_event(summary.Event(step=2))
"""
    environment = dict(os.environ, PYTHONPATH=str(Path(compat.__file__).parents[1]))
    done = warm.run([sys.executable, "-c", program], env=environment)
    assert done.returncode == 0, done.stderr
    assert [event.step for event in events_of(tmp_path)] == [0, 1, 2]
