"""Names of metrics when TF 1.15 ran eagerly: `acc` for "accuracy", a function's whole name for "mae"."""

from __future__ import annotations

import functools
from typing import Any

from tf_keras.src import metrics
from tf_keras.src.engine import compile_utils

__all__ = ["install"]

_NAMES = {"acc": "acc", "accuracy": "acc", "ce": "ce", "crossentropy": "ce"}


def _name(text: str) -> str:
    return _NAMES.get(text) or str(getattr(metrics.get(text), "__name__", text))


def install() -> None:
    """Has models that are trained eagerly log the names that TF 1.15 gave; those in graphs have them anyway."""
    made = compile_utils.MetricsContainer._get_metric_object

    @functools.wraps(made)
    def named(self: Any, metric: Any, *args: Any, **kwargs: Any) -> Any:
        found = made(self, metric, *args, **kwargs)
        if isinstance(metric, str) and found is not None:
            found._name = _name(metric)
        return found

    compile_utils.MetricsContainer._get_metric_object = named
