"""`TPUEstimator` of TF 1.15 with `use_tpu=False`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...estimator.estimator import Estimator
from ...estimator.spec import EstimatorSpec, ModeKeys
from .config import RunConfig

_NO_TPU = "there is no TPU here: pass use_tpu=False, or move the model to tf.distribute.TPUStrategy"


class TPUEstimatorSpec(NamedTuple):
    """The operations of one mode; stands for `tf.contrib.tpu.TPUEstimatorSpec` of TF 1.15.

    Attributes:
      mode: one of `compat.estimator.ModeKeys`.
      predictions, loss, train_op, export_outputs: as in `compat.estimator.EstimatorSpec`.
      eval_metrics: a function and its arguments, a list or dictionary of tensors; it gives `eval_metric_ops`.
      scaffold_fn: makes the scaffold.
      host_call: not run: there is no host beside a TPU.
      training_hooks, evaluation_hooks, prediction_hooks: hooks of each mode.
    """

    mode: str
    predictions: Any = None
    loss: Any = None
    train_op: Any = None
    eval_metrics: tuple[Callable[..., Any], Any] | None = None
    export_outputs: Mapping[str, Any] | None = None
    scaffold_fn: Callable[[], Any] | None = None
    host_call: Any = None
    training_hooks: Sequence[Any] | None = None
    evaluation_hooks: Sequence[Any] | None = None
    prediction_hooks: Sequence[Any] | None = None

    def as_estimator_spec(self) -> EstimatorSpec:
        """The same for a plain `Estimator`."""
        metrics = None
        if self.eval_metrics is not None:
            function, arguments = self.eval_metrics
            metrics = function(**arguments) if isinstance(arguments, Mapping) else function(*arguments)
        return EstimatorSpec(
            self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=metrics,
            export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks,
            evaluation_hooks=self.evaluation_hooks,
            prediction_hooks=self.prediction_hooks,
        )


class TPUEstimator(Estimator):
    """An `Estimator` whose functions find the batch size in `params`; `tf.contrib.tpu.TPUEstimator` of TF 1.15.

    Args:
      model_fn, model_dir, config, params, warm_start_from: as for `Estimator`; a `TPUEstimatorSpec` will do.
      use_tpu: must be False.
      train_batch_size, eval_batch_size, predict_batch_size: `params["batch_size"]` of each mode.
      **kwargs: accepted and ignored: they concern the TPU.

    Raises:
      ValueError: `use_tpu` is True.
    """

    def __init__(
        self,
        model_fn: Callable[..., Any],
        model_dir: str | None = None,
        config: RunConfig | None = None,
        params: Mapping[str, Any] | None = None,
        use_tpu: bool = True,
        train_batch_size: int | None = None,
        eval_batch_size: int | None = None,
        predict_batch_size: int | None = None,
        warm_start_from: Any = None,
        **kwargs: Any,
    ) -> None:
        if use_tpu:
            raise ValueError(_NO_TPU)
        if params and "batch_size" in params:
            raise ValueError("batch_size are reserved keys by TPUEstimator, but appears in params")
        super().__init__(model_fn, model_dir, config or RunConfig(), params, warm_start_from)
        self._batch_sizes = {
            ModeKeys.TRAIN: train_batch_size,
            ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }

    def _parameters(self, mode: str) -> dict[str, Any]:
        size = self._batch_sizes[mode]
        return {**self._params, **({} if size is None else {"batch_size": size}), "use_tpu": False}

    def _finish_spec(self, spec: Any) -> Any:
        return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec


class CrossShardOptimizer:
    """Averaged gradients over the cores of a TPU in TF 1.15.

    Raises:
      ValueError: always.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise ValueError(f"CrossShardOptimizer: {_NO_TPU}")
