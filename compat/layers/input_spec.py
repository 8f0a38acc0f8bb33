"""What a layer expects of its inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf


class InputSpec:
    """Rank, shape and dtype that a layer expects of one input. Stands for ``tf.layers.InputSpec``.

    Args:
        dtype: the dtype.
        shape: the shape; None stands for any size.
        ndim: the rank.
        max_ndim, min_ndim: bounds of the rank.
        axes: sizes of single axes, ``{axis: size}``.
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: dict[int, int | None] | None = None,
    ) -> None:
        self.dtype = tf.as_dtype(dtype).name if dtype is not None else None
        self.shape = shape
        self.ndim = len(shape) if shape is not None else ndim
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        self.axes = {int(axis): size for axis, size in (axes or {}).items()}

    def check(self, value: Any, index: int, layer: str) -> None:
        """Checks input number ``index`` of the layer named ``layer``.

        Raises:
            ValueError: it does not fit.
        """
        shape = value.shape
        head = f"Input {index} of layer {layer} is incompatible with the layer: "
        rank = shape.rank
        if rank is None:
            if self.ndim is not None or self.min_ndim is not None or self.max_ndim is not None:
                raise ValueError(f"{head}its rank is undefined, but the layer requires a defined rank.")
            return
        full = f" Full shape received: {shape.as_list()}"
        if self.ndim is not None and rank != self.ndim:
            raise ValueError(f"{head}expected ndim={self.ndim}, found ndim={rank}.{full}")
        if self.max_ndim is not None and rank > self.max_ndim:
            raise ValueError(f"{head}expected max_ndim={self.max_ndim}, found ndim={rank}.{full}")
        if self.min_ndim is not None and rank < self.min_ndim:
            raise ValueError(f"{head}: expected min_ndim={self.min_ndim}, found ndim={rank}.{full}")
        if self.dtype is not None and value.dtype.name != self.dtype:
            raise ValueError(f"{head}expected dtype={self.dtype}, found dtype={value.dtype.name}.{full}")
        for axis, size in self.axes.items():
            if size is not None and shape[axis] not in (size, None):
                raise ValueError(f"{head}expected axis {axis} of input shape to have value {size}.{full}")
        for expected, found in zip(self.shape or (), shape, strict=False):
            if expected is not None and found is not None and expected != found:
                raise ValueError(f"{head}expected shape={self.shape}, found shape={shape.as_list()}")


def check_inputs(specs: Any, inputs: Any, layer: str) -> None:
    """Checks all inputs of a layer against what it expects: a spec, a list of them, or None.

    Raises:
        ValueError: they do not fit, or are another number.
    """
    if specs is None:
        return
    listed = list(specs) if isinstance(specs, list | tuple) else [specs]
    flat = tf.nest.flatten(inputs)
    if len(flat) != len(listed):
        raise ValueError(
            f"Layer {layer} expects {len(listed)} inputs, but it received {len(flat)} input tensors. "
            f"Inputs received: {inputs}"
        )
    for index, (value, spec) in enumerate(zip(flat, listed, strict=True)):
        if spec is not None:
            spec.check(value, index, layer)


def as_tensors(inputs: Any) -> Any:
    """Converts numbers and arrays among the inputs; one of them is enough for all."""
    flat = tf.nest.flatten(inputs)
    if any(isinstance(each, np.ndarray | float | int) for each in flat):
        return tf.nest.map_structure(tf.convert_to_tensor, inputs)
    return inputs
