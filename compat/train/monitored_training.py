"""A monitored session with the hooks that training usually has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .checkpoint_hooks import CheckpointSaverHook
from .monitored_session import ChiefSessionCreator, MonitoredSession, WorkerSessionCreator
from .saver import Saver
from .scaffold import Scaffold
from .session_run_hook import SessionRunHook
from .summary_hooks import StepCounterHook, SummarySaverHook

NOT_GIVEN: Any = object()


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None,
    hooks: Sequence[SessionRunHook] | None = None,
    chief_only_hooks: Sequence[SessionRunHook] | None = None,
    save_checkpoint_secs: float | None = NOT_GIVEN,
    save_summaries_steps: int | None = NOT_GIVEN,
    save_summaries_secs: float | None = NOT_GIVEN,
    config: Any = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: int | None = NOT_GIVEN,
    summary_dir: str | None = None,
) -> MonitoredSession:
    """A ``MonitoredSession`` that saves checkpoints and summaries. Stands for ``tf.train.MonitoredTrainingSession``.

    Args:
        master: only "" (this process).
        is_chief: whether it initializes; else it waits, and saves nothing.
        checkpoint_dir: where to restore from and save to; nothing is saved without it.
        scaffold: what to initialize, restore, summarize and save with.
        hooks, chief_only_hooks: called around each run.
        save_checkpoint_secs, save_checkpoint_steps: seconds (600 by default) or steps between checkpoints.
        save_summaries_steps, save_summaries_secs: steps (100 by default) or seconds between summaries.
        config: a ``ConfigProto``.
        stop_grace_period_secs: how long threads may take to stop.
        log_step_count_steps: steps between notes of the speed.
        max_wait_secs: how long to wait for the chief.
        summary_dir: folder of the summaries; ``checkpoint_dir`` by default.
    """
    scaffold = scaffold or Scaffold()
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, hooks, stop_grace_period_secs)
    own = training_hooks(
        checkpoint_dir,
        summary_dir,
        (save_checkpoint_steps, save_checkpoint_secs),
        (save_summaries_steps, save_summaries_secs),
        log_step_count_steps,
        scaffold,
    )
    chief = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(chief, [*(chief_only_hooks or ()), *own, *(hooks or ())], stop_grace_period_secs)


def training_hooks(
    checkpoint_dir: str | None,
    summary_dir: str | None,
    checkpoints: tuple[int | None, float | None],
    summaries: tuple[int | None, float | None],
    log_step_count_steps: int | None,
    scaffold: Scaffold | None = None,
    saver: Saver | None = None,
) -> list[SessionRunHook]:
    """The hooks that training has by default: they note the speed, write summaries and save checkpoints.

    Args:
        checkpoint_dir, summary_dir, log_step_count_steps: as for ``MonitoredTrainingSession``.
        checkpoints, summaries: steps and seconds between, each ``NOT_GIVEN`` where it is not given.
        scaffold: says what to save and which summaries to write; None where there is no graph.
        saver: saves the checkpoints where there is no ``scaffold``.
    """
    summary_steps, summary_secs = _steps_or_seconds(*summaries, 100, None)
    checkpoint_steps, checkpoint_secs = _steps_or_seconds(*checkpoints, None, 600)
    hooks: list[SessionRunHook] = []
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir and log_step_count_steps:
        hooks.append(StepCounterHook(log_step_count_steps, output_dir=summary_dir))
    if summary_dir and (summary_steps or summary_secs):
        writes: dict[str, Any] = {"summary_op": []} if scaffold is None else {"scaffold": scaffold}
        hooks.append(SummarySaverHook(summary_steps, summary_secs, summary_dir, **writes))
    if checkpoint_dir and (checkpoint_steps or checkpoint_secs):
        hooks.append(CheckpointSaverHook(checkpoint_dir, checkpoint_secs, checkpoint_steps, saver, scaffold=scaffold))
    return hooks


def _steps_or_seconds(steps: Any, seconds: Any, default_steps: Any, default_seconds: Any) -> tuple[Any, Any]:
    if steps is NOT_GIVEN and seconds is NOT_GIVEN:
        return default_steps, default_seconds
    return (None if steps is NOT_GIVEN else steps), (None if seconds is NOT_GIVEN else seconds)
