"""Models with layers taken out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

__all__ = ["without_layers"]


def without_layers(model: Any, names: str | Iterable[str]) -> Any:
    """A model like `model` in which what goes into some layers comes out of them unchanged.

    The layers that stay are `model`'s own, with their weights: training one model trains both. For weights of its own
    take a copy before, by `tf.keras.models.clone_model` and `set_weights`. `model` is left as it is.

    It takes the place of cutting the net in two with a second `Input(tensor=...)` behind the layer: that gives a model
    of two models, and cannot be done where a branch leads around the layer.

    Args:
      model: a functional or `Sequential` model that has been built.
      names: names of layers. A layer of a model inside of the model is "inner/layer". A layer that is called several
        times goes at each place.

    Returns:
      A functional model with the same inputs.

    Raises:
      TypeError: `model` is no functional or Sequential model.
      ValueError: there is no such layer, it is an input, it has several inputs, or a layer behind it does not take
        what comes now.

    Example:
      >>> resnet = tf.keras.applications.ResNet50(include_top=False, input_shape=(None, None, 3), weights=None)
      >>> finer = without_layers(resnet, ["pool1_pad", "pool1_pool"])
      >>> resnet(tf.zeros([1, 64, 64, 3])).shape, finer(tf.zeros([1, 64, 64, 3])).shape
      (TensorShape([1, 2, 2, 2048]), TensorShape([1, 4, 4, 2048]))
    """
    removed = {names} if isinstance(names, str) else set(names)
    functional = _functional(model)
    here = {name for name in removed if "/" not in name}
    inner: dict[str, set[str]] = {}
    for name in removed - here:
        outer, _, rest = name.partition("/")
        inner.setdefault(outer, set()).add(rest)
    _check(model, here, inner)
    replaced = {name: without_layers(model.get_layer(name), rest) for name, rest in inner.items()}

    def call(layer: Any, *args: Any, **kwargs: Any) -> Any:
        if layer.name in here:
            return _passed_on(layer, args, kwargs)
        try:
            return replaced.get(layer.name, layer)(*args, **kwargs)
        except (ValueError, TypeError, tf.errors.InvalidArgumentError) as error:
            gone = ", ".join(sorted(removed))
            raise ValueError(f"without {gone}, layer {layer.name} does not take what comes: {error}") from error

    return tf.keras.models.clone_model(functional, clone_function=lambda layer: layer, call_function=call)


def _functional(model: Any) -> Any:
    if isinstance(model, tf.keras.Sequential):
        if not model.built:
            raise ValueError(f"{model.name} has not been built: give it an input shape first")
        return tf.keras.Model(model.inputs[0], model.outputs[0], name=model.name)
    if not isinstance(model, tf.keras.Model) or not hasattr(model, "operations"):
        raise TypeError(
            f"layers can be taken out of functional and Sequential models only, not of {type(model).__name__}"
        )
    return model


def _check(model: Any, here: set[str], inner: dict[str, set[str]]) -> None:
    layers = {layer.name: layer for layer in model.layers}
    for name in sorted(here | set(inner)):
        if name not in layers:
            close = difflib.get_close_matches(name, layers)
            hint = f"; there is {' and '.join(close)}" if close else ""
            raise ValueError(f"{model.name} has no layer {name!r}{hint}")
    for name in sorted(here):
        if isinstance(layers[name], tf.keras.layers.InputLayer):
            raise ValueError(f"{name!r} is an input of {model.name}, which cannot be taken out")


def _passed_on(layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    inputs = tf.nest.flatten(args)
    tensors = [value for value in (*inputs, *tf.nest.flatten(kwargs)) if isinstance(value, tf.keras.KerasTensor)]
    if len(tensors) != 1:
        raise ValueError(
            f"layer {layer.name} has {len(tensors)} inputs: which of them would be its output is not clear"
        )
    return tensors[0]
