"""Seeded random operations with one state each, as TF1's kernels had.

A TF1 session kept one kernel per operation, so that a seeded operation went on with its sequence whatever was
fetched beside it. A TF2 function has kernels of its own: fetched by two different runs, the operation would start
again in the second. Here the state is a counter outside the functions, and the numbers are drawn by the stateless
kernels, which give the same bits as TF1's for the same seeds and position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf
from tensorflow.python.ops import resource_variable_ops

__all__ = ["STATELESS", "draw"]

# TF1's kernels skip this many blocks of the generator for each number that they give.
_BLOCKS_PER_NUMBER = 256
_PHILOX = 1

STATELESS = {
    "RandomUniform": "StatelessRandomUniformV2",
    "RandomStandardNormal": "StatelessRandomNormalV2",
    "TruncatedNormal": "StatelessTruncatedNormalV2",
    "RandomUniformInt": "StatelessRandomUniformIntV2",
}


def draw(
    op_type: str, inputs: Sequence[tf.Tensor], seeds: tuple[int, int], dtype: tf.DType, name: str | None
) -> tuple[tf.Operation, tf.Variable]:
    """Adds to the graph being built what the seeded operation `op_type` would compute.

    Args:
      op_type: one of the keys of `STATELESS`.
      inputs: the operation's inputs: the shape, and the bounds of integers.
      seeds: its attributes `seed` and `seed2`.
      dtype: the type of the numbers.
      name: the operation's name.

    Returns:
      The operation that gives the numbers, and the counter that holds its state.
    """
    with tf.init_scope():
        # Made directly: no `variable_creator_scope` of the program is to see it.
        counter = resource_variable_ops.ResourceVariable(0, dtype=tf.int64, trainable=False, name="random_state")
    shape = inputs[0]
    with tf.name_scope("random_state"):
        position = tf.raw_ops.ReadVariableOp(resource=counter.handle, dtype=tf.int64)
        numbers = tf.reduce_prod(tf.cast(shape, tf.int64))
        with tf.control_dependencies([position]):
            advance = tf.raw_ops.AssignAddVariableOp(resource=counter.handle, value=numbers * _BLOCKS_PER_NUMBER)
        start = tf.bitcast(tf.stack([position, tf.constant(seeds[1], tf.int64)]), tf.uint64)
        key = tf.bitcast(tf.constant([seeds[0]], tf.int64), tf.uint64)
    arguments: dict[str, Any] = {"shape": shape, "key": key, "counter": start, "alg": _PHILOX, "name": name}
    if op_type == "RandomUniformInt":
        arguments.update(minval=inputs[1], maxval=inputs[2])
    else:
        arguments["dtype"] = dtype
    with tf.control_dependencies([advance]):
        numbers = getattr(tf.raw_ops, STATELESS[op_type])(**arguments)
    return numbers.op, counter
