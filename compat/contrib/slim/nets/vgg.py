"""VGG's networks A, D and E: convolutions of three by three in five blocks."""

from __future__ import annotations

from typing import Any

from ....initializers import zeros_initializer
from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import Scope, arg_scope
from ...layers.composition import repeat
from ...layers.convolution import conv2d
from ...layers.dense import fully_connected
from ...layers.pooling import max_pool2d
from .classifier import convolution_scope, fully_connected_layers, squeezed

_CHANNELS = (64, 128, 256, 512, 512)


def vgg_arg_scope(weight_decay: float = 0.0005) -> Scope:
    """The arg scope of VGG's networks: relu, padding, decay of weights. Stands for ``slim.nets.vgg.vgg_arg_scope``.

    >>> with store, compat.contrib.slim.arg_scope(vgg_arg_scope()):
    ...     net = compat.contrib.layers.conv2d(tf.ones([1, 8, 8, 3]), 4, 3)
    ...     losses = compat.losses.get_regularization_losses()
    >>> net.shape, len(losses)
    (TensorShape([1, 8, 8, 4]), 1)
    """
    return convolution_scope(weight_decay, zeros_initializer())


def _vgg(
    repetitions: tuple[int, int, int, int, int],
    default_scope: str,
    inputs: Any,
    num_classes: int,
    is_training: Any,
    dropout_keep_prob: float,
    spatial_squeeze: bool,
    scope: Any,
) -> tuple[Any, dict[str, Any]]:
    with variable_scope(scope, default_scope, [inputs]) as sc:
        # E's end points are in a collection by the variable scope's name.
        collection = (sc.name if default_scope == "vgg_19" else sc.original_name_scope) + "_end_points"
        collected = [conv2d, max_pool2d, *([] if default_scope == "vgg_a" else [fully_connected])]
        with arg_scope(collected, outputs_collections=collection):
            net = inputs
            for number, (times, channels) in enumerate(zip(repetitions, _CHANNELS, strict=True), 1):
                net = repeat(net, times, conv2d, channels, [3, 3], scope=f"conv{number}")
                net = max_pool2d(net, [2, 2], scope=f"pool{number}")
            net = fully_connected_layers(net, [7, 7], (4096, 4096), num_classes, is_training, dropout_keep_prob)
            return squeezed(net, spatial_squeeze, sc, collection)


def vgg_a(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "vgg_a",
) -> tuple[Any, dict[str, Any]]:
    """VGG's network A, of 11 layers. Stands for ``slim.nets.vgg.vgg_a``.

    Args:
        inputs: images ``[batch, height, width, 3]`` of 224 by 224 pixels or more.
        num_classes: how many logits there are.
        is_training: a bool or a boolean tensor, for dropout.
        spatial_squeeze: gives logits ``[batch, num_classes]``, of images of 224 by 224 pixels; False keeps a logit for
            each place where the network fits, ``[batch, places, places, num_classes]``.

    Returns:
        The logits, and a dict of what convolutions and pooling gave, by their scopes.

    >>> with compat.Graph().as_default(), compat.contrib.slim.arg_scope(vgg_arg_scope()):
    ...     images = compat.placeholder(tf.float32, [None, 224, 224, 3])
    ...     logits, end_points = vgg_a(images, 10, is_training=False)
    >>> logits.shape, list(end_points)[0], end_points["vgg_a/pool5"].shape
    (TensorShape([None, 10]), 'vgg_a/conv1/conv1_1', TensorShape([None, 7, 7, 512]))
    """
    options = (num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope)
    return _vgg((1, 1, 2, 2, 2), "vgg_a", inputs, *options)


vgg_a.default_image_size = 224  # type: ignore[attr-defined]


def vgg_16(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "vgg_16",
) -> tuple[Any, dict[str, Any]]:
    """VGG's network D, of 16 layers. Stands for ``slim.nets.vgg.vgg_16``. As :func:`vgg_a`."""
    options = (num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope)
    return _vgg((2, 2, 3, 3, 3), "vgg_16", inputs, *options)


vgg_16.default_image_size = 224  # type: ignore[attr-defined]


def vgg_19(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "vgg_19",
) -> tuple[Any, dict[str, Any]]:
    """VGG's network E, of 19 layers. Stands for ``slim.nets.vgg.vgg_19``. As :func:`vgg_a`."""
    options = (num_classes, is_training, dropout_keep_prob, spatial_squeeze, scope)
    return _vgg((2, 2, 4, 4, 4), "vgg_19", inputs, *options)


vgg_19.default_image_size = 224  # type: ignore[attr-defined]


vgg_d = vgg_16
vgg_e = vgg_19
