"""Batch normalization of contrib."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...initializers import ones_initializer, zeros_initializer
from ...layers.branching import known_bool, smart_cond
from ...layers.fused_normalization import fused_batch_norm
from ...layers.normalization import BatchNormalization
from ...train.moving_averages import assign_moving_average
from ...variables.collection import add_to_collections
from ...variables.deferred import deferred
from ...variables.graph_keys import GraphKeys
from ...variables.scope import current_scope
from ...variables.variable_scope import variable_scope
from ..framework.arg_scope import add_arg_scope
from ..framework.variables import model_variable
from .model_variables import add_variable_to_collections, build_variable_getter
from .utils import collect_named_outputs, get_variable_collections, layers_format

_INITIALIZERS = {
    "beta": zeros_initializer,
    "gamma": ones_initializer,
    "moving_mean": zeros_initializer,
    "moving_variance": ones_initializer,
}


@dataclasses.dataclass(frozen=True)
class _Parameters:
    """Makes the variables of one batch normalization."""

    shape: tf.TensorShape
    dtype: tf.DType
    initializers: dict[str, Any]
    regularizers: dict[str, Any]
    collections: Any
    trainable: bool

    def make(self, name: str, trained: bool) -> Any:
        return model_variable(
            name,
            shape=self.shape,
            dtype=self.dtype,
            initializer=self.initializers.get(name, _INITIALIZERS[name]()),
            regularizer=self.regularizers.get(name) if trained else None,
            collections=get_variable_collections(self.collections, name),
            trainable=self.trainable if trained else False,
        )

    def statistics(self) -> tuple[Any, Any]:
        """The moving mean and variance; these are never partitioned."""
        with variable_scope(current_scope()) as local_scope:
            local_scope.set_partitioner(None)
            return self.make("moving_mean", False), self.make("moving_variance", False)


@dataclasses.dataclass(frozen=True)
class _Updates:
    """Moves the moving averages, at once or through a collection."""

    moving: tuple[Any, Any]
    decay: Any
    zero_debias: bool
    collections: Any
    is_training: Any

    def _move(self, mean: Any, variance: Any) -> list[Any]:
        return [
            assign_moving_average(self.moving[0], mean, self.decay, zero_debias=self.zero_debias),
            assign_moving_average(self.moving[1], variance, self.decay, zero_debias=False),
        ]

    def forced(self, mean: Any, variance: Any, values: list[Any], otherwise: Callable[[], list[Any]]) -> list[Any]:
        """The values, given after the update, when training; else what ``otherwise`` gives."""

        def after_update() -> list[Any]:
            with tf.control_dependencies(self._move(mean, variance)):
                return [tf.identity(value) for value in values]

        return smart_cond(self.is_training, after_update, otherwise)

    def collect(self, mean: Any, variance: Any) -> None:
        """Adds the update to the collections."""

        def moved() -> list[Any]:
            updates: list[Any] = smart_cond(self.is_training, lambda: self._move(mean, variance), self.current)
            return updates

        waiting = deferred(moved)
        for update in moved() if waiting is None else [waiting]:
            add_to_collections(self.collections, update)

    def current(self) -> list[Any]:
        """The moving averages as they are."""
        return [tf.convert_to_tensor(each) for each in self.moving]


@add_arg_scope
def batch_norm(
    inputs: Any,
    decay: Any = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: dict[str, Any] | None = None,
    param_regularizers: dict[str, Any] | None = None,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: Any = None,
    renorm: bool = False,
    renorm_clipping: dict[str, Any] | None = None,
    renorm_decay: Any = 0.99,
    adjustment: Any = None,
) -> Any:
    """Batch normalization. Stands for ``tf.contrib.layers.batch_norm``.

    Variables ``beta`` and ``gamma`` (where ``scale``), ``moving_mean`` and ``moving_variance`` in the scope
    ``BatchNorm``, or the one named.

    Args:
        inputs: a tensor of any rank with the channels last (``NHWC``) or second (``NCHW``).
        decay: of the moving averages.
        param_initializers, param_regularizers: by the variable's name.
        updates_collections: where the updates of the averages go; None makes them part of the output's computation.
        is_training: a bool or a boolean tensor: normalize with the batch's statistics and move the averages.
        batch_weights: a weight for each example.
        fused: False forbids the fused kernel.
        zero_debias_moving_mean: corrects the moving mean for having begun at zero.
        renorm, renorm_clipping, renorm_decay, adjustment: as :class:`compat.layers.BatchNormalization`.

    Raises:
        ValueError: unknown channels, an unknown data format, or renormalization with what it does not go with.
    """
    allow_fused = True if fused is None else fused
    inputs = tf.convert_to_tensor(inputs)
    rank = inputs.shape.rank
    plain = batch_weights is None and not zero_debias_moving_mean and updates_collections == GraphKeys.UPDATE_OPS
    fusible = batch_weights is None and not renorm and rank in (2, 4) and adjustment is None
    use_kernel = allow_fused and fusible and (rank == 2 or not plain)
    if renorm and not plain:
        raise ValueError("renorm is not supported with batch_weights, updates_collections or zero_debias_moving_mean")
    layers_format(data_format, ("NCHW", "NHWC"))
    getter = None if use_kernel else build_variable_getter()
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=getter) as sc:
        if plain and not use_kernel:
            layer = BatchNormalization(
                axis=1 if data_format == "NCHW" else -1,
                momentum=decay,
                epsilon=epsilon,
                center=center,
                scale=scale,
                trainable=trainable,
                renorm=renorm,
                renorm_clipping=renorm_clipping,
                renorm_momentum=renorm_decay,
                adjustment=adjustment,
                name=sc.name,
                fused=allow_fused,
                _scope=sc,
                _reuse=reuse,
                **_layer_options(param_initializers or {}, param_regularizers or {}),
            )
            outputs = _call_layer(layer, inputs, is_training, variables_collections)
        else:
            parameters = _Parameters(
                _channels(inputs, data_format),
                tf.float32 if use_kernel else inputs.dtype,
                param_initializers or {},
                (param_regularizers or {}) if use_kernel else {},
                variables_collections,
                trainable,
            )
            beta = parameters.make("beta", True) if center else None
            gamma = parameters.make("gamma", True) if scale else None
            updates = _Updates(
                parameters.statistics(), decay, zero_debias_moving_mean, updates_collections, is_training
            )
            compute = _fused if use_kernel else _with_moments
            outputs = compute(inputs, beta, gamma, updates, epsilon, data_format, batch_weights)
            outputs.set_shape(inputs.shape)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


def _layer_options(initializers: dict[str, Any], regularizers: dict[str, Any]) -> dict[str, Any]:
    """Initializers and regularizers by the names that the layer gives its arguments."""
    options = {f"{name}_initializer": initializers.get(name, make) for name, make in _INITIALIZERS.items()}
    return {**options, **{f"{name}_regularizer": regularizers.get(name) for name in ("beta", "gamma")}}


def _call_layer(layer: BatchNormalization, inputs: Any, is_training: Any, variables_collections: Any) -> Any:
    outputs = layer(inputs, training=is_training)
    for name in ("moving_mean", "moving_variance", "beta", "gamma"):
        if getattr(layer, name) is not None:
            add_variable_to_collections(getattr(layer, name), variables_collections, name)
    return outputs


def _channels(inputs: Any, data_format: str) -> tf.TensorShape:
    shape = inputs.shape
    if shape.rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    channels = shape[1:2] if data_format == "NCHW" else shape[-1:]
    if not channels.is_fully_defined():
        raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {channels}.")
    return channels


def _fused(
    inputs: Any, beta: Any, gamma: Any, updates: _Updates, epsilon: float, data_format: str, batch_weights: Any
) -> Any:
    """The fused kernel, for matrices too."""
    del batch_weights
    size = _channels(inputs, data_format)[0]
    images = inputs
    if inputs.shape.rank == 2:
        images = tf.reshape(inputs, [-1, size, 1, 1] if data_format == "NCHW" else [-1, 1, 1, size])
    gamma = tf.ones([size]) if gamma is None else gamma
    beta = tf.zeros([size]) if beta is None else beta
    options: dict[str, Any] = {"epsilon": epsilon, "data_format": data_format}
    outputs, mean, variance = smart_cond(
        updates.is_training,
        lambda: fused_batch_norm(images, gamma, beta, **options),
        lambda: fused_batch_norm(images, gamma, beta, *updates.moving, is_training=False, **options),
    )
    if known_bool(updates.is_training) is not False:
        if updates.collections is None:
            (outputs,) = updates.forced(mean, variance, [outputs], lambda: [outputs])
        else:
            updates.collect(mean, variance)
    return tf.reshape(outputs, tf.shape(inputs)) if inputs.shape.rank == 2 else outputs


def _with_moments(
    inputs: Any, beta: Any, gamma: Any, updates: _Updates, epsilon: float, data_format: str, batch_weights: Any
) -> Any:
    """Mean and variance computed by themselves."""
    rank = inputs.shape.rank
    first = data_format == "NCHW"
    mean, variance = updates.moving
    if known_bool(updates.is_training) is not False:
        axes = [0, *range(2, rank)] if first else list(range(rank - 1))
        of_batch = _moments(inputs, axes, batch_weights)
        if updates.collections is None:
            mean, variance = updates.forced(*of_batch, list(of_batch), updates.current)
        else:
            updates.collect(*of_batch)
            mean, variance = smart_cond(updates.is_training, lambda: list(of_batch), updates.current)
    spread = [1, inputs.shape[1], *[1] * (rank - 2)]
    terms = [
        None if term is None else tf.reshape(term, spread) if first else term for term in (mean, variance, beta, gamma)
    ]
    return tf.nn.batch_normalization(inputs, *terms, epsilon)


def _moments(inputs: Any, axes: list[int], batch_weights: Any) -> tuple[Any, Any]:
    if batch_weights is None:
        return tf.nn.moments(inputs, axes)
    weights = tf.convert_to_tensor(batch_weights)
    inputs.shape[0:1].assert_is_compatible_with(weights.shape)
    weights = tf.reshape(weights, [-1, *[1] * (inputs.shape.rank - 1)])
    return tf.nn.weighted_moments(inputs, axes, weights)
