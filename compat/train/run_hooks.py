"""Stopping, watching, logging and feeding while training."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import logging
from ..bridge.graph import current_graph
from .global_step import get_or_create_global_step_read
from .session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .step_timer import SecondOrStepTimer


class StopAtStepHook(SessionRunHook):
    """Stops after so many steps, or at a step. Stands for ``tf.train.StopAtStepHook``.

    Args:
        num_steps: how many steps from where training begins, or
        last_step: the global step to stop at.

    Raises:
        ValueError: both or none are given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    def begin(self) -> None:
        self._global_step = get_or_create_global_step_read("StopAtStepHook")

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._global_step) + self._num_steps

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        # The value fetched beside the update may be the one before it: look again when it may be time.
        if run_values.results + 1 >= self._last_step and run_context.session.run(self._global_step) >= self._last_step:
            run_context.request_stop()


class NanLossDuringTrainingError(RuntimeError):
    """The loss is not a number. Stands for ``tf.train.NanLossDuringTrainingError``."""

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Stops or fails when the loss is not a number. Stands for ``tf.train.NanTensorHook``.

    Args:
        loss_tensor: the loss.
        fail_on_nan_loss: raise :class:`NanLossDuringTrainingError`; else stop.
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss_tensor = loss_tensor
        self._fail_on_nan_loss = fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not np.isnan(run_values.results):
            return
        if self._fail_on_nan_loss:
            logging.error("Model diverged with loss = NaN.")
            raise NanLossDuringTrainingError
        logging.warning("Model diverged with loss = NaN.")
        run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Waits until the global step has come so far. Stands for ``tf.train.GlobalStepWaiterHook``.

    Args:
        wait_until_step: the step.
    """

    def __init__(self, wait_until_step: int) -> None:
        self._wait_until_step = wait_until_step

    def begin(self) -> None:
        self._waited = self._wait_until_step <= 0
        self._global_step = get_or_create_global_step_read("GlobalStepWaiterHook")

    def before_run(self, run_context: SessionRunContext) -> None:
        while not self._waited:
            self._waited = run_context.session.run(self._global_step) >= self._wait_until_step
            if not self._waited:
                time.sleep(0.5)


class LoggingTensorHook(SessionRunHook):
    """Logs tensors' values every so many runs or seconds, and at the end. Stands for ``tf.train.LoggingTensorHook``.

    Args:
        tensors: tensors or names, or a dict of labels to such.
        every_n_iter, every_n_secs: runs or seconds between; one of them, unless only ``at_end``.
        at_end: log at the end too.
        formatter: from the dict of values to the text.

    Raises:
        ValueError: it is not clear when to log.
    """

    def __init__(
        self,
        tensors: Mapping[str, Any] | Sequence[Any],
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[Mapping[Any, Any]], str] | None = None,
    ) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        named = isinstance(tensors, Mapping)
        self._labels = sorted(tensors) if named else list(tensors)
        self._tensors = [tensors[label] for label in self._labels] if named else list(tensors)  # type: ignore[index]
        self._formatter = formatter
        self._timer = None if only_at_end else SecondOrStepTimer(every_n_secs, every_n_iter)
        self._log_at_end = at_end

    def begin(self) -> None:
        if self._timer is not None:
            self._timer.reset()
        self._iteration = 0
        self._elements = [_element(tensor) for tensor in self._tensors]

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._due = self._timer is not None and self._timer.should_trigger_for_step(self._iteration)
        return SessionRunArgs(self._elements) if self._due else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._due:
            self._log(run_values.results)
        self._iteration += 1

    def end(self, session: Any) -> None:
        if self._log_at_end:
            self._log(session.run(self._elements))

    def _log(self, values: Sequence[Any]) -> None:
        seconds = None if self._timer is None else self._timer.update_last_triggered_step(self._iteration)[0]
        if self._formatter is not None:
            logging.info(self._formatter(dict(zip(self._labels, values, strict=True))))
            return
        with np.printoptions(suppress=True):
            text = ", ".join(f"{label} = {value!s}" for label, value in zip(self._labels, values, strict=True))
        logging.info("%s", text if seconds is None else f"{text} ({seconds:.3f} sec)")


class FinalOpsHook(SessionRunHook):
    """Runs something at the end. Stands for ``tf.train.FinalOpsHook``.

    Args:
        final_ops: what to fetch.
        final_ops_feed_dict: what to feed.
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops = final_ops
        self._final_ops_feed_dict = final_ops_feed_dict
        self._final_ops_values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """What the run at the end gave."""
        return self._final_ops_values

    def end(self, session: Any) -> None:
        if self._final_ops is not None:
            self._final_ops_values = session.run(self._final_ops, feed_dict=self._final_ops_feed_dict)


class FeedFnHook(SessionRunHook):
    """Feeds each run with what a function gives. Stands for ``tf.train.FeedFnHook``.

    Args:
        feed_fn: gives a feed dictionary.
    """

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


def _element(tensor: Any) -> Any:
    graph = current_graph()
    if graph is None or not isinstance(tensor, str):
        # Without a graph, a name is that of a value which `TrainingLoop.after_run` is given.
        return tensor
    return graph.get_tensor_by_name(tensor if ":" in tensor else f"{tensor}:0")
