"""Separable and in-plane convolutions of contrib."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...initializers import zeros_initializer
from ...layers.separable import SeparableConv2D
from ...variables.variable_scope import variable_scope
from ..framework.arg_scope import add_arg_scope
from ..framework.variables import model_variable
from .dense import finish
from .initializers import XAVIER
from .model_variables import add_variable_to_collections, build_variable_getter
from .utils import (
    channel_dimension,
    collect_named_outputs,
    get_variable_collections,
    last_dimension,
    layers_format,
    two_element_tuple,
)

_RENAMED = {
    "bias": "biases",
    "depthwise_kernel": "depthwise_weights",
    "pointwise_kernel": "pointwise_weights",
}


@add_arg_scope
def separable_convolution2d(
    inputs: Any,
    num_outputs: int | None,
    kernel_size: Any,
    depth_multiplier: int = 1,
    stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    rate: Any = 1,
    activation_fn: Callable[..., Any] | None = tf.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = XAVIER,
    pointwise_initializer: Any = None,
    weights_regularizer: Any = None,
    biases_initializer: Any = zeros_initializer,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """A depthwise convolution, and a pointwise one after it. Stands for ``tf.contrib.layers.separable_convolution2d``.

    Variables ``depthwise_weights`` ``[size, size, inputs, depth_multiplier]``, ``pointwise_weights``
    ``[1, 1, inputs·depth_multiplier, num_outputs]`` and ``biases`` in the scope ``SeparableConv2d``, or the one named.

    Args:
        num_outputs: None leaves out the pointwise convolution.
        pointwise_initializer: ``weights_initializer`` unless said.

    Other arguments as :func:`.convolution.convolution`.
    """
    df = layers_format(data_format, ("NCHW", "NHWC"))
    getter = build_variable_getter(_RENAMED)
    with variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        has_bias = bool(not normalizer_fn and biases_initializer)
        if num_outputs is None:
            outputs = _depthwise(
                inputs,
                [*two_element_tuple(kernel_size), channel_dimension(inputs.shape, df, min_rank=4), depth_multiplier],
                two_element_tuple(stride),
                padding,
                two_element_tuple(rate),
                data_format,
                {
                    "initializer": weights_initializer,
                    "regularizer": weights_regularizer,
                    "trainable": trainable,
                    "collections": get_variable_collections(variables_collections, "weights"),
                },
            )
            if has_bias:
                biases = _biases(outputs, df, biases_initializer, biases_regularizer, trainable, variables_collections)
                outputs = tf.nn.bias_add(outputs, biases, data_format=data_format)
        else:
            layer = SeparableConv2D(
                filters=num_outputs,
                kernel_size=kernel_size,
                strides=stride,
                padding=padding,
                data_format=df,
                dilation_rate=two_element_tuple(rate),
                depth_multiplier=depth_multiplier,
                use_bias=has_bias,
                depthwise_initializer=weights_initializer,
                pointwise_initializer=weights_initializer if pointwise_initializer is None else pointwise_initializer,
                bias_initializer=biases_initializer,
                depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer,
                trainable=trainable,
                name=sc.name,
                dtype=inputs.dtype,
                _scope=sc,
                _reuse=reuse,
            )
            outputs = layer(inputs)
            add_variable_to_collections(layer.depthwise_kernel, variables_collections, "weights")
            add_variable_to_collections(layer.pointwise_kernel, variables_collections, "weights")
            if layer.bias is not None:
                add_variable_to_collections(layer.bias, variables_collections, "biases")
        outputs = finish(outputs, normalizer_fn, normalizer_params, activation_fn)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


def _depthwise(
    inputs: Any,
    shape: list[int],
    stride: tuple[int, int],
    padding: str,
    rate: tuple[int, int],
    data_format: str,
    options: dict[str, Any],
) -> Any:
    weights = model_variable("depthwise_weights", shape=shape, dtype=inputs.dtype, **options)
    strides = [1, 1, *stride] if data_format.startswith("NC") else [1, *stride, 1]
    return tf.nn.depthwise_conv2d(inputs, weights, strides, padding, data_format=data_format, dilations=list(rate))


def _biases(
    outputs: Any, data_format: str, initializer: Any, regularizer: Any, trainable: bool, variables_collections: Any
) -> Any:
    return model_variable(
        "biases",
        shape=[channel_dimension(outputs.shape, data_format)],
        dtype=outputs.dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=get_variable_collections(variables_collections, "biases"),
    )


@add_arg_scope
def convolution2d_in_plane(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 1,
    padding: str = "SAME",
    activation_fn: Callable[..., Any] | None = tf.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = XAVIER,
    weights_regularizer: Any = None,
    biases_initializer: Any = zeros_initializer,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """The same one-channel kernel over each channel. Stands for ``tf.contrib.layers.convolution2d_in_plane``.

    Variables ``weights`` ``[height, width, 1, 1]`` and ``biases`` ``[inputs]`` in the scope ``ConvInPlane``, or the one
    named; arguments as :func:`.convolution.convolution`.
    """
    with variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as sc:
        channels = last_dimension(inputs.shape, min_rank=4)
        weights = model_variable(
            "weights",
            shape=[*two_element_tuple(kernel_size), 1, 1],
            dtype=inputs.dtype,
            initializer=weights_initializer,
            regularizer=weights_regularizer,
            collections=get_variable_collections(variables_collections, "weights"),
            trainable=trainable,
        )
        kernel = tf.tile(weights, [1, 1, channels, 1])
        outputs = tf.nn.depthwise_conv2d(inputs, kernel, [1, *two_element_tuple(stride), 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            biases = _biases(
                outputs, "channels_last", biases_initializer, biases_regularizer, trainable, variables_collections
            )
            outputs = tf.nn.bias_add(outputs, biases)
        outputs = finish(outputs, normalizer_fn, normalizer_params, activation_fn)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


separable_conv2d = separable_convolution2d
conv2d_in_plane = convolution2d_in_plane
