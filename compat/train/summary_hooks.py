"""Writing summaries and the speed while training."""

from __future__ import annotations

from typing import Any

from .. import logging
from ..bridge.v1 import SessionLog, Summary
from ..summary.writer_cache import FileWriterCache
from .global_step import get_global_step, get_or_create_global_step_read
from .session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .slot_creator import name_of
from .step_timer import SecondOrStepTimer


class StepCounterHook(SessionRunHook):
    """Writes steps a second as the summary ``global_step/sec``. Stands for ``tf.train.StepCounterHook``.

    Args:
        every_n_steps, every_n_secs: steps or seconds between; one of them.
        output_dir: folder of the event file.
        summary_writer: the writer, in place of a folder.

    Raises:
        ValueError: both or none of ``every_n_steps`` and ``every_n_secs``.
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None:
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._summary_writer = summary_writer
        self._output_dir = output_dir

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step = get_or_create_global_step_read("StepCounterHook")
        self._summary_tag = f"{name_of(get_global_step())}/sec"

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._timer.should_trigger_for_step(run_values.results + 1):
            return
        global_step = run_context.session.run(self._global_step)
        if self._timer.should_trigger_for_step(global_step):
            seconds, steps = self._timer.update_last_triggered_step(global_step)
            if seconds is not None and steps is not None:
                self._log_and_record(steps, seconds, global_step)

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        speed = elapsed_steps / elapsed_time
        if self._summary_writer is not None:
            value = Summary.Value(tag=self._summary_tag, simple_value=speed)
            self._summary_writer.add_summary(Summary(value=[value]), global_step)
        logging.info("%s: %g", self._summary_tag, speed)


class SummarySaverHook(SessionRunHook):
    """Writes summaries at the first run and every so many steps or seconds. Stands for ``tf.train.SummarySaverHook``.

    Args:
        save_steps, save_secs: steps or seconds between; one of them.
        output_dir: folder of the event file.
        summary_writer: the writer, in place of a folder.
        scaffold: whose ``summary_op`` to write, or
        summary_op: a summary tensor, or a list of such.

    Raises:
        ValueError: both or none of ``scaffold`` and ``summary_op``, or of ``save_steps`` and ``save_secs``.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
        scaffold: Any = None,
        summary_op: Any = None,
    ) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op = summary_op
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step: int | None = None
        self._global_step = get_or_create_global_step_read("SummarySaverHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._due = self._next_step is None or self._timer.should_trigger_for_step(self._next_step)
        requests = {"global_step": self._global_step}
        summaries = self._summaries()
        if self._due and summaries:
            requests["summary"] = summaries
        return SessionRunArgs(requests)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._summary_writer:
            return
        global_step = run_values.results["global_step"] + 1
        if self._due:
            global_step = run_context.session.run(self._global_step)
        if self._next_step is None:
            self._summary_writer.add_session_log(SessionLog(status=SessionLog.START), global_step)
        if self._due:
            self._timer.update_last_triggered_step(global_step)
            for summary in run_values.results.get("summary", ()):
                self._summary_writer.add_summary(summary, global_step)
        self._next_step = global_step + 1

    def end(self, session: Any = None) -> None:
        if self._summary_writer:
            self._summary_writer.flush()

    def _summaries(self) -> list[Any]:
        chosen = self._scaffold.summary_op if self._summary_op is None else self._summary_op
        if chosen is None:
            return []
        return chosen if isinstance(chosen, list) else [chosen]
