"""What residual networks are stacked from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from ....variables.graph_keys import GraphKeys
from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import Scope, add_arg_scope, arg_scope
from ...layers.batch_norm import batch_norm
from ...layers.convolution import conv2d
from ...layers.initializers import variance_scaling_initializer
from ...layers.pooling import max_pool2d
from ...layers.regularizers import l2_regularizer
from ...layers.utils import collect_named_outputs


class Block(NamedTuple):
    """Residual units that share a scope. Stands for ``slim.nets.resnet_utils.Block``.

    >>> block = Block("block1", compat.contrib.slim.nets.resnet_v1.bottleneck, [{"depth": 8, "depth_bottleneck": 2}])
    >>> block.scope, len(block.args)
    ('block1', 1)
    """

    scope: str
    unit_fn: Callable[..., Any]
    """Makes one unit: ``unit_fn(inputs, rate=…, **arguments)``."""
    args: Sequence[dict[str, Any]]
    """The arguments of each unit: ``depth``, ``depth_bottleneck`` and ``stride`` for those of `bottleneck`."""


def subsample(inputs: Any, factor: int, scope: Any = None) -> Any:
    """Every ``factor``-th pixel of images ``[batch, height, width, channels]``.

    Stands for ``slim.nets.resnet_utils.subsample``.

    >>> with store:
    ...     net = subsample(tf.reshape(tf.range(9.0), [1, 3, 3, 1]), 2)
    >>> net[0, :, :, 0].numpy()
    array([[0., 2.],
           [6., 8.]], dtype=float32)
    """
    return inputs if factor == 1 else max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1, scope: Any = None) -> Any:
    """A convolution whose windows stand where those of stride one do.

    Stands for ``slim.nets.resnet_utils.conv2d_same``.

    Images ``[batch, height, width, channels]`` become ``[batch, ⌈height / stride⌉, ⌈width / stride⌉, num_outputs]``.
    The padding is that of stride one, where ``padding="SAME"`` with a stride puts less of it in front of even sizes.

    >>> with store:
    ...     net = conv2d_same(tf.ones([1, 8, 8, 3]), 16, 3, stride=2)
    >>> net.shape
    TensorShape([1, 4, 4, 16])
    """
    padding = "SAME"
    if stride != 1:
        total = (kernel_size - 1) * rate
        sides = [total // 2, total - total // 2]
        inputs, padding = tf.pad(inputs, [[0, 0], sides, sides, [0, 0]]), "VALID"
    return conv2d(inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding=padding, scope=scope)


@add_arg_scope
def stack_blocks_dense(
    net: Any, blocks: Sequence[Block], output_stride: float | None = None, outputs_collections: Any = None
) -> Any:
    """Blocks of units, one behind the other. Stands for ``slim.nets.resnet_utils.stack_blocks_dense``.

    Args:
        net: images ``[batch, height, width, channels]``.
        output_stride: by how much height and width shrink in all: the product of the first units' strides, up to any of
            them. Behind that, units keep the size and spread their windows instead. None for the product of all.
        outputs_collections: where the blocks' outputs go.

    Raises:
        ValueError: no unit ends with that stride.

    >>> resnet_v1 = compat.contrib.slim.nets.resnet_v1
    >>> blocks = [resnet_v1.resnet_v1_block(f"block{number}", 1, num_units=2, stride=2) for number in (1, 2)]
    >>> with store:
    ...     net = stack_blocks_dense(tf.ones([1, 9, 9, 3]), blocks, output_stride=2)
    >>> net.shape
    TensorShape([1, 5, 5, 4])
    """
    reached, rate = 1, 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as scope:
            for number, unit in enumerate(block.args, 1):
                _check_stride(output_stride is None or reached <= output_stride)
                stride = unit.get("stride", 1)
                with variable_scope(f"unit_{number}", values=[net]):
                    if reached == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= stride
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        reached *= stride
            net = collect_named_outputs(outputs_collections, scope.name, net)
    _check_stride(output_stride is None or reached == output_stride)
    return net


def _check_stride(is_possible: bool) -> None:
    if not is_possible:
        raise ValueError("The target output_stride cannot be reached.")


def resnet_arg_scope(
    weight_decay: float = 0.0001,
    batch_norm_decay: float = 0.997,
    batch_norm_epsilon: float = 1e-5,
    batch_norm_scale: bool = True,
) -> Scope:
    """The arg scope of residual networks. Stands for ``slim.nets.resnet_utils.resnet_arg_scope``.

    Convolutions are normalized in batches, and their weights weigh ``weight_decay`` in the loss; pooling pads.

    >>> layers, resnet_v1 = compat.contrib.layers, compat.contrib.slim.nets.resnet_v1
    >>> with store, compat.contrib.slim.arg_scope(resnet_v1.resnet_arg_scope()):
    ...     net = layers.conv2d(tf.ones([1, 4, 4, 3]), 8, 3)
    >>> [variable.name for variable in store.trainable_variables]
    ['Conv/weights:0', 'Conv/BatchNorm/gamma:0', 'Conv/BatchNorm/beta:0']
    """
    normalization = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "scale": batch_norm_scale,
        "updates_collections": GraphKeys.UPDATE_OPS,
    }
    with (
        arg_scope(
            [conv2d],
            weights_regularizer=l2_regularizer(weight_decay),
            weights_initializer=variance_scaling_initializer(),
            activation_fn=tf.nn.relu,
            normalizer_fn=batch_norm,
            normalizer_params=normalization,
        ),
        arg_scope([batch_norm], **normalization),
        arg_scope([max_pool2d], padding="SAME") as scope,
    ):
        return scope
