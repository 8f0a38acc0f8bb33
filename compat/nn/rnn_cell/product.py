"""The product of a cell's kernel with its inputs and its state, side by side."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...bridge.graph import current_graph


def joint_product(inputs: Any, state: Any, kernel: Any) -> Any:
    """`[inputs, state] kernel`, `[batch, columns]`, in one product as in TF 1.15's cells, whose rounding it has.

    In a function its gradient is taken of the inputs and of the state apart: inputs that nobody asks the gradient of,
    such as data, then cost nothing, where TF1 computes it together with the state's. The graph of the bridge, which
    TF 1.15 may be given to train on, has TF1's operations alone.

    Args:
      inputs: tensor `[batch, depth]`.
      state: tensor `[batch, n]` of the same dtype.
      kernel: tensor or variable `[depth + n, columns]`.
    """
    both, kernel = tf.concat([inputs, state], 1), tf.convert_to_tensor(kernel)
    product = tf.matmul(both, kernel)
    if tf.executing_eagerly() or current_graph() is not None:
        return product
    product = tf.identity_n([product, both, inputs, state, kernel])[0]
    # Not by `tf.custom_gradient`: what is saved with one in a loop cannot be trained on once it is loaded. This stays
    # on this side, and a loaded model has the gradients of the operations themselves.
    product.op._gradient_function = _gradients
    return product


def _gradients(operation: tf.Operation, upstream: tf.Tensor, *_: Any) -> tuple[Any, ...]:
    _, both, inputs, _, kernel = operation.inputs
    depth = inputs.shape[1] if inputs.shape[1] is not None else tf.shape(inputs)[1]
    of_inputs = tf.matmul(upstream, kernel[:depth], transpose_b=True)
    of_state = tf.matmul(upstream, kernel[depth:], transpose_b=True)
    return None, None, of_inputs, of_state, tf.matmul(both, upstream, transpose_a=True)
