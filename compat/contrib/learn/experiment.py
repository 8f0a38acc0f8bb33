"""Training and evaluation in turns: `tf.contrib.learn.Experiment` of TF 1.15 over a `tf.estimator.Estimator`."""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ... import logging, train
from ...estimator import Estimator
from ...variables import GraphKeys
from .evaluating_hooks import EvaluatingHook, EvaluatingListener
from .export_strategy import ExportStrategy


class Experiment:
    """An estimator with its inputs, and schedules for both; stands for `tf.contrib.learn.Experiment` of TF 1.15.

    Args:
      estimator: a `compat.estimator.Estimator`.
      train_input_fn, eval_input_fn: its inputs.
      eval_metrics: only None: an `EstimatorSpec` has `eval_metric_ops`.
      train_steps: the step to train to; None: without end.
      eval_steps: batches of an evaluation; None: all.
      train_monitors, eval_hooks: hooks of training and of evaluation.
      local_eval_frequency: steps between evaluations of `local_run`; None: only at the end.
      eval_delay_secs, continuous_eval_throttle_secs: seconds before the first evaluation and between two of them.
      min_eval_frequency: steps after which `train_and_evaluate` looks for a new checkpoint to evaluate; 1 when None,
        only at the end when 0.
      delay_workers_by_global_step: accepted: this process is no worker of several.
      export_strategies: one or several `ExportStrategy`s.
      train_steps_per_iteration: steps between evaluations of `continuous_train_and_eval`.
      checkpoint_and_export: `train_and_evaluate` evaluates and exports each checkpoint.
      saving_listeners: told about checkpoints.
      check_interval_secs: seconds between two looks for a checkpoint.

    Raises:
      ValueError: the estimator is another one, `eval_metrics` are given, or an argument has a wrong type.
    """

    def __init__(
        self,
        estimator: Estimator,
        train_input_fn: Callable[..., Any],
        eval_input_fn: Callable[..., Any],
        eval_metrics: None = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Sequence[Any] | None = None,
        eval_hooks: Sequence[Any] | None = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Any = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Sequence[Any] | None = None,
        check_interval_secs: float | None = 5,
    ) -> None:
        del delay_workers_by_global_step
        if not isinstance(estimator, Estimator):
            raise ValueError(f"`estimator` must be a `compat.estimator.Estimator`, but got {type(estimator)}.")
        if eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None`: use `eval_metric_ops` of `EstimatorSpec` instead.")
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self._estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._train_steps, self._eval_steps = train_steps, eval_steps
        self._train_hooks, self._eval_hooks = list(train_monitors or ()), list(eval_hooks or ())
        self._local_eval_frequency = local_eval_frequency
        self._eval_delay_secs, self._throttle_secs = eval_delay_secs, continuous_eval_throttle_secs
        self._min_eval_frequency = 1 if min_eval_frequency is None else min_eval_frequency
        self._export_strategies = _strategies(export_strategies)
        self._steps_per_iteration = train_steps_per_iteration
        self._checkpoint_and_export = checkpoint_and_export
        self._saving_listeners = saving_listeners
        self._check_interval_secs = check_interval_secs

    @property
    def estimator(self) -> Estimator:
        """The estimator."""
        return self._estimator

    @property
    def eval_metrics(self) -> None:
        """Always None."""
        return None

    @property
    def train_steps(self) -> int | None:
        """The step to train to."""
        return self._train_steps

    @property
    def eval_steps(self) -> int | None:
        """Batches of an evaluation."""
        return self._eval_steps

    def extend_train_hooks(self, additional_hooks: Iterable[Any]) -> None:
        """Adds hooks of training."""
        self._train_hooks.extend(additional_hooks)

    def reset_export_strategies(self, new_export_strategies: Any = None) -> tuple[ExportStrategy, ...]:
        """Exports in other ways from now on; gives those before."""
        before, self._export_strategies = self._export_strategies, _strategies(new_export_strategies)
        return before

    def train(self, delay_secs: float | None = None) -> Estimator:
        """Trains to `train_steps`, after `delay_secs` seconds."""
        _wait(delay_secs, "training")
        return self._train(self._train_hooks)

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> dict[str, Any]:
        """Metrics of the last checkpoint, after `delay_secs` (by default `eval_delay_secs`) seconds."""
        _wait(self._eval_delay_secs if delay_secs is None else delay_secs, "eval")
        return self._evaluate(name or "one_pass")

    def local_run(self) -> tuple[Any, Any]:
        """`train_and_evaluate`, which looks for checkpoints every `local_eval_frequency` steps."""
        return self._train_and_evaluate(self._local_eval_frequency)

    def train_and_evaluate(self) -> tuple[Any, Any]:
        """Trains to `train_steps`, and evaluates checkpoints meanwhile and the last one at the end.

        Returns:
          The last metrics, and what the export strategies gave then.
        """
        return self._train_and_evaluate(self._min_eval_frequency)

    def continuous_train_and_eval(
        self, continuous_eval_predicate_fn: Callable[..., bool] | None = None
    ) -> tuple[Any, Any]:
        """Trains some steps and evaluates, in turns, until `train_steps` is reached or the predicate says no.

        Args:
          continuous_eval_predicate_fn: takes the last metrics (at first None), and, if it likes, their
            `checkpoint_path`; whether to go on.

        Returns:
          The last metrics, and what the export strategies gave then.

        Raises:
          ValueError: the predicate cannot be called.
        """
        goes_on = _predicate(continuous_eval_predicate_fn)
        steps = self._steps_per_iteration
        if steps is None:
            steps = int(self._train_steps / 10) if self._train_steps is not None else 1000
        metrics: dict[str, Any] | None = None
        exported, path = None, None
        while goes_on(metrics, path if metrics else None) and not self._is_done(metrics):
            self._estimator.train(self._train_input_fn, self._train_hooks, steps, None, self._saving_listeners)
            path = self._estimator.latest_checkpoint()
            metrics = self._evaluate("one_pass", path)
            exported = self._export(metrics)
        return metrics, exported

    def continuous_eval(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True,
        continuous_eval_predicate_fn: Callable[..., bool] | None = None,
        name: str = "continuous",
    ) -> None:
        """Evaluates and exports checkpoints that another process writes, until one is of `train_steps`.

        Args:
          delay_secs, throttle_delay_secs: seconds before the first evaluation and between two of them.
          evaluate_checkpoint_only_once: whether to wait for a new checkpoint.
          continuous_eval_predicate_fn: as for `continuous_train_and_eval`.
          name: the name of the evaluation.
        """
        delays = delay_secs, throttle_delay_secs
        for metrics, path in self._evaluations(
            self._eval_input_fn, name, delays, evaluate_checkpoint_only_once, continuous_eval_predicate_fn
        ):
            self._export(metrics, path)

    def continuous_eval_on_train_data(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Callable[..., bool] | None = None,
        name: str = "continuous_on_train_data",
    ) -> None:
        """`continuous_eval` on the data of training, without exports."""
        delays = delay_secs, throttle_delay_secs
        for _ in self._evaluations(self._train_input_fn, name, delays, True, continuous_eval_predicate_fn):
            pass

    def test(self) -> dict[str, Any]:
        """One step of training, one of evaluation, and an export; gives the metrics."""
        self._estimator.train(self._train_input_fn, self._train_hooks, 1, None, self._saving_listeners)
        metrics = self._estimator.evaluate(self._eval_input_fn, 1, name="one_pass")
        self._export(metrics)
        return metrics

    def run_std_server(self) -> None:
        """Not supported: parameter servers are gone.

        Raises:
          ValueError: always.
        """
        raise ValueError("A parameter server has nothing to do here: move the program to tf.distribute")

    def _train_and_evaluate(self, every_steps: int | None) -> tuple[Any, Any]:
        config = self._estimator.config
        if self._checkpoint_and_export and (config.save_checkpoints_secs or config.save_checkpoints_steps):
            return self._train_with_exports(config)
        hooks = list(self._train_hooks)
        if every_steps:
            latest = self._estimator.latest_checkpoint
            hooks.append(EvaluatingHook(self._evaluate, latest, every_steps, self._check_interval_secs))
        self._train(hooks)
        metrics = self._evaluate()
        return metrics, self._export(metrics)

    def _train_with_exports(self, config: Any) -> tuple[Any, Any]:
        def evaluated(path: str) -> tuple[Any, Any]:
            metrics = self._evaluate("intermediate_export", path)
            return metrics, self._export(metrics, path)

        listener = EvaluatingListener(evaluated, self._estimator.latest_checkpoint)
        saving = train.CheckpointSaverHook(
            self._estimator.model_dir,
            save_secs=config.save_checkpoints_secs,
            save_steps=config.save_checkpoints_steps,
            listeners=[listener],
        )
        self._train([*self._train_hooks, saving])
        return listener.results

    def _train(self, hooks: Sequence[Any]) -> Estimator:
        return self._estimator.train(
            self._train_input_fn, hooks, max_steps=self._train_steps, saving_listeners=self._saving_listeners
        )

    def _evaluate(self, name: str | None = None, path: str | None = None, input_fn: Any = None) -> dict[str, Any]:
        return self._estimator.evaluate(
            input_fn or self._eval_input_fn, self._eval_steps, self._eval_hooks, checkpoint_path=path, name=name
        )

    def _export(self, metrics: Mapping[str, Any], path: str | None = None) -> list[Any]:
        folder = os.path.join(self._estimator.model_dir, "export")
        return [
            strategy.export(self._estimator, os.path.join(folder, strategy.name), path, metrics)
            for strategy in self._export_strategies
        ]

    def _is_done(self, metrics: Mapping[str, Any] | None) -> bool:
        step = metrics.get(GraphKeys.GLOBAL_STEP) if metrics else None
        return bool(step and self._train_steps and step >= self._train_steps)

    def _evaluations(
        self, input_fn: Any, name: str, delays: tuple[float | None, float | None], once: bool, predicate: Any
    ) -> Iterator[tuple[dict[str, Any], str]]:
        """Metrics of checkpoints and their paths, one after the other as they are written."""
        delay, throttle = delays
        goes_on = _predicate(predicate)
        _wait(self._eval_delay_secs if delay is None else delay, "eval")
        throttle = self._throttle_secs if throttle is None else throttle
        metrics: dict[str, Any] | None = None
        before = None
        while goes_on(metrics, before) and not self._is_done(metrics):
            start = time.monotonic()
            path = self._estimator.latest_checkpoint()
            metrics = {}
            if path and not (once and path == before):
                metrics, before = self._evaluate(name, path, input_fn), path
                yield metrics, path
            time.sleep(max(0.0, throttle - (time.monotonic() - start)))


def _wait(seconds: float | None, before: str) -> None:
    if seconds:
        logging.info("Waiting %d secs before starting %s.", seconds, before)
        time.sleep(seconds)


def _predicate(given: Callable[..., bool] | None) -> Callable[[Any, Any], bool]:
    if given is None:
        return lambda metrics, path: True
    if not callable(given):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
    if "checkpoint_path" in inspect.signature(given).parameters:
        return lambda metrics, path: given(metrics, checkpoint_path=path)
    return lambda metrics, path: given(metrics)


def _strategies(given: Any) -> tuple[ExportStrategy, ...]:
    strategies = () if not given else (given,) if isinstance(given, ExportStrategy) else tuple(given)
    for strategy in strategies:
        if not isinstance(strategy, ExportStrategy):
            raise ValueError(
                "`export_strategies` must be an ExportStrategy, an iterable of ExportStrategy, or `None`, "
                f"found {strategy}."
            )
    return strategies
