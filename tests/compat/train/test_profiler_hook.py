"""`ProfilerHook`, and what hooks ask of a run: TF 1.15.5 adds it all up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from compat.train.global_step import get_or_create_global_step_read
from compat.train.session_run_hook import SessionRunContext, SessionRunValues

pytestmark = pytest.mark.usefixtures("graph")


def training() -> Any:
    step = compat.train.get_or_create_global_step()
    w = compat.get_variable("w", initializer=tf.ones([64, 64]))
    update = compat.assign(w, tf.matmul(w, w, name="mm") / 64.0)
    # The hook reads the step before it is counted up; TF1 left the order to chance.
    with tf.control_dependencies([update, get_or_create_global_step_read("the test")]):
        return compat.assign_add(step, 1)


def test_a_timeline_every_third_step(tmp_path: Path) -> None:
    step = training()
    hook = compat.train.ProfilerHook(save_steps=3, output_dir=str(tmp_path))
    with compat.train.MonitoredSession(hooks=[hook]) as session:
        for _ in range(8):
            session.run(step)
    timelines = sorted(tmp_path.glob("*.json"))
    assert [file.name for file in timelines] == ["timeline-3.json", "timeline-6.json"]
    for file in timelines:
        events = json.loads(file.read_text())["traceEvents"]
        assert "mm" in {event["args"]["name"] for event in events if event["ph"] == "X"}
    (written,) = tmp_path.glob("*tfevents*")
    events = (compat.Event.FromString(record) for record in compat.python_io.tf_record_iterator(str(written)))
    traced = [(event.step, event.tagged_run_metadata.tag) for event in events if event.HasField("tagged_run_metadata")]
    assert traced == [(3, "step_3"), (6, "step_6")]


class Asking(compat.train.SessionRunHook):  # type: ignore[misc]
    """Asks for options, and keeps what came of it."""

    def __init__(self, **options: Any) -> None:
        self.options = compat.RunOptions(**options)
        self.values: SessionRunValues | None = None

    def before_run(self, run_context: SessionRunContext) -> Any:
        return compat.train.SessionRunArgs(None, options=self.options)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self.values = run_values


def test_options_of_hooks_and_program_add_up() -> None:
    step = training()
    tracing = Asking(trace_level=compat.RunOptions.FULL_TRACE)
    waiting = Asking(timeout_in_ms=5000, output_partition_graphs=True)
    with compat.train.MonitoredSession(hooks=[tracing, waiting]) as session:
        metadata = compat.RunMetadata()
        session.run(step, options=compat.RunOptions(timeout_in_ms=9000), run_metadata=metadata)
        session.run(step)
    assert metadata.step_stats.dev_stats and len(metadata.partition_graphs) == 1
    for hook in (tracing, waiting):
        options, seen = hook.values.options, hook.values.run_metadata
        assert (options.trace_level, options.timeout_in_ms, options.output_partition_graphs) == (3, 5000, True)
        assert seen.step_stats.dev_stats and seen is not metadata


def test_when_it_is_due_must_be_said() -> None:
    with pytest.raises(ValueError, match="every_secs or every_steps"):
        compat.train.ProfilerHook()
