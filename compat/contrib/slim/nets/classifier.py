"""What the networks that end in three fully connected layers share: those layers as convolutions, and their end."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ....initializers import constant_initializer, truncated_normal_initializer, zeros_initializer
from ....variables.scope import VariableScope
from ...framework.arg_scope import Scope, arg_scope
from ...layers.convolution import conv2d
from ...layers.dense import fully_connected
from ...layers.pooling import max_pool2d
from ...layers.regularizers import l2_regularizer
from ...layers.shaping import dropout
from ...layers.utils import convert_collection_to_dict


def trunc_normal(stddev: float) -> Any:
    """An initializer. Stands for ``slim.nets.alexnet.trunc_normal``.

    >>> trunc_normal(0.01).get_config()["stddev"]
    0.01
    """
    return truncated_normal_initializer(0.0, stddev)


def convolution_scope(weight_decay: float, bias: Any) -> Scope:
    """The arg scope of these networks: relu, decay and padding in layers; none in pooling.

    Args:
        bias: the initializer of biases.
    """
    layers = {
        "activation_fn": tf.nn.relu,
        "weights_regularizer": l2_regularizer(weight_decay),
        "biases_initializer": bias,
    }
    with arg_scope([conv2d, fully_connected], **layers), arg_scope([conv2d], padding="SAME") as scope:
        return scope


def small_scope(weight_decay: float, bias: Any) -> Scope:
    """As :func:`convolution_scope`, with pooling that does not pad whatever the program's scopes say."""
    with arg_scope(convolution_scope(weight_decay, bias)), arg_scope([max_pool2d], padding="VALID") as scope:
        return scope


def fully_connected_layers(
    net: Any,
    kernel_size: list[int],
    widths: tuple[int, int],
    num_classes: int,
    is_training: Any,
    keep_prob: float,
    **last: Any,
) -> Any:
    """``fc6`` over the whole image, ``fc7`` and the logits ``fc8``, each behind dropout.

    Args:
        last: further arguments of ``fc8``.
    """
    net = conv2d(net, widths[0], kernel_size, padding="VALID", scope="fc6")
    net = dropout(net, keep_prob, is_training=is_training, scope="dropout6")
    net = conv2d(net, widths[1], [1, 1], scope="fc7")
    net = dropout(net, keep_prob, is_training=is_training, scope="dropout7")
    return conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, **last, scope="fc8")


def plain_layers(net: Any, *given: Any) -> Any:
    """`fully_connected_layers` with weights and biases as AlexNet and OverFeat have them at first."""
    constant = constant_initializer(0.1)
    with arg_scope([conv2d], weights_initializer=trunc_normal(0.005), biases_initializer=constant):
        return fully_connected_layers(net, *given, biases_initializer=zeros_initializer())


def squeezed(net: Any, spatial_squeeze: bool, scope: VariableScope, collection: str) -> tuple[Any, dict[str, Any]]:
    """The logits, as ``[batch, classes]`` where they have one place, and the end points with them."""
    end_points = convert_collection_to_dict(collection)
    if spatial_squeeze:
        net = tf.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[scope.name + "/fc8"] = net
    return net, end_points
