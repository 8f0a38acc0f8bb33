"""Estimators made of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .estimator import Estimator
from .input import accepted
from .spec import EstimatorSpec, ModeKeys


def add_metrics(estimator: Estimator, metric_fn: Callable[..., Mapping[str, Any]]) -> Estimator:
    """An estimator that evaluates more; stands for `tf.estimator.add_metrics` of TF 1.15.

    Args:
      estimator: the estimator, whose `model_dir` it shares.
      metric_fn: takes any of `features`, `labels`, `predictions` and `config`, and gives a dictionary of
        (value, update) pairs; of two metrics of one name the new one counts.

    Raises:
      ValueError: `metric_fn` takes neither predictions nor labels.
    """
    if not {"predictions", "labels"} & set(accepted(metric_fn, dict.fromkeys(("predictions", "labels")))):
        raise ValueError(f"metric_fn ({metric_fn}) must take predictions, labels or both")

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        available = {"features": features, "labels": labels, "predictions": spec.predictions, "config": config}
        more = metric_fn(**accepted(metric_fn, available))
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, **more})

    return Estimator(model_fn, estimator.model_dir, estimator.config, warm_start_from=estimator.warm_start_settings)
