"""Initializers of TF 1.x, with TF 1.15's values for a seed.

Each is made once and called as ``initializer(shape, dtype=None, partition_info=None)``; the ``dtype`` given there wins
over the one of the constructor. A part of a partitioned variable is scaled as the whole would be. With an op ``seed`` a
value is the one that TF 1.15 drew; TF1's graph seed alone gave other numbers than TF2's (it counted the operations).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from .random.drawing import drawn
from .variables.initialization import global_variables_initializer as global_variables
from .variables.initialization import local_variables_initializer as local_variables
from .variables.initialization import variables_initializer as variables

__all__ = [
    "Initializer",
    "constant",
    "global_variables",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "local_variables",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "truncated_normal",
    "uniform_unit_scaling",
    "variables",
    "variance_scaling",
    "zeros",
]

# The standard deviation of a standard normal distribution that is cut off at two standard deviations.
_TRUNCATED_STDDEV = 0.87962566103423978


def _float_dtype(dtype: Any) -> tf.DType:
    dtype = tf.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


class Initializer:
    """Base of all initializers; a subclass says what :meth:`__call__` gives."""

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        """Makes a tensor of that shape."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """Makes one from what :meth:`get_config` gave."""
        return cls(**config)


class zeros_initializer(Initializer):
    """All zeros (False, empty strings). Stands for ``tf.zeros_initializer``."""

    def __init__(self, dtype: Any = tf.float32) -> None:
        self.dtype = tf.as_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        return tf.zeros(shape, self.dtype if dtype is None else dtype)

    def get_config(self) -> dict[str, Any]:
        return {"dtype": self.dtype.name}


class ones_initializer(Initializer):
    """All ones. Stands for ``tf.ones_initializer``."""

    def __init__(self, dtype: Any = tf.float32) -> None:
        self.dtype = tf.as_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        return tf.ones(shape, self.dtype if dtype is None else dtype)

    def get_config(self) -> dict[str, Any]:
        return {"dtype": self.dtype.name}


class constant_initializer(Initializer):
    """A constant, row-major; the last element fills what a shorter list leaves over.

    Stands for ``tf.constant_initializer``.

    Args:
        value: a scalar, a list, a tuple or an array.
        verify_shape: whether ``value`` must have exactly the shape asked for.

    Raises:
        TypeError: a value of another kind, or with ``verify_shape`` of another shape.
        ValueError: more elements than the shape holds.
    """

    def __init__(self, value: Any = 0, dtype: Any = tf.float32, verify_shape: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, "
                "or numpy.ndarray)."
            )
        self.value = value
        self.dtype = tf.as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(
        self,
        shape: Sequence[int],
        dtype: Any = None,
        partition_info: Any = None,
        verify_shape: bool | None = None,
    ) -> Any:
        dtype = tf.as_dtype(self.dtype if dtype is None else dtype)
        verify = self._verify_shape if verify_shape is None else verify_shape
        filled = tf.make_tensor_proto(self.value, dtype=dtype, shape=shape, verify_shape=verify)
        return tf.constant(tf.make_ndarray(filled), dtype)

    def get_config(self) -> dict[str, Any]:
        return {"value": self.value, "dtype": self.dtype.name}


class random_uniform_initializer(Initializer):
    """Uniform in ``[minval, maxval)``; ``maxval`` is 1 for floats. Stands for ``tf.random_uniform_initializer``."""

    def __init__(self, minval: Any = 0, maxval: Any = None, seed: int | None = None, dtype: Any = tf.float32) -> None:
        self.minval = minval
        self.maxval = maxval
        self.seed = seed
        self.dtype = tf.as_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        return drawn(
            tf.random.uniform, shape, self.minval, self.maxval, self.dtype if dtype is None else dtype, seed=self.seed
        )

    def get_config(self) -> dict[str, Any]:
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed, "dtype": self.dtype.name}


class random_normal_initializer(Initializer):
    """Normal, of standard deviation 1 unless said. Stands for ``tf.random_normal_initializer``."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = tf.float32) -> None:
        self.mean = mean
        self.stddev = stddev
        self.seed = seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        return drawn(
            tf.random.normal, shape, self.mean, self.stddev, self.dtype if dtype is None else dtype, seed=self.seed
        )

    def get_config(self) -> dict[str, Any]:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed, "dtype": self.dtype.name}


class truncated_normal_initializer(random_normal_initializer):
    """Normal, drawn again beyond two standard deviations. Stands for ``tf.truncated_normal_initializer``."""

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        return drawn(
            tf.random.truncated_normal,
            shape,
            self.mean,
            self.stddev,
            self.dtype if dtype is None else dtype,
            seed=self.seed,
        )


class uniform_unit_scaling_initializer(Initializer):
    """Uniform in ``±factor·sqrt(3 / inputs)``, inputs being all axes but the last.

    Stands for ``tf.uniform_unit_scaling_initializer``.
    """

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = tf.float32) -> None:
        self.factor = factor
        self.seed = seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        inputs = max(math.prod(float(size) for size in _full_shape(shape, partition_info)[:-1]), 1.0)
        limit = math.sqrt(3 / inputs) * self.factor
        return drawn(tf.random.uniform, shape, -limit, limit, self.dtype if dtype is None else dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"factor": self.factor, "seed": self.seed, "dtype": self.dtype.name}


class variance_scaling_initializer(Initializer):
    """Random with variance ``scale / n``. Stands for ``tf.variance_scaling_initializer``.

    Args:
        scale: a positive number.
        mode: ``n`` is the inputs of a unit (``fan_in``), its outputs (``fan_out``) or their mean (``fan_avg``).
        distribution: ``truncated_normal`` (also called ``normal``), ``untruncated_normal`` or ``uniform``.

    Raises:
        ValueError: an argument outside of these.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: Any = tf.float32,
    ) -> None:
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in {"normal", "uniform", "truncated_normal", "untruncated_normal"}:
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale = scale
        self.mode = mode
        self.distribution = distribution
        self.seed = seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        dtype = self.dtype if dtype is None else dtype
        fan_in, fan_out = compute_fans(_full_shape(shape, partition_info))
        units = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        scale = self.scale / max(1.0, units)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * scale)
            return drawn(tf.random.uniform, shape, -limit, limit, dtype, seed=self.seed)
        if self.distribution == "untruncated_normal":
            return drawn(tf.random.normal, shape, 0.0, math.sqrt(scale), dtype, seed=self.seed)
        return drawn(
            tf.random.truncated_normal, shape, 0.0, math.sqrt(scale) / _TRUNCATED_STDDEV, dtype, seed=self.seed
        )

    def get_config(self) -> dict[str, Any]:
        return {
            "scale": self.scale,
            "mode": self.mode,
            "distribution": self.distribution,
            "seed": self.seed,
            "dtype": self.dtype.name,
        }


class glorot_uniform_initializer(variance_scaling_initializer):
    """Uniform in ``±sqrt(6 / (inputs + outputs))``; what ``get_variable`` takes by default.

    Stands for ``tf.glorot_uniform_initializer``.
    """

    def __init__(self, seed: int | None = None, dtype: Any = tf.float32) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed, "dtype": self.dtype.name}


class glorot_normal_initializer(variance_scaling_initializer):
    """Truncated normal of variance ``2 / (inputs + outputs)``. Stands for ``tf.glorot_normal_initializer``."""

    def __init__(self, seed: int | None = None, dtype: Any = tf.float32) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed, "dtype": self.dtype.name}


class orthogonal_initializer(Initializer):
    """A matrix with orthonormal rows or columns, times ``gain``; axes before the last count as one.

    Stands for ``tf.orthogonal_initializer``.

    Raises:
        ValueError: fewer than two axes.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = tf.float32) -> None:
        self.gain = gain
        self.seed = seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows, columns = math.prod(shape[:-1]), int(shape[-1])
        tall = (max(rows, columns), min(rows, columns))
        normal = drawn(tf.random.normal, tall, dtype=self.dtype if dtype is None else dtype, seed=self.seed)
        q, r = tf.linalg.qr(normal, full_matrices=False)
        q *= tf.sign(tf.linalg.diag_part(r))
        if rows < columns:
            q = tf.linalg.matrix_transpose(q)
        return self.gain * tf.reshape(q, shape)

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}


class identity_initializer(Initializer):
    """The identity matrix times ``gain``. Stands for ``tf.initializers.identity``.

    Raises:
        ValueError: a shape that is not two-dimensional.
    """

    def __init__(self, gain: float = 1.0, dtype: Any = tf.float32) -> None:
        self.gain = gain
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape: Sequence[int], dtype: Any = None, partition_info: Any = None) -> Any:
        full = _full_shape(shape, partition_info)
        if len(full) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        matrix = tf.eye(*full, dtype=self.dtype if dtype is None else dtype)
        if partition_info is not None:
            matrix = tf.slice(matrix, partition_info.var_offset, shape)
        return self.gain * matrix

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "dtype": self.dtype.name}


def lecun_normal(seed: int | None = None) -> Initializer:
    """Truncated normal of variance ``1 / inputs``. Stands for ``tf.initializers.lecun_normal``."""
    return variance_scaling_initializer(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> Initializer:
    """Uniform in ``±sqrt(3 / inputs)``. Stands for ``tf.initializers.lecun_uniform``."""
    return variance_scaling_initializer(1.0, "fan_in", "uniform", seed)


def he_normal(seed: int | None = None) -> Initializer:
    """Truncated normal of variance ``2 / inputs``. Stands for ``tf.initializers.he_normal``."""
    return variance_scaling_initializer(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> Initializer:
    """Uniform in ``±sqrt(6 / inputs)``. Stands for ``tf.initializers.he_uniform``."""
    return variance_scaling_initializer(2.0, "fan_in", "uniform", seed)


def compute_fans(shape: Sequence[int]) -> tuple[float, float]:
    """The inputs and outputs of a unit for weights of that shape (kernels: spatial axes, inputs, outputs)."""
    sizes = [float(size) for size in shape]
    if not sizes:
        return 1.0, 1.0
    if len(sizes) == 1:
        return sizes[0], sizes[0]
    field = math.prod(sizes[:-2])
    return sizes[-2] * field, sizes[-1] * field


def _full_shape(shape: Any, partition_info: Any) -> list[int]:
    if partition_info is not None:
        return list(partition_info.full_shape)
    return tf.TensorShape(shape).as_list()


zeros = zeros_initializer
ones = ones_initializer
constant = constant_initializer
random_uniform = random_uniform_initializer
random_normal = random_normal_initializer
truncated_normal = truncated_normal_initializer
uniform_unit_scaling = uniform_unit_scaling_initializer
variance_scaling = variance_scaling_initializer
glorot_uniform = glorot_uniform_initializer
glorot_normal = glorot_normal_initializer
orthogonal = orthogonal_initializer
identity = identity_initializer
