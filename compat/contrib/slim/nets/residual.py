"""The frame that both versions of residual networks have: a root, blocks, an average and a classifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import arg_scope
from ...layers.batch_norm import batch_norm
from ...layers.convolution import conv2d
from ...layers.pooling import max_pool2d
from ...layers.shaping import softmax
from ...layers.utils import convert_collection_to_dict
from .resnet_utils import Block, conv2d_same, stack_blocks_dense

UNITS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3), 200: (3, 24, 36, 3)}
"""How many units the four blocks have, by the network's depth."""
Network = Callable[..., tuple[Any, dict[str, Any]]]
PLAIN = {"activation_fn": None, "normalizer_fn": None}


def bottleneck_block(unit_fn: Callable[..., Any], scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """A block whose last unit has the stride."""
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": 1}
    return Block(scope, unit_fn, [unit] * (num_units - 1) + [{**unit, "stride": stride}])


def network_of_depth(version: Any, unit_fn: Callable[..., Any], depth: int) -> Network:
    """The network of ``version`` (``resnet_v1``) with four blocks of units, as many layers in all, for ImageNet."""
    family = version.__name__
    name = f"{family}_{depth}"

    def network(
        inputs: Any,
        num_classes: int | None = None,
        is_training: Any = True,
        global_pool: bool = True,
        output_stride: int | None = None,
        reuse: Any = None,
        scope: Any = name,
    ) -> tuple[Any, dict[str, Any]]:
        blocks = [
            bottleneck_block(unit_fn, f"block{number}", 32 << number, units, stride=1 if number == 4 else 2)
            for number, units in enumerate(UNITS[depth], 1)
        ]
        made: tuple[Any, dict[str, Any]] = version(
            inputs, blocks, num_classes, is_training, global_pool, output_stride, reuse=reuse, scope=scope
        )
        return made

    network.__name__ = network.__qualname__ = name
    network.__module__ = version.__module__
    network.__doc__ = f":func:`{family}` of {depth} layers. Stands for ``slim.nets.{family}.{name}``."
    return network


def residual_network(
    inputs: Any,
    blocks: Sequence[Block],
    num_classes: int | None,
    is_training: Any,
    global_pool: bool,
    output_stride: int | None,
    include_root_block: bool,
    reuse: Any,
    scope: Any,
    *,
    default_scope: str,
    unit_fn: Callable[..., Any],
    normalizes_first: bool,
) -> tuple[Any, dict[str, Any]]:
    """The network's result and its end points.

    Args:
        normalizes_first: units normalize and activate what they are given, so the root does not, and what the last one
            gives has yet to be.
    """
    with variable_scope(scope, default_scope, [inputs], reuse=reuse) as sc:
        collection = sc.original_name_scope + "_end_points"
        with (
            arg_scope([conv2d, unit_fn, stack_blocks_dense], outputs_collections=collection),
            arg_scope([batch_norm], is_training=is_training),
        ):
            net, stride = inputs, output_stride
            if include_root_block:
                net, stride = _root(net, PLAIN if normalizes_first else {}), _behind_root(output_stride)
            net = stack_blocks_dense(net, blocks, stride)
            if normalizes_first:
                net = batch_norm(net, activation_fn=tf.nn.relu, scope="postnorm")
            if global_pool:
                net = tf.reduce_mean(net, [1, 2], keepdims=True, name="pool5")
            if num_classes is not None:
                net = conv2d(net, num_classes, [1, 1], **PLAIN, scope="logits")
            end_points = convert_collection_to_dict(collection)
            if num_classes is not None:
                end_points["predictions"] = softmax(net, scope="predictions")
            return net, end_points


def _behind_root(output_stride: int | None) -> float | None:
    if output_stride is None:
        return None
    if output_stride % 4:
        raise ValueError("The output_stride needs to be a multiple of 4.")
    return output_stride / 4


def _root(inputs: Any, options: dict[str, Any]) -> Any:
    with arg_scope([conv2d], **options):
        net = conv2d_same(inputs, 64, 7, stride=2, scope="conv1")
    return max_pool2d(net, [3, 3], stride=2, scope="pool1")
