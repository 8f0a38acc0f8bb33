"""Inception's networks as tables: rows of layers, each with an end point, and of branches side by side.

A layer is written as its scope, which ends in the size of its windows, and its channels; the scope of a convolution
goes without its ``Conv2d_`` in branches. Marks may follow: ``/2`` for a stride, ``V`` or ``S`` for padding ``VALID`` or
``SAME`` where the arg scope says another, ``=3x3`` for windows of another size than the scope tells, ``~0.1`` for the
deviation of its first weights. A bar stands between two convolutions of the same inputs that are joined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from ....variables.graph_keys import GraphKeys
from ....variables.variable_scope import variable_scope
from ...framework.arg_scope import Scope, arg_scope
from ...layers.batch_norm import batch_norm
from ...layers.convolution import conv2d
from ...layers.dense import fully_connected
from ...layers.initializers import variance_scaling_initializer
from ...layers.pooling import avg_pool2d, max_pool2d
from ...layers.regularizers import l2_regularizer
from ...layers.shaping import dropout
from .classifier import trunc_normal

Table = Mapping[str, str | tuple[str, ...]]
Depth = Callable[[int], int]
_PADDING = {"V": "VALID", "S": "SAME"}
_POOLING = {"MaxPool": max_pool2d, "AvgPool": avg_pool2d}


def depths(depth_multiplier: float, min_depth: int) -> Depth:
    """How many channels there are where a table says a number.

    Raises:
        ValueError: the multiplier is not above zero.
    """
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda channels: max(int(channels * depth_multiplier), min_depth)


def layer(net: Any, written: str, depth: Depth) -> Any:
    """One layer, as it is written in a table."""
    scope, *marks = written.split()
    size = re.search(r"(\d+)x(\d+)$", scope)
    options: dict[str, Any] = {"scope": scope if scope[0].isalpha() else f"Conv2d_{scope}"}
    channels = None
    for mark in marks:
        if mark[0] == "/":
            options["stride"] = int(mark[1:])
        elif mark[0] == "=":
            size = re.search(r"(\d+)x(\d+)$", mark)
        elif mark[0] == "~":
            options["weights_initializer"] = trunc_normal(float(mark[1:]))
        elif mark in _PADDING:
            options["padding"] = _PADDING[mark]
        else:
            channels = depth(int(mark))
    assert size is not None
    kernel = [int(size[1]), int(size[2])]
    if channels is None:
        return _POOLING[scope.split("_")[0]](net, kernel, **options)
    return conv2d(net, channels, kernel, **options)


def branch(net: Any, written: str, depth: Depth) -> Any:
    """Layers behind each other, with a comma between them."""
    for step in written.split(", "):
        parts = [layer(net, part, depth) for part in step.split(" | ")]
        net = parts[0] if len(parts) == 1 else tf.concat(parts, 3)
    return net


def rows(net: Any, table: Table, end_points: dict[str, Any], final_endpoint: str, depth: Depth) -> Any:
    """Adds the end points of a table, up to the final one, and returns the last of them."""
    for name, row in table.items():
        if isinstance(row, str):
            net = layer(net, f"{name} {row}", depth)
        else:
            with variable_scope(name):
                parts = []
                for number, written in enumerate(row):
                    with variable_scope(f"Branch_{number}"):
                        parts.append(branch(net, written, depth))
                net = tf.concat(parts, 3)
        end_points[name] = net
        if name == final_endpoint:
            break
    return net


def check_final(end_points: dict[str, Any], final_endpoint: str) -> None:
    """Raises a ValueError when a network has no such end point."""
    if final_endpoint not in end_points:
        raise ValueError(f"Unknown final endpoint {final_endpoint}")


def fitting(net: Any, size: int) -> list[int]:
    """A window of that size, or of the whole image where that is smaller."""
    height, width = net.shape[1], net.shape[2]
    return [size, size] if None in (height, width) else [min(height, size), min(width, size)]


def pooled_logits(net: Any, size: int, keep_prob: float, num_classes: int, spatial_squeeze: bool) -> tuple[Any, Any]:
    """The logits behind an average over a window and dropout, and what goes into them."""
    with variable_scope("Logits"):
        kernel = fitting(net, size)
        net = avg_pool2d(net, kernel, padding="VALID", scope="AvgPool_1a_{}x{}".format(*kernel))
        before = dropout(net, keep_prob=keep_prob, scope="Dropout_1b")
        return logits(before, num_classes, spatial_squeeze, "Conv2d_1c_1x1"), before


def logits(net: Any, num_classes: int, spatial_squeeze: bool, scope: str, **options: Any) -> Any:
    """The last convolution: ``[batch, num_classes]`` where there is one place."""
    net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, **options, scope=scope)
    return tf.squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net


def inception_arg_scope(
    weight_decay: float, batch_norm_var_collection: str, use_batch_norm: bool = True, **normalization: Any
) -> Scope:
    """Relu, decay of weights, and batch normalization whose averages are in a collection."""
    collections = [batch_norm_var_collection]
    options = {
        "decay": 0.9997,
        "epsilon": 0.001,
        "updates_collections": GraphKeys.UPDATE_OPS,
        "variables_collections": {
            "beta": None,
            "gamma": None,
            "moving_mean": collections,
            "moving_variance": collections,
        },
        **normalization,
    }
    with (
        arg_scope([conv2d, fully_connected], weights_regularizer=l2_regularizer(weight_decay)),
        arg_scope(
            [conv2d],
            weights_initializer=variance_scaling_initializer(),
            activation_fn=tf.nn.relu,
            normalizer_fn=batch_norm if use_batch_norm else None,
            normalizer_params=options if use_batch_norm else {},
        ) as scope,
    ):
        return scope
