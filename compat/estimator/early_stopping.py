"""Hooks that end training by what evaluations have found so far."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from .. import logging, train
from .. import variables as tf1
from ..summary.events import summary_iterator
from .estimator import Estimator

Compare = Callable[[float, float], bool]


class _StopOnPredicate(train.SessionRunHook):
    """Asks a function at intervals whether to stop, and leaves TF1's mark of it in the checkpoint."""

    def __init__(self, should_stop: Callable[[], bool], every_secs: float | None, every_steps: int | None) -> None:
        if not callable(should_stop):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop = should_stop
        self._timer = train.SecondOrStepTimer(every_secs=every_secs, every_steps=every_steps)

    def begin(self) -> None:
        self._step = train.get_global_step()
        with tf1.variable_scope("signal_early_stopping", values=[], reuse=tf1.AUTO_REUSE):
            mark = tf1.get_variable(
                "STOP",
                shape=[],
                dtype=tf.bool,
                initializer=_false,
                collections=[tf1.GraphKeys.GLOBAL_VARIABLES],
                trainable=False,
            )
        self._stop = tf1.assign(mark, True)

    def before_run(self, run_context: Any) -> Any:
        return train.SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step = run_values.results
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop():
            logging.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop)
            run_context.request_stop()


def make_early_stopping_hook(
    estimator: Estimator,
    should_stop_fn: Callable[[], bool],
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> train.SessionRunHook:
    """A hook that ends training when a function says so; `tf.estimator.experimental.make_early_stopping_hook`.

    Args:
      estimator: the estimator that trains.
      should_stop_fn: takes nothing and says whether to stop.
      run_every_secs: seconds between its calls; give None with `run_every_steps`.
      run_every_steps: steps between its calls.

    Raises:
      TypeError: it is no `Estimator`, or no function.
      ValueError: seconds and steps are both given.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    return _StopOnPredicate(should_stop_fn, run_every_secs, run_every_steps)


def stop_if_higher_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> train.SessionRunHook:
    """A hook that ends training once a metric was above a threshold; `tf.estimator.experimental.stop_if_higher_hook`.

    Args:
      estimator: the estimator that trains.
      metric_name: a metric of its evaluations.
      threshold: the value to pass.
      eval_dir: where the evaluations' summaries are; `estimator.eval_dir()` when None.
      min_steps: evaluations of earlier steps do not count.
      run_every_secs, run_every_steps: as for `make_early_stopping_hook`.

    Raises:
      TypeError, ValueError: as `make_early_stopping_hook`.
    """
    reached = _reached(metric_name, threshold, operator.gt, eval_dir or estimator.eval_dir(), min_steps)
    return make_early_stopping_hook(estimator, reached, run_every_secs, run_every_steps)


def stop_if_lower_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> train.SessionRunHook:
    """As `stop_if_higher_hook`, below the threshold; stands for `tf.estimator.experimental.stop_if_lower_hook`."""
    reached = _reached(metric_name, threshold, operator.lt, eval_dir or estimator.eval_dir(), min_steps)
    return make_early_stopping_hook(estimator, reached, run_every_secs, run_every_steps)


def stop_if_no_increase_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_increase: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> train.SessionRunHook:
    """A hook that ends training when a metric's best value is that many steps old.

    Stands for `tf.estimator.experimental.stop_if_no_increase_hook`.

    Args:
      max_steps_without_increase: steps from the best evaluation to a later one.
      estimator, metric_name, eval_dir, min_steps, run_every_secs, run_every_steps: as for `stop_if_higher_hook`.

    Raises:
      TypeError, ValueError: as `make_early_stopping_hook`.
    """
    folder = eval_dir or estimator.eval_dir()
    stalled = _stalled(metric_name, max_steps_without_increase, operator.gt, folder, min_steps)
    return make_early_stopping_hook(estimator, stalled, run_every_secs, run_every_steps)


def stop_if_no_decrease_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_decrease: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> train.SessionRunHook:
    """As `stop_if_no_increase_hook`, where less is better; `tf.estimator.experimental.stop_if_no_decrease_hook`."""
    folder = eval_dir or estimator.eval_dir()
    stalled = _stalled(metric_name, max_steps_without_decrease, operator.lt, folder, min_steps)
    return make_early_stopping_hook(estimator, stalled, run_every_secs, run_every_steps)


def _reached(name: str, threshold: float, better: Compare, folder: str, min_steps: int) -> Callable[[], bool]:
    def reached() -> bool:
        for step, value in _evaluations(folder, name, min_steps):
            if better(value, threshold):
                logging.info('At step %s, metric "%s" is %s and passes %s', step, name, value, threshold)
                return True
        return False

    return reached


def _stalled(name: str, max_steps: int, better: Compare, folder: str, min_steps: int) -> Callable[[], bool]:
    def stalled() -> bool:
        best: tuple[int, float] | None = None
        for step, value in _evaluations(folder, name, min_steps):
            if best is None or better(value, best[1]):
                best = step, value
            if step - best[0] >= max_steps:
                logging.info('Metric "%s" was best %s steps before step %s', name, step - best[0], step)
                return True
        return False

    return stalled


def _evaluations(folder: str, name: str, min_steps: int) -> Iterator[tuple[int, float]]:
    """The steps that were evaluated and a metric's values there, in order.

    Raises:
      KeyError: an evaluation lacks the metric.
    """
    found: dict[int, dict[str, float]] = {}
    for path in tf.io.gfile.glob(os.path.join(folder, "*.tfevents.*")):
        for event in summary_iterator(path):
            values = {value.tag: value.simple_value for value in event.summary.value if value.HasField("simple_value")}
            if values:
                found.setdefault(event.step, {}).update(values)
    for step in sorted(found):
        if step >= min_steps:
            yield step, found[step][name]


def _false(shape: Any, dtype: Any = None, partition_info: Any = None) -> tf.Tensor:
    del partition_info
    return tf.zeros(shape, dtype)
