"""Maximum and average pooling."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from .base import Layer
from .geometry import as_tuple, kernel_format, normalized_data_format, normalized_padding
from .input_spec import InputSpec


class Pooling(Layer):
    """What all pooling layers share.

    Args:
        kind: ``MAX`` or ``AVG``.
        rank: how many spatial axes there are.
        pool_size, strides: one number, or one for each spatial axis.
        padding: ``valid`` or ``same``.
        data_format: ``channels_last`` or ``channels_first``.
    """

    def __init__(
        self,
        kind: str,
        rank: int,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = "channels_last",
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        self.kind = kind
        self.rank = rank
        self.pool_size = as_tuple(pool_size, rank, "pool_size")
        self.strides = as_tuple(pool_size if strides is None else strides, rank, "strides")
        self.padding = normalized_padding(padding)
        self.data_format = normalized_data_format(data_format)
        self.input_spec = InputSpec(ndim=rank + 2)

    def call(self, inputs: Any) -> Any:
        if self.rank == 3:
            return self._pool3d(inputs)
        if self.rank == 2:
            return self._pool2d(inputs, self.pool_size, self.strides)
        axis = 2 if self.data_format == "channels_last" else 3
        outputs = self._pool2d(tf.expand_dims(inputs, axis), (*self.pool_size, 1), (*self.strides, 1))
        return tf.squeeze(outputs, axis)

    def _pool2d(self, inputs: Any, size: tuple[int, ...], strides: tuple[int, ...]) -> Any:
        pool = tf.nn.max_pool2d if self.kind == "MAX" else tf.nn.avg_pool2d
        ends = _window(self.data_format)
        name = "MaxPool" if self.kind == "MAX" else "AvgPool"
        return pool(
            inputs, ends(size), ends(strides), self.padding.upper(), kernel_format(self.data_format, 2), name=name
        )

    def _pool3d(self, inputs: Any) -> Any:
        first = self.data_format == "channels_first"
        # The CPU kernels know channels at the end only; TF1 moved them too.
        inputs = tf.transpose(inputs, (0, 2, 3, 4, 1)) if first else inputs
        # TF1 had CPU kernels for these types, TF2 has not.
        if inputs.dtype == tf.float16:
            outputs = tf.cast(self._pool3d_by_kernel(tf.cast(inputs, tf.float32)), tf.float16)
        elif inputs.dtype == tf.float64 and self.kind == "AVG":
            outputs = self._average3d_by_planes(inputs)
        else:
            outputs = self._pool3d_by_kernel(inputs)
        return tf.transpose(outputs, (0, 4, 1, 2, 3)) if first else outputs

    def _pool3d_by_kernel(self, inputs: Any) -> Any:
        pool = tf.nn.max_pool3d if self.kind == "MAX" else tf.nn.avg_pool3d
        name = "MaxPool3D" if self.kind == "MAX" else "AvgPool3D"
        return pool(inputs, (1, *self.pool_size, 1), (1, *self.strides, 1), self.padding.upper(), name=name)

    def _average3d_by_planes(self, inputs: Any) -> Any:
        # A window's number of elements is a product, at padded borders too: the mean is one of the planes' means.
        (depth, *plane), (step, *steps), padding = self.pool_size, self.strides, self.padding.upper()
        batch, length, height, width, channels = tf.unstack(tf.shape(inputs))
        flat = tf.reshape(inputs, [batch * length, height, width, inputs.shape[-1] or channels])
        planes = tf.nn.avg_pool2d(flat, plane, steps, padding)
        height, width = tf.unstack(tf.shape(planes)[1:3])
        columns = tf.reshape(planes, [batch, length, height * width, inputs.shape[-1] or channels])
        means = tf.nn.avg_pool2d(columns, [depth, 1], [step, 1], padding)
        return tf.reshape(means, [batch, tf.shape(means)[1], height, width, channels])


def _window(data_format: str) -> Any:
    """Puts ones for the batch and the channels around the spatial sizes."""
    return (lambda sizes: [1, *sizes, 1]) if data_format == "channels_last" else (lambda sizes: [1, 1, *sizes])


class MaxPooling1D(Pooling):
    """The maximum of windows of ``[batch, steps, channels]``. Stands for ``tf.layers.MaxPooling1D``."""

    def __init__(self, pool_size: Any, strides: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__("MAX", 1, pool_size, strides, *args, **kwargs)


class MaxPooling2D(Pooling):
    """The maximum of windows of ``[batch, height, width, channels]``. Stands for ``tf.layers.MaxPooling2D``."""

    def __init__(self, pool_size: Any, strides: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__("MAX", 2, pool_size, strides, *args, **kwargs)


class MaxPooling3D(Pooling):
    """The maximum of 3-D windows of 5-D inputs. Stands for ``tf.layers.MaxPooling3D``."""

    def __init__(self, pool_size: Any, strides: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__("MAX", 3, pool_size, strides, *args, **kwargs)


class AveragePooling1D(Pooling):
    """The average of windows of ``[batch, steps, channels]``. Stands for ``tf.layers.AveragePooling1D``."""

    def __init__(self, pool_size: Any, strides: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__("AVG", 1, pool_size, strides, *args, **kwargs)


class AveragePooling2D(Pooling):
    """The average of windows of ``[batch, height, width, channels]``. Stands for ``tf.layers.AveragePooling2D``."""

    def __init__(self, pool_size: Any, strides: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__("AVG", 2, pool_size, strides, *args, **kwargs)


class AveragePooling3D(Pooling):
    """The average of 3-D windows of 5-D inputs. Stands for ``tf.layers.AveragePooling3D``."""

    def __init__(self, pool_size: Any, strides: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__("AVG", 3, pool_size, strides, *args, **kwargs)


def max_pooling1d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """Applies :class:`MaxPooling1D`: the maximum of each window. Stands for ``tf.layers.max_pooling1d``."""
    return MaxPooling1D(pool_size, strides, padding, data_format, name)(inputs)


def max_pooling2d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """Applies :class:`MaxPooling2D`: the maximum of each window. Stands for ``tf.layers.max_pooling2d``."""
    return MaxPooling2D(pool_size, strides, padding, data_format, name)(inputs)


def max_pooling3d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """Applies :class:`MaxPooling3D`: the maximum of each window. Stands for ``tf.layers.max_pooling3d``."""
    return MaxPooling3D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling1d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """Applies :class:`AveragePooling1D`: the average of each window. Stands for ``tf.layers.average_pooling1d``."""
    return AveragePooling1D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling2d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """Applies :class:`AveragePooling2D`: the average of each window. Stands for ``tf.layers.average_pooling2d``."""
    return AveragePooling2D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling3d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """Applies :class:`AveragePooling3D`: the average of each window. Stands for ``tf.layers.average_pooling3d``."""
    return AveragePooling3D(pool_size, strides, padding, data_format, name)(inputs)
