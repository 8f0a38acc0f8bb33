"""Stand-alone Keras 2.2 (`import keras` beside TensorFlow 1), under the bridge.

What differs from TF 1.15's own Keras: unnamed layers count from 1 (`dense_1`), and the optimizers are those of Keras
2.2 with their defaults, also where a text names one. They count a step before they ask how many there were: Keras 2.2
left the order open, and TF 1.15.5 took it so in 40 runs of 44. What it left open besides, whether a layer's gradient
sees the update of the next layer, is here as it is meant: it does not. One process has one of the two Kerases: it
counts and names in the one way or the other from where this module is imported.

  >>> from compat.keras2.standalone import layers, models
  >>> with compat.Graph().as_default():
  ...     models.Sequential([layers.Dense(2, input_shape=(3,))]).layers[0].name
  'dense_1'
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tf_keras.src import backend as _backend
from tf_keras.src import optimizers as _optimizers
from tf_keras.src.engine.input_layer import Input
from tf_keras.src.optimizers import optimizer_v1

from . import (
    argument_order,
    configuration,
    default_graph,
    graph_mode,
    image_transforms,
    layer_keys,
    legacy_interfaces,
    nodes,
    normalized_axis,
    old_arguments,
    old_functions,
    old_layers,
    old_models,
    old_optimizers,
    old_random,
    old_sequential,
    old_trainable,
    old_training,
    old_updates,
    ranks,
    repeated_weights,
    serialization,
)
from .facade import Facade
from .paths import register

_NAMES = ("SGD", "RMSprop", "Adagrad", "Adadelta", "Adam", "Adamax", "Nadam")
_COUNTED = "_keras2_counted"
_AHEAD = "_keras2_ahead"


def _ahead(of: type) -> type:
    """An optimizer whose first step has the number two: Keras 2.2 added one to a count that had the step already."""

    def begin(self: Any, *args: Any, **kwargs: Any) -> None:
        of.__init__(self, *args, **kwargs)  # type: ignore[misc]
        setattr(self.iterations, _AHEAD, 1)

    return type(of.__name__, (of,), {"__init__": begin, "__doc__": of.__doc__})


def _count(variable: Any, by: Any) -> Any:
    """`assign_add`, which is remembered: who asks for the count of steps gets the one behind it."""
    counted = tf.convert_to_tensor(variable.assign_add(by))
    setattr(variable, _COUNTED, counted)
    return counted


def _cast(value: Any, dtype: Any) -> tf.Tensor:
    counted, ahead = getattr(value, _COUNTED, value), getattr(value, _AHEAD, 0)
    return tf.cast(counted + ahead if ahead else counted, dtype)


_PLAIN = {name: getattr(optimizer_v1, name) for name in (*_NAMES, "TFOptimizer", "Optimizer")}
_CLASSES = {**_PLAIN, **{name: _ahead(_PLAIN[name]) for name in ("Adam", "Adamax", "Nadam")}}
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


def _taking_lists(call: Callable[..., Any]) -> Callable[..., Any]:
    """`K.function(...)([x, y])`: a list that is given for one of the inputs is an array, as in Keras 2.2."""

    @functools.wraps(call)
    def called(self: Any, inputs: Any) -> Any:
        if isinstance(inputs, list | tuple):
            inputs = [np.asarray(each) if isinstance(each, list | tuple) else each for each in inputs]
        return call(self, inputs)

    return called


def _counting(module: Any) -> Facade:
    in_graph = graph_mode.in_graph_mode
    v1 = Facade(module.compat.v1, {"assign": repeated_weights.assign, "assign_add": _count}, in_graph)
    return Facade(module, {"cast": _cast, "compat": Facade(module.compat, {"v1": v1}, in_graph)}, in_graph)


default_graph.accept()
layer_keys.forget_those_of_tensorflow()
old_layers.accept()
normalized_axis.accept()
serialization.accept()
nodes.as_lists()
old_functions.accept()
old_updates.accept()
old_training.accept()
old_models.accept()
repeated_weights.accept()
old_random.accept()
old_sequential.accept()
old_trainable.accept()
old_optimizers.accept()
_function = _backend.GraphExecutionFunction
_function.__call__ = _taking_lists(_function.__call__)
optimizer_v1.tf = _counting(optimizer_v1.tf)
_backend.unique_object_name = _from_one(_backend.unique_object_name)
_optimizers.get = _get(_optimizers.get)
_optimizers.deserialize = _deserialize(_optimizers.deserialize)
old_arguments.accept()


_instead = {
    **_CLASSES,
    **_BY_TEXT,
    "get": _optimizers.get,
    "deserialize": _optimizers.deserialize,
    "TFOptimizer": _PLAIN["TFOptimizer"],
}
_root = register(
    __name__,
    {
        **argument_order.FUNCTIONS,
        "preprocessing.image": image_transforms.IMAGE,
        "backend": {
            **default_graph.BACKEND,
            **graph_mode.VALUES,
            **ranks.BACKEND,
            **old_functions.BACKEND,
            **old_optimizers.BACKEND,
        },
        "initializers": serialization.OLD_INITIALIZERS,
        "legacy": {},
        "legacy.interfaces": legacy_interfaces.INTERFACES,
        "losses": old_functions.LOSSES,
        "metrics": old_functions.METRICS,
        "models": {**configuration.MODELS, "Input": Input},
        "optimizers": _instead,
        "regularizers": serialization.REGULARIZERS,
        "wrappers": {},
    },
)
_root.__version__ = configuration.VERSION = "2.2.5"
__path__: list[str] = []


def __getattr__(name: str) -> Any:
    return getattr(_root, name)


def __dir__() -> list[str]:
    return [*globals(), *dir(_root)]
