"""Layer, instance and group normalization, and biases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...initializers import ones_initializer, zeros_initializer
from ...variables.variable_scope import variable_scope
from ..framework.arg_scope import add_arg_scope
from ..framework.variables import model_variable
from .utils import collect_named_outputs, get_variable_collections, layers_format


def _beta_and_gamma(
    inputs: Any,
    shape: Any,
    center: bool,
    scale: bool,
    initializers: dict[str, Any] | None,
    variables_collections: Any,
    trainable: bool,
) -> list[Any]:
    """The two variables, or None for one that is not wanted."""
    made = []
    for name, wanted, default in (("beta", center, zeros_initializer), ("gamma", scale, ones_initializer)):
        variable = None
        if wanted:
            variable = model_variable(
                name,
                shape=shape,
                dtype=inputs.dtype,
                initializer=(initializers or {}).get(name, default),
                collections=get_variable_collections(variables_collections, name),
                trainable=trainable,
            )
        made.append(variable)
    return made


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[..., Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Any:
    """Normalizes each example over the axes from ``begin_norm_axis``. Stands for ``tf.contrib.layers.layer_norm``.

    Variables ``beta`` and ``gamma`` of the axes from ``begin_params_axis`` in the scope ``LayerNorm``, or that named.

    Raises:
        ValueError: an unknown rank or size, or an axis that is not there.
    """
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = tf.convert_to_tensor(inputs)
        shape = inputs.shape
        if shape.rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        begin = begin_norm_axis + shape.rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= shape.rank or begin >= shape.rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({begin}) must be < rank(inputs) "
                f"({shape.rank})"
            )
        sizes = shape[begin_params_axis:]
        if not sizes.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: {shape}")
        beta, gamma = _beta_and_gamma(inputs, sizes, center, scale, None, variables_collections, trainable)
        mean, variance = tf.nn.moments(inputs, list(range(begin, shape.rank)), keepdims=True)
        epsilon = 1e-3 if inputs.dtype == tf.float16 else 1e-12
        outputs = tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
        outputs.set_shape(shape)
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def instance_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: dict[str, Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Any:
    """Normalizes each channel of each example. Stands for ``tf.contrib.layers.instance_norm``.

    Variables ``beta`` and ``gamma`` ``[channels]`` in the scope ``InstanceNorm``, or the one named.

    Raises:
        ValueError: an unknown rank or number of channels.
    """
    inputs = tf.convert_to_tensor(inputs)
    rank = inputs.shape.rank
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    first = layers_format(data_format, ("NCHW", "NHWC")) == "channels_first"
    with variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        axis = 1 if first else rank - 1
        channels = inputs.shape[axis : axis + 1]
        if not channels.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {channels}.")
        terms = _beta_and_gamma(inputs, channels, center, scale, param_initializers, variables_collections, trainable)
        if first:
            spread = [1, channels[0], *[1] * (rank - 2)]
            terms = [None if term is None else tf.reshape(term, spread) for term in terms]
        axes = [each for each in range(1, rank) if each != axis]
        mean, variance = tf.nn.moments(inputs, axes, keepdims=True)
        outputs = tf.nn.batch_normalization(inputs, mean, variance, *terms, epsilon, name="instancenorm")
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def group_norm(
    inputs: Any,
    groups: int = 32,
    channels_axis: int = -1,
    reduction_axes: Sequence[int] = (-3, -2),
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: dict[str, Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    mean_close_to_zero: bool = False,
) -> Any:
    """Normalizes each group of channels of each example. Stands for ``tf.contrib.layers.group_norm``.

    Variables ``beta`` and ``gamma`` ``[channels]`` in the scope ``GroupNorm``, or the one named.

    Args:
        reduction_axes: the axes, besides the group's channels, that are normalized together.
        mean_close_to_zero: computes the variance in one go, as the mean of squares less the squared mean.

    Raises:
        ValueError: sizes that are unknown, groups that do not divide the channels, axes that overlap.
    """
    inputs = tf.convert_to_tensor(inputs)
    axis, axes = _group_axes(inputs, groups, channels_axis, reduction_axes)
    channels = inputs.shape[axis]
    actual = tf.shape(inputs)
    sizes = [actual[index] if size is None else size for index, size in enumerate(inputs.shape)]
    cut = [groups, channels // groups]
    grouped = tf.reshape(inputs, [*sizes[:axis], *cut, *sizes[axis + 1 :]])
    with variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        terms = _beta_and_gamma(inputs, [channels], center, scale, param_initializers, variables_collections, trainable)
        spread = [1] * axis + cut + [1] * (len(sizes) - axis - 1)
        beta, gamma = (None if term is None else tf.reshape(term, spread) for term in terms)
        moments_axes = [axis + 1, *(each + 1 if each > axis else each for each in axes)]
        if mean_close_to_zero:
            counts, sums, squares, _ = tf.nn.sufficient_statistics(grouped, moments_axes, keepdims=True)
            mean, variance = tf.nn.normalize_moments(counts, sums, squares, shift=None)
        else:
            mean, variance = tf.nn.moments(grouped, moments_axes, keepdims=True)
        gain = tf.math.rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain, offset = gain * gamma, offset * gamma
        if beta is not None:
            offset = offset + beta
        outputs = tf.reshape(grouped * gain + offset, sizes)
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


def _group_axes(inputs: Any, groups: int, channels_axis: int, reduction_axes: Sequence[int]) -> tuple[int, list[int]]:
    """The channels' axis and the others, counted from the front and checked."""
    rank = inputs.shape.rank
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    axis = channels_axis + rank if channels_axis < 0 else channels_axis
    axes = [each + rank if each < 0 else each for each in reduction_axes]
    if axis > rank - 1 or any(each > rank - 1 for each in axes):
        raise ValueError("Axis is out of bounds.")
    channels = inputs.shape[axis]
    if channels is None:
        raise ValueError(f"Inputs {inputs.name} has undefined channel dimension: {axis}.")
    for each in axes:
        if inputs.shape[each] is None:
            raise ValueError(f"Inputs {inputs.name} has undefined dimensions {each}.")
    if axis in axes:
        raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    return axis, axes


@add_arg_scope
def bias_add(
    inputs: Any,
    activation_fn: Callable[..., Any] | None = None,
    initializer: Any = zeros_initializer,
    regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Any:
    """Adds a bias to each channel. Stands for ``tf.contrib.layers.bias_add``.

    Variable ``biases`` ``[channels]`` in the scope ``BiasAdd``, or the one named.

    Raises:
        ValueError: unknown channels, or ``NCHW`` of a rank other than 4.
    """
    first = layers_format(data_format, ("NCHW", "NHWC")) == "channels_first"
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = tf.convert_to_tensor(inputs)
        shape = inputs.shape
        if shape.rank is None:
            raise ValueError("Dims of shape must be known but is None")
        if shape.rank != 4 and first:
            raise ValueError("Data format NCHW only supports 4D Tensor")
        channels = shape[1 if first else -1]
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        biases = model_variable(
            "biases",
            shape=[channels],
            dtype=inputs.dtype,
            initializer=initializer,
            regularizer=regularizer,
            collections=get_variable_collections(variables_collections, "biases"),
            trainable=trainable,
        )
        outputs = tf.nn.bias_add(inputs, biases, data_format=data_format)
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_named_outputs(outputs_collections, sc.name, outputs)
