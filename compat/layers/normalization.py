"""Batch normalization."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .. import counting
from ..initializers import ones_initializer, zeros_initializer
from ..variables.assignment import assign, assign_sub
from .base import Layer
from .branching import known_bool, smart_cond
from .fused_normalization import fused_batch_norm
from .identifiers import initializer_for
from .input_spec import InputSpec


class BatchNormalization(Layer):
    """``gamma · (inputs - mean) / sqrt(variance + epsilon) + beta``. Stands for ``tf.layers.BatchNormalization``.

    In training mean and variance are the batch's, and updates of the moving ones join ``UPDATE_OPS``; they take effect
    under the bridge when a train op depends on them, in plain TF2 at once, or where :func:`compat.run_updates` makes
    them if the store defers updates. Variables ``gamma``, ``beta``,
    ``moving_mean`` and ``moving_variance`` have the sizes of ``axis``.

    Args:
        axis: the axis (or list of axes) that is normalized each for itself; the channels.
        momentum: decay of the moving statistics.
        center, scale: whether there is a beta and a gamma.
        renorm, renorm_clipping, renorm_momentum: batch renormalization, with bounds ``rmax``, ``rmin``, ``dmax``.
        fused: False forbids the fused kernel, which is taken for 4-D inputs; it keeps the moving variance with Bessel's
            correction.
        virtual_batch_size: normalizes parts of that size of the batch each for itself.
        adjustment: a function of the input's shape that gives a scale and an offset for training.
    """

    def __init__(
        self,
        axis: Any = -1,
        momentum: Any = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = zeros_initializer,
        gamma_initializer: Any = ones_initializer,
        moving_mean_initializer: Any = zeros_initializer,
        moving_variance_initializer: Any = ones_initializer,
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        renorm_clipping: dict[str, Any] | None = None,
        renorm_momentum: Any = 0.99,
        fused: bool | None = None,
        trainable: bool = True,
        virtual_batch_size: int | None = None,
        adjustment: Callable[[Any], tuple[Any, Any]] | None = None,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        if not isinstance(axis, int | list | tuple):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.axis = [axis] if isinstance(axis, int) else list(axis)
        self.momentum = momentum
        self.epsilon = epsilon
        self.center = center
        self.scale = scale
        self.beta_initializer = beta_initializer
        self.gamma_initializer = gamma_initializer
        self.moving_mean_initializer = moving_mean_initializer
        self.moving_variance_initializer = moving_variance_initializer
        self.beta_regularizer = beta_regularizer
        self.gamma_regularizer = gamma_regularizer
        self.beta_constraint = beta_constraint
        self.gamma_constraint = gamma_constraint
        self.renorm = renorm
        self.renorm_clipping = renorm_clipping or {}
        if unknown := set(self.renorm_clipping) - {"rmax", "rmin", "dmax"}:
            raise ValueError(f"renorm_clipping {renorm_clipping} contains keys not known: {sorted(unknown)}")
        self.renorm_momentum = renorm_momentum
        self.fused = True if fused is None else fused
        self.virtual_batch_size = virtual_batch_size
        self.adjustment = adjustment
        self.gamma: Any = None
        self.beta: Any = None

    # -- variables ----------------------------------------------------------------------------------------------------

    @property
    def _param_dtype(self) -> tf.DType:
        dtype = tf.as_dtype(self.dtype or tf.float32)
        return tf.float32 if dtype in (tf.float16, tf.bfloat16) else dtype

    def build(self, input_shape: Any) -> None:
        shape = tf.TensorShape(input_shape)
        if not shape.rank:
            raise ValueError("Input has undefined rank:", shape)
        self._resolve_axes(shape)
        sizes = self._sizes(shape)
        if self.scale:
            self.gamma = self._parameter("gamma", sizes)
        if self.center:
            self.beta = self._parameter("beta", sizes)
        scope = self._scope
        partitioner = scope.partitioner if scope is not None else None
        # The moving statistics are never partitioned.
        if scope is not None:
            scope.set_partitioner(None)
        try:
            self._add_statistics(sizes)
        finally:
            if scope is not None and partitioner:
                scope.set_partitioner(partitioner)
        self.built = True

    def _resolve_axes(self, shape: tf.TensorShape) -> None:
        rank = shape.rank
        self.axis = [axis + rank if axis < 0 else axis for axis in self.axis]
        for axis in self.axis:
            if not 0 <= axis < rank:
                raise ValueError(f"Invalid axis: {axis}")
        if len(set(self.axis)) != len(self.axis):
            raise ValueError(f"Duplicate axis: {self.axis}")
        if self.virtual_batch_size is not None:
            if self.virtual_batch_size <= 0:
                raise ValueError(
                    "virtual_batch_size must be a positive integer that divides the true batch size of the input Tensor"
                )
            if 0 in self.axis:
                raise ValueError(
                    "When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot include 0"
                )
            if self.adjustment is not None:
                raise ValueError("When using virtual_batch_size, adjustment cannot be specified")
        plain = not self.renorm and self.virtual_batch_size is None and self.adjustment is None
        self.fused = bool(self.fused and rank == 4 and plain and self.axis in ([1], [3]))

    def _sizes(self, shape: tf.TensorShape) -> list[int]:
        sizes = {axis: shape[axis] for axis in self.axis}
        if None in sizes.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", shape)
        self.input_spec = InputSpec(ndim=shape.rank, axes=dict(sizes))
        if len(sizes) == 1 and self.virtual_batch_size is None:
            return list(sizes.values())
        spread = [sizes.get(axis, 1) for axis in range(shape.rank)]
        if self.virtual_batch_size is not None:
            spread.insert(1, 1)
            self.axis = [axis + 1 for axis in self.axis]
        return spread

    def _parameter(self, name: str, shape: list[int]) -> Any:
        return self.add_weight(
            name,
            shape=shape,
            dtype=self._param_dtype,
            initializer=getattr(self, f"{name}_initializer"),
            regularizer=getattr(self, f"{name}_regularizer"),
            constraint=getattr(self, f"{name}_constraint"),
        )

    def _statistic(self, name: str, shape: list[int], initializer: Any) -> Any:
        return self.add_weight(
            name,
            shape=shape,
            dtype=self._param_dtype,
            initializer=initializer,
            synchronization=tf.VariableSynchronization.ON_READ,
            trainable=False,
            aggregation=tf.VariableAggregation.MEAN,
        )

    def _add_statistics(self, shape: list[int]) -> None:
        self.moving_mean = self._statistic("moving_mean", shape, self.moving_mean_initializer)
        self.moving_variance = self._statistic("moving_variance", shape, self.moving_variance_initializer)
        if not self.renorm:
            return
        variance = initializer_for(self.moving_variance_initializer)

        def stddev(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
            return tf.sqrt(variance(shape, dtype=dtype))

        self.moving_stddev = self._statistic("moving_stddev", shape, stddev)
        self.renorm_mean = self._statistic("renorm_mean", shape, self.moving_mean_initializer)
        self.renorm_stddev = self._statistic("renorm_stddev", shape, stddev)

    # -- updates ------------------------------------------------------------------------------------------------------

    def _move(self, variable: Any, value: Any, momentum: Any) -> Any:
        """Moves a moving average towards ``value``."""
        with tf.name_scope("AssignMovingAvg") as scope:
            decay = tf.cast(tf.convert_to_tensor(1.0 - momentum, name="decay"), variable.dtype)
            return assign_sub(variable, (variable - tf.cast(value, variable.dtype)) * decay, name=scope)

    def _move_variance(self, variance: Any, momentum: Any) -> Any:
        if not self.renorm:
            return self._move(self.moving_variance, variance, momentum)
        stddev = self._move(self.moving_stddev, tf.sqrt(variance + self.epsilon), momentum)
        # Rounding may make the difference negative.
        return self._assign_new(self.moving_variance, tf.nn.relu(stddev * stddev - self.epsilon))

    def _assign_new(self, variable: Any, value: Any) -> Any:
        with tf.name_scope("AssignNewValue") as scope:
            return assign(variable, value, name=scope)

    # -- computation --------------------------------------------------------------------------------------------------

    def call(self, inputs: Any, training: Any = False) -> Any:
        if self.fused:
            return self._call_fused(inputs, training)
        if self.virtual_batch_size is None:
            return self._call_plain(inputs, training)
        original = [-1, *inputs.shape.as_list()[1:]]
        parts = tf.reshape(inputs, [self.virtual_batch_size, *original])
        return tf.reshape(self._call_plain(parts, training), original)

    def _call_fused(self, inputs: Any, training: Any) -> Any:
        size = inputs.shape[self.axis[0]]
        gamma = self.gamma if self.scale else tf.ones([size], self._param_dtype)
        beta = self.beta if self.center else tf.zeros([size], self._param_dtype)
        options: dict[str, Any] = {"epsilon": self.epsilon, "data_format": "NCHW" if self.axis == [1] else "NHWC"}
        output, mean, variance = smart_cond(
            training,
            lambda: fused_batch_norm(inputs, gamma, beta, **options),
            lambda: fused_batch_norm(
                inputs, gamma, beta, self.moving_mean, self.moving_variance, is_training=False, **options
            ),
        )
        known = known_bool(training)
        if known is not False:
            if known is None:
                # The kernel has run in either case; a momentum of one leaves the averages as they are.
                momentum = smart_cond(training, lambda: tf.constant(self.momentum), lambda: tf.constant(1.0))
            else:
                momentum = tf.convert_to_tensor(self.momentum)
            self.add_update(lambda: self._move(self.moving_mean, mean, momentum))
            self.add_update(lambda: self._move_variance(variance, momentum))
        else:
            counting.add(1)  # TF1 made a momentum of one.
        return output

    def _call_plain(self, inputs: Any, training: Any) -> Any:
        rank = inputs.shape.rank
        reduced = [axis for axis in range(rank) if axis not in self.axis]
        if self.virtual_batch_size is not None:
            del reduced[1]

        def broadcast(value: Any) -> Any:
            if value is None or len(value.shape) == rank or reduced == list(range(rank - 1)):
                return value
            return tf.reshape(value, [inputs.shape[axis] if axis == self.axis[0] else 1 for axis in range(rank)])

        scale, offset = broadcast(self.gamma), broadcast(self.beta)
        if known_bool(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment is not None:
                scale, offset = self._adjusted(inputs, training, scale, offset)
            mean, variance, correction = self._statistics(inputs, training, reduced)
            if correction is not None:
                r, d = (broadcast(tf.stop_gradient(each)) for each in correction)
                scale, offset = _compose(r, d, scale, offset)
        cast = [None if each is None else tf.cast(each, inputs.dtype) for each in (mean, variance, offset, scale)]
        outputs = tf.nn.batch_normalization(
            inputs, broadcast(cast[0]), broadcast(cast[1]), cast[2], cast[3], self.epsilon
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def _adjusted(self, inputs: Any, training: Any, scale: Any, offset: Any) -> tuple[Any, Any]:
        by, bias = self.adjustment(tf.shape(inputs)) if self.adjustment else (None, None)
        by = smart_cond(training, lambda: by, lambda: tf.ones_like(by))
        bias = smart_cond(training, lambda: bias, lambda: tf.zeros_like(bias))
        return _compose(by, bias, scale, offset)

    def _statistics(self, inputs: Any, training: Any, reduced: list[int]) -> tuple[Any, Any, Any]:
        """Mean and variance to normalize with, and the correction ``(r, d)`` of renormalization; adds the updates."""
        keep = self.virtual_batch_size is not None or len(self.axis) > 1
        of_batch = tf.nn.moments(tf.cast(inputs, self._param_dtype), reduced, keepdims=keep)
        mean = smart_cond(training, lambda: of_batch[0], lambda: tf.convert_to_tensor(self.moving_mean))
        variance = smart_cond(training, lambda: of_batch[1], lambda: tf.convert_to_tensor(self.moving_variance))
        new_mean, new_variance, correction = mean, variance, None
        if self.virtual_batch_size is not None:
            new_mean = tf.reduce_mean(mean, axis=1, keepdims=True)
            new_variance = tf.reduce_mean(variance, axis=1, keepdims=True)
        if self.renorm:
            correction, new_mean, new_variance = self._renormalize(new_mean, new_variance, training)

        def when_training(update: Callable[[], Any], variable: Any) -> Callable[[], Any]:
            return lambda: smart_cond(training, update, lambda: tf.convert_to_tensor(variable))

        self.add_update(when_training(lambda: self._move(self.moving_mean, new_mean, self.momentum), self.moving_mean))
        self.add_update(when_training(lambda: self._move_variance(new_variance, self.momentum), self.moving_variance))
        return mean, variance, correction

    def _renormalize(self, mean: Any, variance: Any, training: Any) -> tuple[tuple[Any, Any], Any, Any]:
        """The correction towards the moving statistics, and the batch's, given after these have been updated."""
        stddev = tf.sqrt(variance + self.epsilon)
        renorm_stddev = tf.maximum(self.renorm_stddev, tf.sqrt(self.epsilon))
        r = stddev / renorm_stddev
        d = (mean - self.renorm_mean) / renorm_stddev
        with tf.control_dependencies([r, d]):
            mean, stddev = tf.identity(mean), tf.identity(stddev)
        rmin, rmax, dmax = (self.renorm_clipping.get(key) for key in ("rmin", "rmax", "dmax"))
        r = r if rmin is None else tf.maximum(r, rmin)
        r = r if rmax is None else tf.minimum(r, rmax)
        d = d if dmax is None else tf.minimum(tf.maximum(d, -dmax), dmax)
        r = smart_cond(training, lambda: r, lambda: tf.ones_like(r))
        d = smart_cond(training, lambda: d, lambda: tf.zeros_like(d))
        moved = [
            smart_cond(
                training,
                functools.partial(self._move, variable, value, self.renorm_momentum),
                functools.partial(tf.convert_to_tensor, variable),
            )
            for variable, value in ((self.renorm_mean, mean), (self.renorm_stddev, stddev))
        ]
        with tf.control_dependencies(moved):
            return (r, d), tf.identity(mean), tf.identity(variance)


def _compose(scale: Any, offset: Any, then_scale: Any, then_offset: Any) -> tuple[Any, Any]:
    """One scale and offset for two in a row."""
    if then_scale is not None:
        scale, offset = scale * then_scale, offset * then_scale
    return scale, offset if then_offset is None else offset + then_offset


def batch_normalization(
    inputs: Any,
    axis: Any = -1,
    momentum: Any = 0.99,
    epsilon: float = 1e-3,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Any = zeros_initializer,
    gamma_initializer: Any = ones_initializer,
    moving_mean_initializer: Any = zeros_initializer,
    moving_variance_initializer: Any = ones_initializer,
    beta_regularizer: Any = None,
    gamma_regularizer: Any = None,
    beta_constraint: Any = None,
    gamma_constraint: Any = None,
    training: Any = False,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
    renorm: bool = False,
    renorm_clipping: dict[str, Any] | None = None,
    renorm_momentum: Any = 0.99,
    fused: bool | None = None,
    virtual_batch_size: int | None = None,
    adjustment: Any = None,
) -> Any:
    """Applies a new :class:`BatchNormalization`. Stands for ``tf.layers.batch_normalization``.

    Args as the class; ``training`` is a bool or a boolean tensor.

    Returns:
        A tensor of the inputs' shape.
    """
    layer = BatchNormalization(
        axis=axis,
        momentum=momentum,
        epsilon=epsilon,
        center=center,
        scale=scale,
        beta_initializer=beta_initializer,
        gamma_initializer=gamma_initializer,
        moving_mean_initializer=moving_mean_initializer,
        moving_variance_initializer=moving_variance_initializer,
        beta_regularizer=beta_regularizer,
        gamma_regularizer=gamma_regularizer,
        beta_constraint=beta_constraint,
        gamma_constraint=gamma_constraint,
        renorm=renorm,
        renorm_clipping=renorm_clipping,
        renorm_momentum=renorm_momentum,
        fused=fused,
        trainable=trainable,
        virtual_batch_size=virtual_batch_size,
        adjustment=adjustment,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer(inputs, training=training)
