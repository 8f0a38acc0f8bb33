"""The layer that adds one and the same random tensor to every image, whatever the images' size."""

from __future__ import annotations

import random
from typing import Any

import tensorflow as tf

__all__ = ["ConstantNoise"]

_LARGEST_SEED = 2**31 - 1


@tf.keras.utils.register_keras_serializable("compat")
class ConstantNoise(tf.keras.layers.Layer):  # type: ignore[misc]
    """Adds a random tensor that is drawn once: the same one in each call, and to each example of a batch.

    Such noise breaks ties, in front of a comparison of neighbouring pixels for example. TF 1.15 had it as a
    `tf.Variable(tf.random_normal(...), trainable=False)`, which wants to know the images' size when it is made. Here
    the layer keeps a seed, as a weight, and draws the tensor from it in the call: a size may be unknown, and each size
    has its own tensor. It is the same after saving and loading, and in each replica; a GPU may round it otherwise.

    Args:
      stddev: standard deviation of the noise, in the inputs' unit.
      mean: its mean.
      seed: an integer below 2**31; two layers of the same seed add the same noise. None draws one, as
        `tf.keras.utils.set_random_seed` decides.
      **kwargs: of `tf.keras.layers.Layer`.

    Raises:
      ValueError: `stddev` is negative, or `seed` out of range.
      TypeError: the inputs are no floating-point numbers.

    Example:
      >>> images = tf.keras.Input([None, None, 3])
      >>> model = tf.keras.Model(images, ConstantNoise(0.1, seed=1)(images))
      >>> noise = model(tf.zeros([2, 4, 5, 3]))
      >>> noise.shape, bool(tf.reduce_all(noise[0] == noise[1]))
      (TensorShape([2, 4, 5, 3]), True)
      >>> bool(tf.reduce_all(noise == model(tf.zeros([2, 4, 5, 3]))))
      True
    """

    def __init__(self, stddev: float = 0.001, mean: float = 0.0, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if stddev < 0:
            raise ValueError(f"ConstantNoise: stddev must not be negative, but is {stddev}")
        if seed is not None and not 0 <= seed <= _LARGEST_SEED:
            raise ValueError(f"ConstantNoise: seed must be from 0 to {_LARGEST_SEED}, but is {seed}")
        self.stddev = stddev
        self.mean = mean
        self.seed = seed

    def build(self, inputs_shape: Any) -> None:
        seed = random.randint(0, _LARGEST_SEED) if self.seed is None else self.seed
        self.drawn_from = self.add_weight(
            shape=(2,),
            dtype="int64",  # An int32 is always on the CPU, where what XLA compiles for a GPU cannot get at it.
            initializer=lambda shape, dtype=None: tf.constant([seed, 0], dtype),
            trainable=False,
            name="seed",
        )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """`inputs` [batch, ...] and the noise, of the shape of one example."""
        inputs = tf.convert_to_tensor(inputs)
        if not inputs.dtype.is_floating:
            raise TypeError(f"ConstantNoise adds to floating-point numbers, but got {inputs.dtype.name}")
        noise = tf.random.stateless_normal(
            tf.shape(inputs)[1:], tf.convert_to_tensor(self.drawn_from), self.mean, self.stddev, alg="philox"
        )
        return inputs + tf.cast(noise, inputs.dtype)

    def compute_output_shape(self, inputs_shape: Any) -> Any:
        return inputs_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "stddev": self.stddev, "mean": self.mean, "seed": self.seed}
