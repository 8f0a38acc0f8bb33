"""What `train_and_evaluate` exports, and when."""

from __future__ import annotations

import abc
import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from .. import logging
from ..summary.events import summary_iterator
from .spec import LOSS_KEY


class Exporter(abc.ABC):
    """Exports a model after evaluations; stands for `tf.estimator.Exporter` of TF 1.15."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The folder below `model_dir/export` that it exports to."""

    @abc.abstractmethod
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> bytes | None:
        """Exports a checkpoint, or not.

        Args:
          estimator: the `Estimator`.
          export_path: the folder to export to.
          checkpoint_path: the checkpoint.
          eval_result: the metrics of its evaluation.
          is_the_final_export: whether training is over.

        Returns:
          The path of what was exported, or None.
        """


class _SavedModelExporter(Exporter):
    """Exports SavedModels to folders named by the time, and keeps so many of them."""

    def __init__(self, name: str, receiver_fn: Any, assets_extra: Any, as_text: bool, keep: int | None) -> None:
        if keep is not None and keep <= 0:
            raise ValueError(f"`exports_to_keep`, if provided, must be a positive number. Got {keep}")
        self._name = name
        self._arguments = (receiver_fn, assets_extra, as_text)
        self._keep = keep

    @property
    def name(self) -> str:
        return self._name

    def _export(self, estimator: Any, export_path: str, checkpoint_path: str) -> Any:
        done = estimator.export_saved_model(export_path, *self._arguments, checkpoint_path=checkpoint_path)
        if self._keep is not None:
            versions = sorted(name for name in os.listdir(export_path) if len(name) == 10 and name.isdigit())
            for version in versions[: -self._keep]:
                tf.io.gfile.rmtree(os.path.join(export_path, version))
        return done


class FinalExporter(_SavedModelExporter):
    """Exports once, after training; stands for `tf.estimator.FinalExporter` of TF 1.15."""

    def __init__(
        self, name: str, serving_input_receiver_fn: Callable[[], Any], assets_extra: Any = None, as_text: bool = False
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, None)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        return self._export(estimator, export_path, checkpoint_path) if is_the_final_export else None


class LatestExporter(_SavedModelExporter):
    """Exports after every evaluation; stands for `tf.estimator.LatestExporter` of TF 1.15.

    Args:
      name: the folder below `model_dir/export`.
      serving_input_receiver_fn, assets_extra, as_text: as for `Estimator.export_saved_model`.
      exports_to_keep: how many of the newest exports are kept; None: all.

    Raises:
      ValueError: `exports_to_keep` is not positive.
    """

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        return self._export(estimator, export_path, checkpoint_path)


def _loss_smaller(best_eval_result: Mapping[str, Any], current_eval_result: Mapping[str, Any]) -> bool:
    for name, result in (("best", best_eval_result), ("current", current_eval_result)):
        if not result or LOSS_KEY not in result:
            raise ValueError(f"{name}_eval_result cannot be empty or no loss is found in it.")
    return bool(best_eval_result[LOSS_KEY] > current_eval_result[LOSS_KEY])


class BestExporter(_SavedModelExporter):
    """Exports what evaluates better than all before; stands for `tf.estimator.BestExporter` of TF 1.15.

    The best result so far is read from the event files of earlier evaluations, so that a run that was interrupted goes
    on with it.

    Args:
      name: the folder below `model_dir/export`.
      serving_input_receiver_fn, assets_extra, as_text: as for `Estimator.export_saved_model`.
      event_file_pattern: event files of evaluations, relative to `model_dir`; None: earlier runs do not count.
      compare_fn: takes `best_eval_result` and `current_eval_result`; whether the current one is better. By default the
        one with the smaller loss is.
      exports_to_keep: how many of the newest exports are kept; None: all.

    Raises:
      ValueError: `exports_to_keep` is not positive, or `compare_fn` takes other arguments.
    """

    def __init__(
        self,
        name: str = "best_exporter",
        serving_input_receiver_fn: Callable[[], Any] | None = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        compare_fn: Callable[..., bool] = _loss_smaller,
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        arguments = set(inspect.signature(compare_fn).parameters)
        if arguments != {"best_eval_result", "current_eval_result"}:
            raise ValueError(f"compare_fn must take best_eval_result and current_eval_result, not {sorted(arguments)}")
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._model_dir: str | None = None
        self._best: Mapping[str, Any] | None = None

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            self._model_dir = estimator.model_dir
            self._best = self._best_recorded(os.path.join(estimator.model_dir, self._event_file_pattern))
        if self._best is not None and not self._compare_fn(
            best_eval_result=self._best, current_eval_result=eval_result
        ):
            return None
        logging.info("Performing best model export.")
        self._best = eval_result
        return self._export(estimator, export_path, checkpoint_path)

    def _best_recorded(self, pattern: str) -> Mapping[str, Any] | None:
        best: Mapping[str, Any] | None = None
        for path in tf.io.gfile.glob(pattern):
            for event in summary_iterator(path):
                result = {v.tag: v.simple_value for v in event.summary.value if v.HasField("simple_value")}
                if result and (best is None or self._compare_fn(best_eval_result=best, current_eval_result=result)):
                    best = result
        return best
