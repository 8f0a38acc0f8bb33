"""Stand-alone Keras 2.2 (`import keras` beside TensorFlow 1), under the bridge.

What differs from TF 1.15's own Keras: unnamed layers count from 1 (`dense_1`), and the optimizers are those of Keras
2.2 with their defaults, also where a text names one. `decay` counts the step that is being made: Keras 2.2 left open
whether it does, and TF 1.15.5 took it so more often than not. One process has one of the two Kerases: it counts and
names in the one way or the other from where this module is imported.

  >>> from compat.keras2.standalone import layers, models
  >>> with compat.Graph().as_default():
  ...     models.Sequential([layers.Dense(2, input_shape=(3,))]).layers[0].name
  'dense_1'
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src import backend, optimizers
from tf_keras.src.optimizers import optimizer_v1

from . import graph_mode
from .facade import Facade
from .paths import register

_NAMES = ("SGD", "RMSprop", "Adagrad", "Adadelta", "Adam", "Adamax", "Nadam")
_COUNTED = "_keras2_counted"


def _count(variable: Any, by: Any) -> Any:
    """`assign_add`, which is remembered: who asks for the count of steps gets the one behind it."""
    counted = tf.convert_to_tensor(variable.assign_add(by))
    setattr(variable, _COUNTED, counted)
    return counted


def _cast(value: Any, dtype: Any) -> tf.Tensor:
    return tf.cast(getattr(value, _COUNTED, value), dtype)


_CLASSES = {name: getattr(optimizer_v1, name) for name in (*_NAMES, "TFOptimizer", "Optimizer")}
_BY_TEXT = {name.lower(): _CLASSES[name] for name in _NAMES}


def _from_one(unique: Callable[..., str]) -> Callable[..., str]:
    @functools.wraps(unique)
    def named(*args: Any, **kwargs: Any) -> str:
        return unique(*args, **{**kwargs, "zero_based": False})

    return named


def _get(get: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(get)
    def found(identifier: Any, **kwargs: Any) -> Any:
        made = _BY_TEXT.get(identifier.lower()) if isinstance(identifier, str) else None
        return get(identifier, **kwargs) if made is None else made()

    return found


def _deserialize(deserialize: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(deserialize)
    def found(config: Any, custom_objects: Any = None, **kwargs: Any) -> Any:
        made = _BY_TEXT.get(str(config["class_name"]).lower()) if isinstance(config, dict) else None
        return deserialize(config, custom_objects, **kwargs) if made is None else made.from_config(config["config"])

    return found


def _counting(module: Any) -> Facade:
    in_graph = graph_mode.in_graph_mode
    v1 = Facade(module.compat.v1, {"assign_add": _count}, in_graph)
    return Facade(module, {"cast": _cast, "compat": Facade(module.compat, {"v1": v1}, in_graph)}, in_graph)


optimizer_v1.tf = _counting(optimizer_v1.tf)
backend.unique_object_name = _from_one(backend.unique_object_name)
optimizers.get = _get(optimizers.get)
optimizers.deserialize = _deserialize(optimizers.deserialize)
_instead = {**_CLASSES, **_BY_TEXT, "get": optimizers.get, "deserialize": optimizers.deserialize}
_root = register(__name__, {"optimizers": _instead})
_root.__version__ = "2.2.5"
__path__: list[str] = []


def __getattr__(name: str) -> Any:
    return getattr(_root, name)


def __dir__() -> list[str]:
    return [*globals(), *dir(_root)]
