"""Pooling of contrib."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...layers.geometry import as_tuple
from ...layers.pooling import AveragePooling2D, AveragePooling3D, MaxPooling2D, MaxPooling3D
from ...variables.name_scope import name_scope
from ..framework.arg_scope import add_arg_scope
from .utils import collect_named_outputs, layers_format

_IMAGES = ("NCHW", "NHWC")
_VOLUMES = ("NCDHW", "NDHWC")


def _pooled(
    layer: type,
    default: str,
    formats: tuple[str, str],
    inputs: Any,
    kernel_size: Any,
    stride: Any,
    padding: str,
    data_format: str,
    outputs_collections: Any,
    scope: Any,
) -> Any:
    df = layers_format(data_format, formats)
    with name_scope(scope, default, [inputs]) as sc:
        pool = layer(pool_size=kernel_size, strides=stride, padding=padding, data_format=df, _scope=sc)
        return collect_named_outputs(outputs_collections, sc, pool(tf.convert_to_tensor(inputs)))


@add_arg_scope
def avg_pool2d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """The average of 2-D windows, two apart unless said. Stands for ``tf.contrib.layers.avg_pool2d``."""
    return _pooled(
        AveragePooling2D,
        "AvgPool2D",
        _IMAGES,
        inputs,
        kernel_size,
        stride,
        padding,
        data_format,
        outputs_collections,
        scope,
    )


@add_arg_scope
def avg_pool3d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """The average of 3-D windows, two apart unless said. Stands for ``tf.contrib.layers.avg_pool3d``."""
    return _pooled(
        AveragePooling3D,
        "AvgPool3D",
        _VOLUMES,
        inputs,
        kernel_size,
        stride,
        padding,
        data_format,
        outputs_collections,
        scope,
    )


@add_arg_scope
def max_pool2d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """The maximum of 2-D windows, two apart unless said. Stands for ``tf.contrib.layers.max_pool2d``."""
    return _pooled(
        MaxPooling2D,
        "MaxPool2D",
        _IMAGES,
        inputs,
        kernel_size,
        stride,
        padding,
        data_format,
        outputs_collections,
        scope,
    )


@add_arg_scope
def max_pool3d(
    inputs: Any,
    kernel_size: Any,
    stride: Any = 2,
    padding: str = "VALID",
    data_format: str = "NDHWC",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """The maximum of 3-D windows, two apart unless said. Stands for ``tf.contrib.layers.max_pool3d``."""
    return _pooled(
        MaxPooling3D,
        "MaxPool3D",
        _VOLUMES,
        inputs,
        kernel_size,
        stride,
        padding,
        data_format,
        outputs_collections,
        scope,
    )


@add_arg_scope
def pool(
    inputs: Any,
    kernel_size: Any,
    pooling_type: str,
    padding: str = "VALID",
    data_format: str | None = None,
    dilation_rate: Any = 1,
    stride: Any = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Pooling of inputs of any rank. Stands for ``tf.contrib.layers.pool``.

    Args:
        pooling_type: ``AVG`` or ``MAX``.
        kernel_size, dilation_rate, stride: one number, or one for each spatial axis.

    Raises:
        ValueError: the rank is unknown or below 3.
    """
    with name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if rank is None:
            raise ValueError("Rank of inputs must be known")
        if rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        outputs = tf.nn.pool(
            inputs,
            as_tuple(kernel_size, rank - 2, "kernel_size"),
            pooling_type,
            strides=as_tuple(stride, rank - 2, "stride"),
            padding=padding,
            data_format=data_format,
            dilations=as_tuple(dilation_rate, rank - 2, "dilation_rate"),
            name=sc,
        )
        return collect_named_outputs(outputs_collections, sc, outputs)
