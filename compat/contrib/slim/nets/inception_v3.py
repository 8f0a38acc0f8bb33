"""The third version of Inception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....variables.graph_keys import GraphKeys
from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import Scope, arg_scope
from ...layers.batch_norm import batch_norm
from ...layers.convolution import conv2d
from ...layers.pooling import avg_pool2d, max_pool2d
from ...layers.shaping import dropout, softmax
from .classifier import trunc_normal as trunc_normal
from .inception_table import (
    Depth,
    Table,
    check_final,
    depths,
    fitting,
    inception_arg_scope,
    logits,
    pooled_logits,
    rows,
)

_STEM: Table = {
    "Conv2d_1a_3x3": "32 /2",
    "Conv2d_2a_3x3": "32",
    "Conv2d_2b_3x3": "64 S",
    "MaxPool_3a_3x3": "/2",
    "Conv2d_3b_1x1": "80",
    "Conv2d_4a_3x3": "192",
    "MaxPool_5a_3x3": "/2",
}


def _of_fives(last: int, second: str = "0a_1x1 48, 0b_5x5 64") -> tuple[str, ...]:
    return (
        "0a_1x1 64",
        second,
        "0a_1x1 64, 0b_3x3 96, 0c_3x3 96",
        f"AvgPool_0a_3x3, 0b_1x1 {last}",
    )


def _of_sevens(width: int) -> tuple[str, ...]:
    return (
        "0a_1x1 192",
        f"0a_1x1 {width}, 0b_1x7 {width}, 0c_7x1 192",
        f"0a_1x1 {width}, 0b_7x1 {width}, 0c_1x7 {width}, 0d_7x1 {width}, 0e_1x7 192",
        "AvgPool_0a_3x3, 0b_1x1 192",
    )


def _of_threes(scope: str) -> tuple[str, ...]:
    """Args: the scope of the second of the convolutions side by side."""
    return (
        "0a_1x1 320",
        f"0a_1x1 384, 0b_1x3 384 | {scope} 384",
        "0a_1x1 448, 0b_3x3 384, 0c_1x3 384 | 0d_3x1 384",
        "AvgPool_0a_3x3, 0b_1x1 192",
    )


_TABLE: Table = {
    "Mixed_5b": _of_fives(32),
    "Mixed_5c": _of_fives(64, "0b_1x1 48, Conv_1_0c_5x5 64"),
    "Mixed_5d": _of_fives(64),
    "Mixed_6a": (
        "1a_1x1 =3x3 384 /2 V",
        "0a_1x1 64, 0b_3x3 96, 1a_1x1 =3x3 96 /2 V",
        "MaxPool_1a_3x3 /2 V",
    ),
    "Mixed_6b": _of_sevens(128),
    "Mixed_6c": _of_sevens(160),
    "Mixed_6d": _of_sevens(160),
    "Mixed_6e": _of_sevens(192),
    "Mixed_7a": (
        "0a_1x1 192, 1a_3x3 320 /2 V",
        "0a_1x1 192, 0b_1x7 192, 0c_7x1 192, 1a_3x3 192 /2 V",
        "MaxPool_1a_3x3 /2 V",
    ),
    "Mixed_7b": _of_threes("0b_3x1"),
    "Mixed_7c": _of_threes("0c_3x1"),
}


def inception_v3_base(
    inputs: Any,
    final_endpoint: str = "Mixed_7c",
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """The layers in front of the logits. Stands for ``slim.nets.inception.inception_v3_base``.

    Args:
        inputs: images ``[batch, height, width, channels]``.
        final_endpoint: the name of the end point to stop at.
        min_depth, depth_multiplier: scale the channels of all layers, down to a number.

    Returns:
        What the final end point gives, and a dict of all end points up to it.

    Raises:
        ValueError: no such end point, or ``depth_multiplier`` is not above zero.

    >>> with compat.Graph().as_default():
    ...     net, end_points = inception_v3_base(tf.ones([1, 79, 79, 3]), "Mixed_5b")
    >>> net.shape, list(end_points)[:2]
    (TensorShape([1, 7, 7, 256]), ['Conv2d_1a_3x3', 'Conv2d_2a_3x3'])
    """
    depth = depths(depth_multiplier, min_depth)
    end_points: dict[str, Any] = {}
    with variable_scope(scope, "InceptionV3", [inputs]):
        with arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="VALID"):
            net = rows(inputs, _STEM, end_points, final_endpoint, depth)
        if final_endpoint not in end_points:
            with arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"):
                net = rows(net, _TABLE, end_points, final_endpoint, depth)
        check_final(end_points, final_endpoint)
        return net, end_points


def inception_v3(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: Any = None,
    scope: Any = "InceptionV3",
) -> tuple[Any, dict[str, Any]]:
    """The third version of Inception. Stands for ``slim.nets.inception.inception_v3``.

    Args:
        inputs: images ``[batch, height, width, channels]``, of 299 by 299 pixels as a rule.
        is_training: a bool or a boolean tensor, for batch normalization and dropout.
        min_depth, depth_multiplier: scale the channels of all layers, down to a number.
        prediction_fn: makes probabilities of the logits.
        spatial_squeeze: gives logits ``[batch, num_classes]``; False keeps ``[batch, 1, 1, num_classes]``.
        reuse: True to reuse the variables of ``scope``.

    Returns:
        The logits, and a dict of end points, with ``Logits``, ``Predictions`` and ``AuxLogits``, those of a second
        classifier.

    Raises:
        ValueError: ``depth_multiplier`` is not above zero.
    """
    depth = depths(depth_multiplier, min_depth)
    with (
        variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as scope,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v3_base(inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier)
        end_points["AuxLogits"] = _auxiliary(end_points["Mixed_6e"], depth, num_classes, spatial_squeeze)
        net, before = pooled_logits(net, 8, dropout_keep_prob, num_classes, spatial_squeeze)
        end_points["PreLogits"] = before
        end_points["Logits"] = net
        end_points["Predictions"] = prediction_fn(net, scope="Predictions")
    return net, end_points


inception_v3.default_image_size = 299  # type: ignore[attr-defined]


def _auxiliary(net: Any, depth: Depth, num_classes: int, spatial_squeeze: bool) -> Any:
    """A second classifier in the middle of the network."""
    with (
        arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"),
        variable_scope("AuxLogits"),
    ):
        net = avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        kernel = fitting(net, 5)
        options = {"padding": "VALID", "scope": "Conv2d_2a_{}x{}".format(*kernel)}
        net = conv2d(net, depth(768), kernel, weights_initializer=trunc_normal(0.01), **options)
        last = {"weights_initializer": trunc_normal(0.001)}
        return logits(net, num_classes, spatial_squeeze, "Conv2d_2b_1x1", **last)


def inception_v3_arg_scope(
    weight_decay: float = 0.00004,
    batch_norm_var_collection: str = "moving_vars",
    batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    use_fused_batchnorm: bool = True,
) -> Scope:
    """The arg scope of the network. Stands for ``slim.nets.inception.inception_v3_arg_scope``.

    Convolutions are normalized in batches, and the averages are in a collection too.

    Args:
        updates_collections: where the averages' updates go; None makes them part of the outputs.

    >>> with store, compat.contrib.slim.arg_scope(inception_v3_arg_scope()):
    ...     net = compat.contrib.layers.conv2d(tf.ones([1, 4, 4, 3]), 8, 3)
    >>> [variable.name for variable in store.trainable_variables]
    ['Conv/weights:0', 'Conv/BatchNorm/beta:0']
    """
    return inception_arg_scope(
        weight_decay,
        batch_norm_var_collection,
        decay=batch_norm_decay,
        epsilon=batch_norm_epsilon,
        updates_collections=updates_collections,
        fused=use_fused_batchnorm,
    )
