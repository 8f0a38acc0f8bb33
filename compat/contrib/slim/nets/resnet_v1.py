"""Residual networks of the first form: batch normalization behind each convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import add_arg_scope
from ...layers.convolution import conv2d
from ...layers.utils import collect_named_outputs, last_dimension
from .residual import bottleneck_block, network_of_depth, residual_network
from .resnet_utils import Block, conv2d_same, subsample
from .resnet_utils import resnet_arg_scope as resnet_arg_scope


@add_arg_scope
def bottleneck(
    inputs: Any,
    depth: int,
    depth_bottleneck: int,
    stride: int,
    rate: int = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """A residual unit of three convolutions. Stands for ``slim.nets.resnet_v1.bottleneck``.

    Images ``[batch, height, width, channels]`` become ``[batch, ⌈height / stride⌉, ⌈width / stride⌉, depth]``; a
    projection takes the shortcut where the channels are not ``depth`` many already.

    Args:
        depth_bottleneck: the channels of the first two convolutions.
        rate: how far the middle one spreads its windows.

    >>> with store:
    ...     net = bottleneck(tf.ones([1, 8, 8, 3]), depth=16, depth_bottleneck=4, stride=2)
    >>> net.shape, store.variables[0].name
    (TensorShape([1, 4, 4, 16]), 'bottleneck_v1/shortcut/weights:0')
    """
    with variable_scope(scope, "bottleneck_v1", [inputs]) as sc:
        if depth == last_dimension(inputs.shape, min_rank=4):
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
        residual = conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        return collect_named_outputs(outputs_collections, sc.name, tf.nn.relu(shortcut + residual))


def resnet_v1(
    inputs: Any,
    blocks: Sequence[Block],
    num_classes: int | None = None,
    is_training: Any = True,
    global_pool: bool = True,
    output_stride: int | None = None,
    include_root_block: bool = True,
    reuse: Any = None,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """A residual network of any blocks. Stands for ``slim.nets.resnet_v1.resnet_v1``.

    Args:
        inputs: images ``[batch, height, width, channels]``.
        num_classes: how many logits the last convolution gives; None for the features in front of it.
        is_training: a bool or a boolean tensor, for batch normalization.
        global_pool: gives the average of the image, ``[batch, 1, 1, channels]``; False keeps the places.
        output_stride: by how much height and width shrink in all, see :func:`resnet_utils.stack_blocks_dense`.
        include_root_block: begins with a convolution and pooling, which shrink the image by four.
        reuse: True to reuse the variables of ``scope``.

    Returns:
        Logits or features, and a dict of what convolutions, units and blocks gave, by their scopes; with
        ``num_classes`` the probabilities too, as ``predictions``.

    Raises:
        ValueError: an ``output_stride`` that the strides do not reach, or no multiple of four.

    >>> block = resnet_v1_block("block1", base_depth=1, num_units=2, stride=2)
    >>> with store:
    ...     net, end_points = resnet_v1(tf.ones([1, 33, 33, 3]), [block], 10, is_training=False, global_pool=False)
    >>> net.shape, end_points["resnet_v1/block1"].shape
    (TensorShape([1, 4, 4, 10]), TensorShape([1, 4, 4, 4]))
    """
    return residual_network(
        inputs,
        blocks,
        num_classes,
        is_training,
        global_pool,
        output_stride,
        include_root_block,
        reuse,
        scope,
        default_scope="resnet_v1",
        unit_fn=bottleneck,
        normalizes_first=False,
    )


resnet_v1.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v1_block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """Units of ``base_depth * 4`` channels, the last one with the stride.

    Stands for ``slim.nets.resnet_v1.resnet_v1_block``.

    >>> [unit["stride"] for unit in resnet_v1_block("block1", base_depth=64, num_units=3, stride=2).args]
    [1, 1, 2]
    """
    return bottleneck_block(bottleneck, scope, base_depth, num_units, stride)


resnet_v1_50 = network_of_depth(resnet_v1, bottleneck, 50)
resnet_v1_101 = network_of_depth(resnet_v1, bottleneck, 101)
resnet_v1_152 = network_of_depth(resnet_v1, bottleneck, 152)
resnet_v1_200 = network_of_depth(resnet_v1, bottleneck, 200)
