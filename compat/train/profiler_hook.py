"""Timelines of single runs while training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..bridge.v1 import RunOptions
from ..private import timeline
from ..summary.writer_cache import FileWriterCache
from .global_step import get_or_create_global_step_read
from .session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .step_timer import SecondOrStepTimer


class ProfilerHook(SessionRunHook):
    """Traces a run every so many steps or seconds. Stands for ``tf.train.ProfilerHook``.

    Each traced run leaves ``timeline-<step>.json`` for ``chrome://tracing`` or Perfetto, and its ``RunMetadata`` in an
    event file for TensorBoard. Code written for TensorFlow 2 uses ``tf.profiler.experimental``.

    Args:
        save_steps, save_secs: steps or seconds between; one of them.
        output_dir: folder of the files.
        show_dataflow: whether arrows lead from an operation to those that take its results.
        show_memory: accepted; the memory of single tensors is not known in TensorFlow 2.

    Raises:
        ValueError: both or none of ``save_steps`` and ``save_secs``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> train_op = compat.assign_add(compat.train.get_or_create_global_step(), 1)
    >>> hook = compat.train.ProfilerHook(save_steps=100, output_dir="timelines")
    >>> with compat.train.MonitoredSession(hooks=[hook]) as session:
    ...     session.run(train_op)
    np.int64(1)
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str = "",
        show_dataflow: bool = True,
        show_memory: bool = False,
    ) -> None:
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self._folder = Path(output_dir)
        self._writer = FileWriterCache.get(output_dir)
        self._show_dataflow = show_dataflow

    def begin(self) -> None:
        self._next_step: int | None = None
        self._global_step = get_or_create_global_step_read("ProfilerHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._due = self._next_step is not None and self._timer.should_trigger_for_step(self._next_step)
        options = RunOptions(trace_level=RunOptions.FULL_TRACE) if self._due else None
        return SessionRunArgs(self._global_step, options=options)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._next_step is None:
            self._timer.update_last_triggered_step(run_values.results)
        global_step = run_values.results + 1
        if self._due:
            global_step = run_context.session.run(self._global_step)
            self._timer.update_last_triggered_step(global_step)
            self._save(global_step, run_values.run_metadata)
        self._next_step = global_step + 1

    def end(self, session: Any = None) -> None:
        self._writer.flush()

    def _save(self, global_step: int, run_metadata: Any) -> None:
        trace = timeline.Timeline(run_metadata.step_stats)
        text = trace.generate_chrome_trace_format(show_dataflow=self._show_dataflow, show_memory=False)
        self._folder.joinpath(f"timeline-{global_step}.json").write_text(text, encoding="utf-8")
        self._writer.add_run_metadata(run_metadata, f"step_{global_step}", global_step)
