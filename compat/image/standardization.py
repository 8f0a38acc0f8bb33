"""Images of mean zero and variance one, in the type that they came in."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def per_image_standardization(image: Any) -> tf.Tensor:
    """Images less their mean, over their deviation. Stands for `tf.image.per_image_standardization`.

    As in TF 1.15 the result has the type of the images: those of integers are scaled to [0, 1] before, and the result
    back, in which all below the mean is 0 for unsigned ones. TF2 gives float32.

      >>> per_image_standardization(tf.constant([[[0], [255]]], tf.uint8)).numpy().ravel().tolist()
      [0, 180]

    Args:
      image: `[..., height, width, channels]`.

    Raises:
      ValueError: it has less than three dimensions.
    """
    with tf.name_scope("per_image_standardization"):
        given = tf.convert_to_tensor(image, name="image")
        known = given if given.dtype.is_floating else tf.image.convert_image_dtype(given, tf.float32)
        return tf.image.convert_image_dtype(tf.image.per_image_standardization(known), given.dtype, saturate=True)
