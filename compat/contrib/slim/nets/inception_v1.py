"""The first version of Inception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import Scope, arg_scope
from ...layers.batch_norm import batch_norm
from ...layers.convolution import conv2d
from ...layers.dense import fully_connected
from ...layers.pooling import avg_pool2d, max_pool2d
from ...layers.shaping import dropout, softmax
from .classifier import trunc_normal as trunc_normal
from .inception_table import Table, check_final, inception_arg_scope, logits, rows


def _mixed(first: int, second: tuple[int, int], third: tuple[int, int], last: int) -> tuple[str, ...]:
    return (
        f"0a_1x1 {first}",
        f"0a_1x1 {second[0]}, 0b_3x3 {second[1]}",
        f"0a_1x1 {third[0]}, 0b_3x3 {third[1]}",
        f"MaxPool_0a_3x3, 0b_1x1 {last}",
    )


_TABLE: Table = {
    "Conv2d_1a_7x7": "64 /2",
    "MaxPool_2a_3x3": "/2",
    "Conv2d_2b_1x1": "64",
    "Conv2d_2c_3x3": "192",
    "MaxPool_3a_3x3": "/2",
    "Mixed_3b": _mixed(64, (96, 128), (16, 32), 32),
    "Mixed_3c": _mixed(128, (128, 192), (32, 96), 64),
    "MaxPool_4a_3x3": "/2",
    "Mixed_4b": _mixed(192, (96, 208), (16, 48), 64),
    "Mixed_4c": _mixed(160, (112, 224), (24, 64), 64),
    "Mixed_4d": _mixed(128, (128, 256), (24, 64), 64),
    "Mixed_4e": _mixed(112, (144, 288), (32, 64), 64),
    "Mixed_4f": _mixed(256, (160, 320), (32, 128), 128),
    "MaxPool_5a_2x2": "/2",
    # In its third branch both scopes are of the first layer; checkpoints have them.
    "Mixed_5b": tuple(each.replace("0b_3x3 128", "0a_3x3 128") for each in _mixed(256, (160, 320), (32, 128), 128)),
    "Mixed_5c": _mixed(384, (192, 384), (48, 128), 128),
}


def inception_v1_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", scope: Any = "InceptionV1"
) -> tuple[Any, dict[str, Any]]:
    """The layers in front of the logits. Stands for ``slim.nets.inception.inception_v1_base``.

    Args:
        inputs: images ``[batch, height, width, channels]``.
        final_endpoint: the name of the end point to stop at.

    Returns:
        What the final end point gives, and a dict of all end points up to it.

    Raises:
        ValueError: no such end point.

    >>> with compat.Graph().as_default():
    ...     net, end_points = inception_v1_base(tf.ones([1, 32, 32, 3]), "Mixed_3b")
    >>> net.shape, list(end_points)[:2]
    (TensorShape([1, 4, 4, 256]), ['Conv2d_1a_7x7', 'MaxPool_2a_3x3'])
    """
    end_points: dict[str, Any] = {}
    with (
        variable_scope(scope, "InceptionV1", [inputs]),
        arg_scope([conv2d, fully_connected], weights_initializer=trunc_normal(0.01)),
        arg_scope([conv2d, max_pool2d], stride=1, padding="SAME"),
    ):
        net = rows(inputs, _TABLE, end_points, final_endpoint, int)
        check_final(end_points, final_endpoint)
        return net, end_points


def inception_v1(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: Any = None,
    scope: Any = "InceptionV1",
) -> tuple[Any, dict[str, Any]]:
    """The first version of Inception. Stands for ``slim.nets.inception.inception_v1``.

    Args:
        inputs: images ``[batch, height, width, channels]``, of 224 by 224 pixels as a rule.
        is_training: a bool or a boolean tensor, for batch normalization and dropout.
        prediction_fn: makes probabilities of the logits.
        spatial_squeeze: gives logits ``[batch, num_classes]``; False keeps ``[batch, 1, 1, num_classes]``.
        reuse: True to reuse the variables of ``scope``.

    Returns:
        The logits, and a dict of end points: ``Logits`` and ``Predictions`` among them.
    """
    with (
        variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as scope,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v1_base(inputs, scope=scope)
        with variable_scope("Logits"):
            net = avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
            net = dropout(net, dropout_keep_prob, scope="Dropout_0b")
            net = logits(net, num_classes, spatial_squeeze, "Conv2d_0c_1x1")
            end_points["Logits"] = net
            end_points["Predictions"] = prediction_fn(net, scope="Predictions")
    return net, end_points


inception_v1.default_image_size = 224  # type: ignore[attr-defined]


def inception_v1_arg_scope(
    weight_decay: float = 0.00004, use_batch_norm: bool = True, batch_norm_var_collection: str = "moving_vars"
) -> Scope:
    """The arg scope of the network. Stands for ``slim.nets.inception.inception_v1_arg_scope``.

    Convolutions are normalized in batches, unless ``use_batch_norm`` is False; the averages are in a collection too.

    >>> with store, compat.contrib.slim.arg_scope(inception_v1_arg_scope()):
    ...     net = compat.contrib.layers.conv2d(tf.ones([1, 4, 4, 3]), 8, 3)
    ...     averages = compat.get_collection("moving_vars")
    >>> [variable.name for variable in averages]
    ['Conv/BatchNorm/moving_mean:0', 'Conv/BatchNorm/moving_variance:0']
    """
    return inception_arg_scope(weight_decay, batch_norm_var_collection, use_batch_norm)
