"""Spatial softmax."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...initializers import constant_initializer, ones_initializer
from ...variables.variable_scope import variable_scope
from ..framework.arg_scope import add_arg_scope
from ..framework.variables import model_variable
from .utils import channel_dimension, get_variable_collections, layers_format


@add_arg_scope
def spatial_softmax(
    features: Any,
    temperature: Any = None,
    name: str | None = None,
    variables_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
) -> Any:
    """The expected position of each channel's activation. Stands for ``tf.contrib.layers.spatial_softmax``.

    Args:
        features: ``[batch, height, width, channels]``.
        temperature: initial value of the variable ``temperature``, 1 by default.

    Returns:
        ``[batch, 2·channels]``: for each channel x and y in ``[-1, 1]``.
    """
    df = layers_format(data_format, ("NCHW", "NHWC"))
    with variable_scope(name, "spatial_softmax"):
        channels = channel_dimension(features.shape, df)
        moved = features if df == "channels_first" else tf.transpose(features, [0, 3, 1, 2])
        height, width = tf.shape(moved)[2], tf.shape(moved)[3]
        # TF1 ran x along the height.
        x, y = tf.meshgrid(tf.linspace(-1.0, 1.0, height), tf.linspace(-1.0, 1.0, width), indexing="ij")
        collections = get_variable_collections(variables_collections, "temperature") if trainable else None
        scale = model_variable(
            "temperature",
            shape=(),
            dtype=tf.float32,
            initializer=ones_initializer() if temperature is None else constant_initializer(temperature),
            collections=collections,
            trainable=trainable,
        )
        attention = tf.nn.softmax(tf.reshape(moved, [-1, height * width]) / scale)
        expected = [
            tf.reduce_sum(tf.reshape(position, [height * width]) * attention, [1], keepdims=True) for position in (x, y)
        ]
        points = tf.reshape(tf.concat(expected, 1), [-1, channels * 2])
        if not tf.executing_eagerly():
            points.set_shape([None, channels * 2])
        return points
