"""`train_and_evaluate` of TF 1.15, and what it is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import train
from .estimator import Estimator


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
      start_delay_secs, throttle_secs: how TF1 spaced evaluations by time; one process evaluates after each checkpoint.
    """

    input_fn: Callable[..., Any]
    steps: int | None = 100
    name: str | None = None
    hooks: Sequence[Any] | None = None
    exporters: Any = None
    start_delay_secs: float = 120
    throttle_secs: float = 600


class FinalExporter:
    """Exports once, after training; `tf.estimator.FinalExporter` of TF 1.15."""

    def __init__(
        self, name: str, serving_input_receiver_fn: Callable[[], Any], assets_extra: Any = None, as_text: bool = False
    ):
        self.name = name
        self._arguments = (serving_input_receiver_fn, assets_extra, as_text)

    def export(
        self, estimator: Estimator, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> bytes | None:
        """Exports the checkpoint if training is over; gives the folder or None."""
        if not is_the_final_export:
            return None
        return estimator.export_saved_model(export_path, *self._arguments, checkpoint_path=checkpoint_path)


class LatestExporter(FinalExporter):
    """Exports after every evaluation; `tf.estimator.LatestExporter` of TF 1.15."""

    def export(
        self, estimator: Estimator, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> bytes | None:
        """Exports the checkpoint and gives the folder."""
        return super().export(estimator, export_path, checkpoint_path, eval_result, True)


class _AfterSaving(train.CheckpointSaverListener):
    def __init__(self, evaluate: Callable[[bool], Any]) -> None:
        self._evaluate = evaluate
        self._first = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        # TF1 did not evaluate the checkpoint of the very first step.
        if not self._first:
            self._evaluate(False)
        self._first = False


def train_and_evaluate(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> tuple[Any, list[Any]]:
    """Trains to `train_spec.max_steps` and evaluates after each checkpoint; the same name in TF 1.15.

    Returns:
      The last evaluation's metrics, and what the exporters gave last.
    """
    last: tuple[Any, list[Any]] = (None, [])

    def evaluate(final: bool) -> None:
        nonlocal last
        metrics = estimator.evaluate(eval_spec.input_fn, eval_spec.steps, eval_spec.hooks, name=eval_spec.name)
        exporters = eval_spec.exporters or []
        exporters = list(exporters) if isinstance(exporters, list | tuple) else [exporters]
        path = estimator.latest_checkpoint()
        exported = [
            exporter.export(estimator, os.path.join(estimator.model_dir, "export", exporter.name), path, metrics, final)
            for exporter in exporters
        ]
        last = metrics, exported

    estimator.train(
        train_spec.input_fn,
        train_spec.hooks,
        max_steps=train_spec.max_steps,
        saving_listeners=[_AfterSaving(evaluate)],
    )
    evaluate(True)
    return last
