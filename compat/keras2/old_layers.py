"""Layers of Keras 2.2: those that a program wrote itself, batch normalization, and what TensorFlow sees of weights.

TF 1.15's own Keras, and `tf_keras`, count every variable and layer that is assigned to an attribute of a layer among
its weights. Keras 2.2 counted what `add_weight` made and what was assigned to `trainable_weights`. It took updates as
pairs of a variable and its new value, which TensorFlow's own makes tensors of that nobody asks for. Its batch
normalization moved its averages from 0 at the first step, and estimated the variance of the examples' population.
Every variable of a layer, also one that is not trained, was among `tf.trainable_variables()`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf
from tf_keras.src import backend
from tf_keras.src.engine import base_layer_v1
from tf_keras.src.layers.normalization import batch_normalization_v1

from .. import nn
from ..bridge.variable import GraphVariable
from ..train.moving_averages import assign_moving_average
from ..variables.graph_keys import GraphKeys
from .graph_mode import in_graph_mode

__all__ = ["accept"]

_TRAINABLE = GraphKeys.TRAINABLE_VARIABLES
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
        if layer.__dict__.get("_is_graph_network", False):
            return False
        return layer.__dict__.get(_TRACKING, not _is_own(type(layer)))

    def __set__(self, layer: Any, value: bool) -> None:
        layer.__dict__[_TRACKING] = value


def _assigned(name: str) -> Callable[[Any, Iterable[Any]], None]:
    def assign(self: Any, weights: Iterable[Any]) -> None:
        object.__setattr__(self, f"_{name}", list(weights))

    return assign


def _batch_statistics(layer: Any, inputs: Any, axes: list[int]) -> tuple[Any, Any, Any]:
    """The normalized batch, its mean and its variance."""
    if inputs.shape.rank == 4 and axes == [0, 1, 2]:
        size = inputs.shape[3]
        gamma = tf.ones([size]) if layer.gamma is None else layer.gamma
        beta = tf.zeros([size]) if layer.beta is None else layer.beta
        return tuple(nn.fused_batch_norm(inputs, gamma, beta, epsilon=layer.epsilon))
    mean, variance = tf.nn.moments(inputs, axes)
    return _normalized(layer, inputs, mean, variance, axes), mean, variance


def _normalized(layer: Any, inputs: Any, mean: Any, variance: Any, axes: list[int]) -> Any:
    shape = [1 if axis in axes else inputs.shape[axis] for axis in range(inputs.shape.rank)]
    wide = [None if each is None else tf.reshape(each, shape) for each in (mean, variance, layer.beta, layer.gamma)]
    return tf.nn.batch_normalization(inputs, *wide, layer.epsilon)


def _normalize(normalize: Callable[..., Any]) -> Callable[..., Any]:
    """`BatchNormalization.call` of Keras 2.2."""

    def call(self: Any, inputs: Any, training: Any = None) -> Any:
        if not in_graph_mode() or inputs.shape.rank is None:
            return normalize(self, inputs, training=training)
        axes = [axis for axis in range(inputs.shape.rank) if axis not in self.axis]

        def moved() -> Any:
            return _normalized(self, inputs, self.moving_mean, self.moving_variance, axes)

        if isinstance(training, bool | int) and not training:
            return moved()
        batch, mean, variance = _batch_statistics(self, inputs, axes)
        count = tf.cast(tf.reduce_prod([tf.shape(inputs)[axis] for axis in axes]), variance.dtype)
        variance *= count / (count - (1.0 + self.epsilon))
        self.add_update(
            [
                assign_moving_average(self.moving_mean, mean, self.momentum),
                assign_moving_average(self.moving_variance, variance, self.momentum),
            ]
        )
        return backend.in_train_phase(batch, moved, training=training)

    return call


def _with_pairs(add_update: Callable[..., Any]) -> Callable[..., Any]:
    """`Layer.add_update` of Keras 2.2, which also took pairs of a variable and its new value."""

    @functools.wraps(add_update)
    def added(self: Any, updates: Any, inputs: Any = None) -> Any:
        every = updates if isinstance(updates, list) else [updates]
        return add_update(self, [backend.update(*each) if isinstance(each, tuple) else each for each in every], inputs)

    return added


def _collected(add_weight: Callable[..., Any]) -> Callable[..., Any]:
    """`Layer.add_weight` of Keras 2.2, which told TensorFlow nothing of what is trained."""

    @functools.wraps(add_weight)
    def added(self: Any, *args: Any, **kwargs: Any) -> Any:
        weight = add_weight(self, *args, **kwargs)
        if isinstance(weight, GraphVariable) and not weight.trainable:
            weight.graph.add_to_collection(_TRAINABLE, weight)
        return weight

    return added


def accept() -> None:
    """Lets layers say what their weights are, and batch normalization move as it did."""
    normalization = batch_normalization_v1.BatchNormalization
    normalization.call = _normalize(normalization.call)
    layer = base_layer_v1.Layer
    layer.add_update = _with_pairs(layer.add_update)
    layer.add_weight = _collected(layer.add_weight)
    setattr(layer, _TRACKING, _Tracking())
    for name in ("trainable_weights", "non_trainable_weights"):
        setattr(layer, name, getattr(layer, name).setter(_assigned(name)))
