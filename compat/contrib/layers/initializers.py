"""Initializers of ``tf.contrib.layers``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...random.drawing import drawn

_MODES = ("FAN_IN", "FAN_OUT", "FAN_AVG")
# The variance that contrib drew from, so that cutting it off at two standard deviations leaves about one.
_TRUNCATION = 1.3


class VarianceScaling:
    """What :func:`variance_scaling_initializer` returns; ``seed`` tells whether it starts a sequence of its own."""

    def __init__(self, factor: float, mode: str, uniform: bool, seed: int | None, dtype: Any) -> None:
        self.factor = factor
        self.mode = mode
        self.uniform = uniform
        self.seed = seed
        self.dtype = tf.as_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        dtype = tf.as_dtype(self.dtype if dtype is None else dtype)
        if not dtype.is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        units = self._units([float(size) for size in shape])
        if self.uniform:
            limit = math.sqrt(3.0 * self.factor / units)
            return drawn(tf.random.uniform, shape, -limit, limit, dtype, seed=self.seed)
        stddev = math.sqrt(_TRUNCATION * self.factor / units)
        return drawn(tf.random.truncated_normal, shape, 0.0, stddev, dtype, seed=self.seed)

    def _units(self, sizes: list[float]) -> float:
        """The number of inputs, outputs, or their mean, of a unit."""
        if not sizes:
            return 1.0
        field = math.prod(sizes[:-2])
        inputs = (sizes[-2] if len(sizes) > 1 else sizes[-1]) * field
        outputs = sizes[-1] * field
        return {"FAN_IN": inputs, "FAN_OUT": outputs, "FAN_AVG": (inputs + outputs) / 2.0}[self.mode]


def variance_scaling_initializer(
    factor: float = 2.0,
    mode: str = "FAN_IN",
    uniform: bool = False,
    seed: int | None = None,
    dtype: Any = tf.float32,
) -> Callable[..., Any]:
    """Random with variance ``factor / n``; He's initializer by default.

    Stands for ``tf.contrib.layers.variance_scaling_initializer``.

    Args:
        mode: ``n`` is the inputs of a unit (``FAN_IN``), its outputs (``FAN_OUT``) or their mean (``FAN_AVG``).
        uniform: a uniform instead of a truncated normal distribution.

    Raises:
        TypeError: a dtype that is not floating, or an unknown mode.
    """
    if not tf.as_dtype(dtype).is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in _MODES:
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    return VarianceScaling(factor, mode, uniform, seed, dtype)


def xavier_initializer(uniform: bool = True, seed: int | None = None, dtype: Any = tf.float32) -> Callable[..., Any]:
    """Glorot's: of variance ``2 / (inputs + outputs)``. Stands for ``tf.contrib.layers.xavier_initializer``."""
    return variance_scaling_initializer(factor=1.0, mode="FAN_AVG", uniform=uniform, seed=seed, dtype=dtype)


xavier_initializer_conv2d = xavier_initializer
XAVIER = xavier_initializer()
