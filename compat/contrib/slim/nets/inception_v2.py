"""The second version of Inception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import Scope, arg_scope
from ...layers.batch_norm import batch_norm
from ...layers.convolution import conv2d
from ...layers.pooling import avg_pool2d, max_pool2d
from ...layers.separable import separable_conv2d
from ...layers.shaping import dropout, softmax
from .classifier import trunc_normal as trunc_normal
from .inception_table import Table, check_final, depths, inception_arg_scope, pooled_logits, rows


def _mixed(
    first: int, second: tuple[int, int], third: tuple[int, int], last: int, pool: str = "Avg"
) -> tuple[str, ...]:
    return (
        f"0a_1x1 {first}",
        f"0a_1x1 {second[0]} ~0.09, 0b_3x3 {second[1]}",
        f"0a_1x1 {third[0]} ~0.09, 0b_3x3 {third[1]}, 0c_3x3 {third[1]}",
        f"{pool}Pool_0a_3x3, 0b_1x1 {last} ~0.1",
    )


def _reduced(first: tuple[int, int], second: tuple[int, int]) -> tuple[str, ...]:
    return (
        f"0a_1x1 {first[0]} ~0.09, 1a_3x3 {first[1]} /2",
        f"0a_1x1 {second[0]} ~0.09, 0b_3x3 {second[1]}, 1a_3x3 {second[1]} /2",
        "MaxPool_1a_3x3 /2",
    )


_FIRST = "Conv2d_1a_7x7"
_TABLE: Table = {
    "MaxPool_2a_3x3": "/2",
    "Conv2d_2b_1x1": "64 ~0.1",
    "Conv2d_2c_3x3": "192",
    "MaxPool_3a_3x3": "/2",
    "Mixed_3b": _mixed(64, (64, 64), (64, 96), 32),
    "Mixed_3c": _mixed(64, (64, 96), (64, 96), 64),
    "Mixed_4a": _reduced((128, 160), (64, 96)),
    "Mixed_4b": _mixed(224, (64, 96), (96, 128), 128),
    "Mixed_4c": _mixed(192, (96, 128), (96, 128), 128),
    "Mixed_4d": _mixed(160, (128, 160), (128, 160), 96),
    "Mixed_4e": _mixed(96, (128, 192), (160, 192), 96),
    "Mixed_5a": _reduced((128, 192), (192, 256)),
    "Mixed_5b": _mixed(352, (192, 320), (160, 224), 128),
    "Mixed_5c": _mixed(352, (192, 320), (192, 224), 128, pool="Max"),
}


def inception_v2_base(
    inputs: Any,
    final_endpoint: str = "Mixed_5c",
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """The layers in front of the logits. Stands for ``slim.nets.inception.inception_v2_base``.

    Args:
        inputs: images ``[batch, height, width, channels]``.
        final_endpoint: the name of the end point to stop at.
        min_depth, depth_multiplier: scale the channels of all layers, down to a number.

    Returns:
        What the final end point gives, and a dict of all end points up to it.

    Raises:
        ValueError: no such end point, or ``depth_multiplier`` is not above zero.

    >>> with compat.Graph().as_default():
    ...     net, end_points = inception_v2_base(tf.ones([1, 32, 32, 3]), "Mixed_3b")
    >>> net.shape, list(end_points)[:2]
    (TensorShape([1, 4, 4, 256]), ['Conv2d_1a_7x7', 'MaxPool_2a_3x3'])
    """
    depth = depths(depth_multiplier, min_depth)
    with (
        variable_scope(scope, "InceptionV2", [inputs]),
        arg_scope([conv2d, max_pool2d, avg_pool2d, separable_conv2d], stride=1, padding="SAME"),
    ):
        net = separable_conv2d(
            inputs,
            depth(64),
            [7, 7],
            depth_multiplier=min(int(depth(64) / 3), 8),
            stride=2,
            weights_initializer=trunc_normal(1.0),
            scope=_FIRST,
        )
        end_points = {_FIRST: net}
        if final_endpoint != _FIRST:
            net = rows(net, _TABLE, end_points, final_endpoint, depth)
        check_final(end_points, final_endpoint)
        return net, end_points


def inception_v2(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: Any = None,
    scope: Any = "InceptionV2",
) -> tuple[Any, dict[str, Any]]:
    """The second version of Inception. Stands for ``slim.nets.inception.inception_v2``.

    Args:
        inputs: images ``[batch, height, width, channels]``, of 224 by 224 pixels as a rule.
        is_training: a bool or a boolean tensor, for batch normalization and dropout.
        min_depth, depth_multiplier: scale the channels of all layers, down to a number.
        prediction_fn: makes probabilities of the logits.
        spatial_squeeze: gives logits ``[batch, num_classes]``; False keeps ``[batch, 1, 1, num_classes]``.
        reuse: True to reuse the variables of ``scope``.

    Returns:
        The logits, and a dict of end points: ``Logits`` and ``Predictions`` among them.

    Raises:
        ValueError: ``depth_multiplier`` is not above zero.
    """
    depths(depth_multiplier, min_depth)
    with (
        variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as scope,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v2_base(inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier)
        net, _ = pooled_logits(net, 7, dropout_keep_prob, num_classes, spatial_squeeze)
        end_points["Logits"] = net
        end_points["Predictions"] = prediction_fn(net, scope="Predictions")
    return net, end_points


inception_v2.default_image_size = 224  # type: ignore[attr-defined]


def inception_v2_arg_scope(weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars") -> Scope:
    """The arg scope of the network. Stands for ``slim.nets.inception.inception_v2_arg_scope``.

    Convolutions are normalized in batches, and the averages are in a collection too.

    >>> with store, compat.contrib.slim.arg_scope(inception_v2_arg_scope()):
    ...     net = compat.contrib.layers.conv2d(tf.ones([1, 4, 4, 3]), 8, 3)
    >>> [variable.name for variable in store.trainable_variables]
    ['Conv/weights:0', 'Conv/BatchNorm/beta:0']
    """
    return inception_arg_scope(weight_decay, batch_norm_var_collection)
