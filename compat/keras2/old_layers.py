"""Layers that a program of Keras 2.2 wrote itself: their weights are those that they say, and no others.

TF 1.15's own Keras, and `tf_keras`, count every variable and layer that is assigned to an attribute of a layer among
its weights. Keras 2.2 counted what `add_weight` made and what was assigned to `trainable_weights`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tf_keras.src.engine import base_layer_v1

__all__ = ["accept"]

_TRACKING = "_self_setattr_tracking"


def _is_own(of: type) -> bool:
    """Whether a program wrote the class, deriving it from `Layer` and not from a layer or model that Keras has."""
    first = next(base for base in of.__mro__ if base.__module__.startswith("tf_keras.src"))
    return first is base_layer_v1.Layer and of is not first


class _Tracking:
    """Whether attributes of a layer are looked at for weights."""

    def __get__(self, layer: Any, owner: type | None = None) -> Any:
        if layer is None:
            return True
        return layer.__dict__.get(_TRACKING, not _is_own(type(layer)))

    def __set__(self, layer: Any, value: bool) -> None:
        layer.__dict__[_TRACKING] = value


def _assigned(name: str) -> Callable[[Any, Iterable[Any]], None]:
    def assign(self: Any, weights: Iterable[Any]) -> None:
        object.__setattr__(self, f"_{name}", list(weights))

    return assign


def accept() -> None:
    """Lets layers say what their weights are."""
    layer = base_layer_v1.Layer
    setattr(layer, _TRACKING, _Tracking())
    for name in ("trainable_weights", "non_trainable_weights"):
        setattr(layer, name, getattr(layer, name).setter(_assigned(name)))
