"""The piecewise linear sigmoid of TF 1.15's Keras, of which Keras 3 has another one."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["hard_sigmoid"]


@tf.keras.utils.register_keras_serializable("compat")
def hard_sigmoid(x: Any) -> tf.Tensor:
    """`0.2 * x + 0.5`, cut off at 0 and 1; stands for `tf.keras.activations.hard_sigmoid` of TF 1.15.

    Keras 3's function of that name has the slope 1/6.

    Args:
      x: a floating-point tensor.

    Example:
      >>> hard_sigmoid(tf.constant([-3.0, -0.5, 0.0, 2.0])).numpy()
      array([0. , 0.4, 0.5, 0.9], dtype=float32)
    """
    x = tf.convert_to_tensor(x)
    point_two, point_five = tf.constant(0.2, x.dtype), tf.constant(0.5, x.dtype)
    return tf.clip_by_value(x * point_two + point_five, tf.constant(0.0, x.dtype), tf.constant(1.0, x.dtype))
