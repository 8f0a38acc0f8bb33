"""AlexNet, in its second version."""

from __future__ import annotations

from typing import Any

from ....initializers import constant_initializer
from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import Scope, arg_scope
from ...layers.convolution import conv2d
from ...layers.dense import fully_connected
from ...layers.pooling import max_pool2d
from .classifier import plain_layers, small_scope, squeezed
from .classifier import trunc_normal as trunc_normal


def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> Scope:
    """The arg scope of the network: relu, decay of weights, padding in convolutions alone.

    Stands for ``slim.nets.alexnet.alexnet_v2_arg_scope``.

    >>> with store, compat.contrib.slim.arg_scope(alexnet_v2_arg_scope()):
    ...     net = compat.contrib.layers.conv2d(tf.ones([1, 8, 8, 3]), 4, 3)
    >>> net.shape, float(store.variables[1][0])
    (TensorShape([1, 8, 8, 4]), 0.10000000149011612)
    """
    return small_scope(weight_decay, constant_initializer(0.1))


def alexnet_v2(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "alexnet_v2",
) -> tuple[Any, dict[str, Any]]:
    """AlexNet, in its second version. Stands for ``slim.nets.alexnet.alexnet_v2``.

    Args:
        inputs: images ``[batch, height, width, 3]`` of 224 by 224 pixels or more.
        num_classes: how many logits there are.
        is_training: a bool or a boolean tensor, for dropout.
        spatial_squeeze: gives logits ``[batch, num_classes]``, of images of 224 by 224 pixels; False keeps a logit
            for each place where the network fits, ``[batch, places, places, num_classes]``.

    Returns:
        The logits, and a dict of what convolutions and pooling gave, by their scopes.

    >>> with compat.Graph().as_default(), compat.contrib.slim.arg_scope(alexnet_v2_arg_scope()):
    ...     images = compat.placeholder(tf.float32, [None, 224, 224, 3])
    ...     logits, end_points = alexnet_v2(images, 10, is_training=False)
    >>> logits.shape, list(end_points)[0], end_points["alexnet_v2/pool5"].shape
    (TensorShape([None, 10]), 'alexnet_v2/conv1', TensorShape([None, 5, 5, 256]))
    """
    with variable_scope(scope, "alexnet_v2", [inputs]) as sc:
        collection = sc.original_name_scope + "_end_points"
        with arg_scope([conv2d, fully_connected, max_pool2d], outputs_collections=collection):
            net = conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = max_pool2d(net, [3, 3], 2, scope="pool1")
            net = conv2d(net, 192, [5, 5], scope="conv2")
            net = max_pool2d(net, [3, 3], 2, scope="pool2")
            for number, channels in enumerate((384, 384, 256), 3):
                net = conv2d(net, channels, [3, 3], scope=f"conv{number}")
            net = max_pool2d(net, [3, 3], 2, scope="pool5")
            net = plain_layers(net, [5, 5], (4096, 4096), num_classes, is_training, dropout_keep_prob)
            return squeezed(net, spatial_squeeze, sc, collection)


alexnet_v2.default_image_size = 224  # type: ignore[attr-defined]
