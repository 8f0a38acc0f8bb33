"""What initializers, regularizers and functions say of themselves: a class name and its arguments, in either mode.

Eagerly, `tf_keras` adds modules and names of registration, which cannot be read back with a function of the program.
TF 1.15 had `VarianceScaling` for what `HeNormal` and three others are, and `L1L2` for `L1` and `L2`; Keras 2.2 had no
types of numbers in it, and no classes of Glorot's.

  >>> from compat.keras2 import initializers, regularizers
  >>> regularizers.serialize(regularizers.l2(0.5))
  {'class_name': 'L1L2', 'config': {'l1': 0.0, 'l2': 0.5}}
  >>> initializers.serialize(initializers.get("lecun_uniform"))["class_name"]
  'VarianceScaling'
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf_keras.src import activations, backend, initializers, regularizers
from tf_keras.src.engine import base_layer_v1
from tf_keras.src.saving import serialization_lib
from tf_keras.src.utils import generic_utils

from .facade import Facade

__all__ = ["INITIALIZERS", "OLD_INITIALIZERS", "REGULARIZERS", "accept", "install"]

_SCALES = {"Glorot": (1.0, "fan_avg"), "He": (2.0, "fan_in"), "Lecun": (1.0, "fan_in")}
_DISTRIBUTIONS = {"Normal": "truncated_normal", "Uniform": "uniform"}
_SCALINGS = {
    name + kind: {"scale": scale, "mode": mode, "distribution": distribution}
    for name, (scale, mode) in _SCALES.items()
    for kind, distribution in _DISTRIBUTIONS.items()
}
_TYPED = frozenset({"GlorotNormal", "GlorotUniform"})
_PENALTIES = {"L1": {"l2": 0.0}, "L2": {"l1": 0.0}}


def _as_tensorflow_had_it(found: dict[str, Any]) -> dict[str, Any]:
    name, config = found["class_name"], found["config"]
    if name in _SCALINGS and name not in _TYPED:
        name, config = "VarianceScaling", {**_SCALINGS[name], "seed": config.get("seed")}
    return {"class_name": name, "config": {**config, "dtype": config.get("dtype", "float32")}}


def _as_keras_had_it(found: dict[str, Any]) -> dict[str, Any]:
    name, config = found["class_name"], {key: value for key, value in found["config"].items() if key != "dtype"}
    if name in _SCALINGS:
        name, config = "VarianceScaling", {**_SCALINGS[name], "seed": config.get("seed")}
    if config.get("distribution") == "truncated_normal":
        config["distribution"] = "normal"
    return {"class_name": name, "config": config}


def _as_one_penalty(found: dict[str, Any]) -> dict[str, Any]:
    other = _PENALTIES.get(found["class_name"])
    if other is None:
        return found
    both = {**found["config"], **other}
    return {"class_name": "L1L2", "config": {"l1": both["l1"], "l2": both["l2"]}}


def _changed(serialize: Callable[..., Any], change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[..., Any]:
    """A function that serializes, which says otherwise what an object of Keras is."""

    @functools.wraps(serialize)
    def serialized(of: Any, *args: Any, **kwargs: Any) -> Any:
        said = serialize(of, *args, **kwargs)
        is_own = isinstance(said, dict) and type(of).__module__.startswith(("tf_keras.", "tensorflow."))
        return change(said) if is_own else said

    return serialized


def _with_dtype(get_config: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    """A layer's configuration, which tells the type of its numbers also before it has any."""

    @functools.wraps(get_config)
    def config(self: Any) -> dict[str, Any]:
        found = get_config(self)
        return {**found, "dtype": backend.floatx()} if found.get("dtype", "") is None else found

    return config


def _readable(load: Callable[..., Any]) -> Callable[..., Any]:
    """Reads the code of a function from a file; that of another Python cannot be read."""

    @functools.wraps(load)
    def loaded(*args: Any, **kwargs: Any) -> Any:
        try:
            return load(*args, **kwargs)
        except (EOFError, TypeError, ValueError) as error:
            raise ValueError(
                "the file holds a function (of a Lambda layer) as code of another version of Python, which this one "
                "cannot read; build the model by its source, and read its weights with model.load_weights"
            ) from error

    return loaded


def _of_tensorflow_1(tensorflow: Any) -> Facade:
    """TensorFlow, which says that its second behaviour is off."""

    def always() -> bool:
        return True

    second = Facade(tensorflow.__internal__.tf2, {"enabled": lambda: False}, always)
    return Facade(tensorflow, {"__internal__": Facade(tensorflow.__internal__, {"tf2": second}, always)}, always)


INITIALIZERS = {"serialize": _changed(initializers.serialize, _as_tensorflow_had_it)}
OLD_INITIALIZERS = {"serialize": _changed(initializers.serialize, _as_keras_had_it)}
REGULARIZERS = {"serialize": _changed(regularizers.serialize, _as_one_penalty)}


def install() -> None:
    """Has objects of Keras say of themselves what they did in TF 1.15."""
    generic_utils.func_load = _readable(generic_utils.func_load)
    for module in (activations, serialization_lib):
        module.tf = _of_tensorflow_1(module.tf)
    initializers.serialize = INITIALIZERS["serialize"]
    regularizers.serialize = REGULARIZERS["serialize"]


def accept() -> None:
    """Has them say what they did in Keras 2.2, from now on in this process."""
    initializers.serialize = OLD_INITIALIZERS["serialize"]
    base_layer_v1.Layer.get_config = _with_dtype(base_layer_v1.Layer.get_config)
