"""`train_and_evaluate` of TF 1.15, and what it is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import train
from .estimator import Estimator
from .exporters import Exporter


class TrainSpec(NamedTuple):
    """What to train on; `tf.estimator.TrainSpec` of TF 1.15."""

    input_fn: Callable[..., Any]
    max_steps: int | None = None
    hooks: Sequence[Any] | None = None


class EvalSpec(NamedTuple):
    """What to evaluate on, and what to export after; `tf.estimator.EvalSpec` of TF 1.15.

    Attributes:
      input_fn: gives the evaluation data.
      steps: batches an evaluation takes; None: all.
      name: suffix of the folder of its summaries.
      hooks: run hooks.
      exporters: one `Exporter` or several.
      start_delay_secs: of no effect in one process.
      throttle_secs: seconds between evaluations at least.
    """

    input_fn: Callable[..., Any]
    steps: int | None = 100
    name: str | None = None
    hooks: Sequence[Any] | None = None
    exporters: Any = None
    start_delay_secs: float = 120
    throttle_secs: float = 600


class _Evaluations(train.CheckpointSaverListener):
    """Evaluates and exports checkpoints as they are saved, not more often than `throttle_secs` allows."""

    def __init__(self, estimator: Estimator, spec: EvalSpec, max_steps: int | None) -> None:
        self._estimator, self._spec, self._max_steps = estimator, spec, max_steps
        self.metrics: Any = None
        self.exported: list[Any] | None = None

    def begin(self) -> None:
        self._timer = train.SecondOrStepTimer(every_secs=self._spec.throttle_secs)
        self._is_first = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        # The first checkpoint is that of an untrained model.
        if not self._is_first and self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        self._is_first = False

    def end(self, session: Any, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        spec, path = self._spec, str(self._estimator.latest_checkpoint())
        self.metrics = self._estimator.evaluate(spec.input_fn, spec.steps, spec.hooks, path, spec.name)
        final = bool(self._max_steps) and self.metrics["global_step"] >= self._max_steps
        self.exported = [
            exporter.export(
                estimator=self._estimator,
                export_path=os.path.join(self._estimator.model_dir, "export", exporter.name),
                checkpoint_path=path,
                eval_result=self.metrics,
                is_the_final_export=final,
            )
            for exporter in _exporters(spec.exporters)
        ]


def train_and_evaluate(
    estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec
) -> tuple[Any, list[Any] | None]:
    """Trains to `train_spec.max_steps` and evaluates checkpoints; stands for the same name in TF 1.15.

    As in TF1 the first checkpoint is not evaluated, the following ones are when `eval_spec.throttle_secs` have passed
    since the last evaluation, and the last one is in any case.

    Returns:
      The last evaluation's metrics, and what the exporters gave then; None and None where nothing was left to train.

    Raises:
      ValueError: two exporters have one name.
      TypeError: an exporter is none.
    """
    _exporters(eval_spec.exporters)
    evaluations = _Evaluations(estimator, eval_spec, train_spec.max_steps)
    estimator.train(
        train_spec.input_fn, train_spec.hooks, max_steps=train_spec.max_steps, saving_listeners=[evaluations]
    )
    return evaluations.metrics, evaluations.exported


def make_stop_at_checkpoint_step_hook(
    estimator: Estimator, last_step: int, wait_after_file_check_secs: float = 30
) -> Any:
    """A hook that ends training at a step; `tf.estimator.experimental.make_stop_at_checkpoint_step_hook`.

    Args:
      estimator: the estimator that trains.
      last_step: the step after which to stop.
      wait_after_file_check_secs: accepted: it was for workers that wait for the chief's checkpoint.
    """
    del estimator, wait_after_file_check_secs
    return train.StopAtStepHook(last_step=last_step)


def _exporters(given: Any) -> list[Exporter]:
    exporters = list(given) if isinstance(given, list | tuple) else [given] if given else []
    for exporter in exporters:
        if not isinstance(exporter, Exporter):
            raise TypeError(f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {exporter}.")
    names = [exporter.name for exporter in exporters]
    if len(set(names)) != len(names):
        raise ValueError(f"`exporters` must have unique names. Such duplicate names were found: {sorted(names)}")
    return exporters
