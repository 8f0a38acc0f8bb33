"""What a model says of itself, as TF 1.15's did: its configuration, its JSON and its YAML.

`tf_keras` calls a functional model's class `Functional`, writes a Sequential's input as a layer, adds keys, and
refuses YAML. Files of that time are read either way.

  >>> from compat.keras2 import layers, models
  >>> with compat.Graph().as_default():
  ...     config = models.Sequential([layers.Dense(2, input_shape=(3,))]).get_config()
  >>> [layer["class_name"] for layer in config["layers"]]
  ['Dense']
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tf_keras.src.engine import functional, sequential, training
from tf_keras.src.layers import serialization

__all__ = ["MODELS", "VERSION", "install"]

VERSION = "2.2.4-tf"
_TUPLE = "tag:yaml.org,2002:python/tuple"


def _as_before(config: Any) -> Any:
    """A configuration without what later releases put into it."""
    if isinstance(config, list | tuple):
        return type(config)(map(_as_before, config)) if type(config) in (list, tuple) else config
    if not isinstance(config, dict):
        return config
    found = {key: _as_before(value) for key, value in config.items() if key != "shared_object_id"}
    inner = found.get("config")
    if isinstance(inner, dict):
        lost = {"InputLayer": "optional", "Model": "trainable"}.get(str(found.get("class_name")))
        found["config"] = {key: value for key, value in inner.items() if key != lost}
        if found.get("class_name") == "Sequential":
            found["config"] = _without_input(inner)
    return found


def _without_input(config: dict[str, Any]) -> dict[str, Any]:
    """A Sequential's configuration, whose first layer tells the shape of the input, where it does."""
    layers = config.get("layers", [])
    kinds = [each.get("class_name") for each in layers[:1]]
    if kinds == ["InputLayer"] and "batch_input_shape" in str(layers[1:2]):
        return {**config, "layers": layers[1:]}
    return config


def _of_functional(get_config: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    @functools.wraps(get_config)
    def config(self: Any) -> dict[str, Any]:
        found = _as_before(get_config(self))
        found.pop("trainable", None)
        return dict(found)

    return config


def _of_sequential(get_config: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    @functools.wraps(get_config)
    def config(self: Any) -> dict[str, Any]:
        return _without_input(_as_before(get_config(self)))

    return config


def _with_version(updated: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    @functools.wraps(updated)
    def config(self: Any) -> dict[str, Any]:
        return {**updated(self), "keras_version": VERSION}

    return config


def _yaml() -> Any:
    try:
        return importlib.import_module("yaml")
    except ImportError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None


def _to_yaml(self: Any, **kwargs: Any) -> str:
    """The configuration of a model as YAML; `Model.to_yaml` of TF 1.15."""
    return str(_yaml().dump(self._updated_config(), **kwargs))


def _model_from_yaml(yaml_string: Any, custom_objects: Any = None) -> Any:
    """The model that `to_yaml` wrote. Nothing but data is read: text cannot make other objects."""
    yaml = _yaml()
    loader = type("_Loader", (yaml.SafeLoader,), {})
    loader.add_constructor(_TUPLE, lambda reader, node: tuple(reader.construct_sequence(node, deep=True)))
    return serialization.deserialize(yaml.load(yaml_string, Loader=loader), custom_objects=custom_objects)


MODELS = {"model_from_yaml": _model_from_yaml}


def install() -> None:
    """Has models say of themselves what they did, from now on in this process."""
    functional.Functional.__name__ = "Model"
    functional.Functional.get_config = _of_functional(functional.Functional.get_config)
    sequential.Sequential.get_config = _of_sequential(sequential.Sequential.get_config)
    training.Model._updated_config = _with_version(training.Model._updated_config)
    training.Model.to_yaml = _to_yaml
