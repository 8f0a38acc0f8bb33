"""What a ``Supervisor`` does in the background."""

from __future__ import annotations

import time
from typing import Any

from .. import logging
from ..bridge.v1 import SessionLog, Summary
from .coordinator import LooperThread
from .global_step import global_step as step_value
from .slot_creator import name_of


class SummaryThread(LooperThread):
    """Writes the supervisor's summaries, first at once."""

    def __init__(self, supervisor: Any, session: Any) -> None:
        super().__init__(supervisor.coord, supervisor.save_summaries_secs)
        self._supervisor = supervisor
        self._session = session

    def run_loop(self) -> None:
        step = self._supervisor.global_step
        if step is None:
            summary, number = self._session.run(self._supervisor.summary_op), None
        else:
            summary, number = self._session.run([self._supervisor.summary_op, step])
        self._supervisor.summary_writer.add_summary(summary, number)


class StepCounterThread(LooperThread):
    """Writes steps a second as the summary ``global_step/sec``."""

    def __init__(self, supervisor: Any, session: Any) -> None:
        super().__init__(supervisor.coord, supervisor.save_summaries_secs)
        self._supervisor = supervisor
        self._session = session
        self._tag = f"{name_of(supervisor.global_step)}/sec"
        self._last_time = 0.0
        self._last_step = 0

    def start_loop(self) -> None:
        self._last_time = time.time()
        self._last_step = step_value(self._session, self._supervisor.global_step)

    def run_loop(self) -> None:
        step, now = step_value(self._session, self._supervisor.global_step), time.time()
        elapsed = now - self._last_time
        speed = (step - self._last_step) / elapsed if elapsed > 0 else float("inf")
        self._last_step, self._last_time = step, now
        summary = Summary(value=[Summary.Value(tag=self._tag, simple_value=speed)])
        self._supervisor.summary_writer.add_summary(summary, step)
        logging.info("%s: %g", self._tag, speed)


class CheckpointThread(LooperThread):
    """Saves the model, first at once."""

    def __init__(self, supervisor: Any, session: Any) -> None:
        super().__init__(supervisor.coord, supervisor.save_model_secs)
        self._supervisor = supervisor
        self._session = session

    def run_loop(self) -> None:
        supervisor = self._supervisor
        supervisor.saver.save(self._session, supervisor.save_path, global_step=supervisor.global_step)
        if supervisor.summary_writer is not None and supervisor.global_step is not None:
            log = SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=supervisor.save_path)
            supervisor.summary_writer.add_session_log(log, step_value(self._session, supervisor.global_step))
