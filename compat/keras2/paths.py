"""The modules of Keras 2: those of the public API, and the paths into its sources that programs imported."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from collections.abc import Mapping
from typing import Any

__all__ = ["register"]

_API = "tf_keras.api._v1.keras"
_SOURCES = "tf_keras.src"

_LAYERS = (
    "advanced_activations convolutional convolutional_recurrent core cudnn_recurrent embeddings local merge noise "
    "normalization pooling recurrent wrappers"
)
_UTILS = "conv_utils data_utils generic_utils io_utils layer_utils losses_utils np_utils tf_utils vis_utils"
_OPTIMIZERS = "adadelta adagrad adam adamax ftrl gradient_descent nadam optimizer_v2 rmsprop"
_ENGINE = "base_layer input_layer network saving sequential topology training training_utils"
INNER = {
    **{f"layers.{name}": "layers" for name in _LAYERS.split()},
    **{f"utils.{name}": "utils" for name in _UTILS.split()},
    **{f"optimizer_v2.{name}": "optimizers" for name in _OPTIMIZERS.split()},
    "backend.tensorflow_backend": "backend",
    "backend.common": "backend",
    "objectives": "losses",
    "optimizer_v2": "optimizers",
    "optimizer_v2.learning_rate_schedule": "optimizers.schedules",
}
"""A path into the sources of Keras 2 -> the public module whose names it had."""
ENGINE = ("engine", *(f"engine.{name}" for name in _ENGINE.split()))
"""Where Keras 2 had layers' and models' base classes."""


def register(face: str, instead: Mapping[str, Mapping[str, Any]]) -> types.ModuleType:
    """Makes Keras 2's modules importable below the module `face`, and gives the first of them.

    Args:
      face: the dotted name of the module that stands for `keras`.
      instead: path of a module -> names in it, in the place of those of `tf_keras` or beside them; a path that
        `tf_keras` has not is made.
    """
    importlib.import_module(_API)
    public = {name[len(_API) + 1 :]: module for name, module in sys.modules.items() if _is_below(name, _API)}
    made: dict[str, types.ModuleType] = {}
    for path, module in public.items():
        made[path] = _module(face, path, vars(module))
    for path, owner in INNER.items():
        made[path] = _module(face, path, {**_of_sources(path), **vars(made[owner])})
    for path in ENGINE:
        made[path] = _module(face, path, {**_of_sources(path), **_base_classes(made)})
    for path, names in instead.items():
        made.setdefault(path, _module(face, path, {}))
        inner = [inner for inner, owner in INNER.items() if owner == path]
        for each in (path, *inner):
            vars(made[each]).update(names)
    for path, module in made.items():
        parent, _, last = path.rpartition(".")
        if path and parent in made:
            setattr(made[parent], last, module)
        if path:
            sys.modules[module.__name__] = module
    return made[""]


def _is_below(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _module(face: str, path: str, names: Mapping[str, Any]) -> types.ModuleType:
    module = types.ModuleType(f"{face}.{path}" if path else face, "A module of Keras 2.")
    vars(module).update({name: value for name, value in names.items() if not name.startswith("__")})
    module.__path__ = []
    return module


def _of_sources(path: str) -> dict[str, Any]:
    """The names of a module in the sources of `tf_keras`, where it still has one of that path."""
    name = f"{_SOURCES}.{path}"
    try:
        if importlib.util.find_spec(name) is None:
            return {}
    except ModuleNotFoundError:
        return {}
    return {key: value for key, value in vars(importlib.import_module(name)).items() if not key.startswith("__")}


def _base_classes(made: Mapping[str, types.ModuleType]) -> dict[str, Any]:
    layers, models, utils = made["layers"], made["models"], made["utils"]
    return {
        "Input": layers.Input,
        "InputLayer": layers.InputLayer,
        "InputSpec": layers.InputSpec,
        "Layer": layers.Layer,
        "Model": models.Model,
        "Network": models.Model,
        "Container": models.Model,
        "Sequential": models.Sequential,
        "get_source_inputs": utils.get_source_inputs,
    }
