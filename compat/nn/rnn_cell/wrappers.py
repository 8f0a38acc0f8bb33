"""Cells around a cell: residual connections and devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from .base import Delegating, assert_like_rnncell


class CellWrapper(Delegating):
    """A cell around another, `self.cell`, that adds no variable scope of its own.

    Subclasses implement `_call_wrapped_cell`.
    """

    def __init__(self, cell: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert_like_rnncell("cell", cell)
        self.cell = cell

    @property
    def _cell(self) -> Any:
        return self.cell

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        return self._call_wrapped_cell(inputs, state, self.cell.__call__, scope=scope)

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        raise NotImplementedError


class ResidualWrapper(CellWrapper):
    """Adds a cell's inputs to its outputs (TF 1.15's `tf.nn.rnn_cell.ResidualWrapper`).

    Args:
      cell: the cell, whose outputs have the shape of its inputs.
      residual_fn: called as `residual_fn(inputs, outputs)` for the result; the sum by default.

    Raises:
      ValueError: without `residual_fn`, if the shapes of inputs and outputs differ.
      TypeError: their structures differ.
    """

    def __init__(self, cell: Any, residual_fn: Callable[[Any, Any], Any] | None = None, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        outputs, new_state = cell_call_fn(inputs, state, **kwargs)
        return (self._residual_fn or _add_same_shapes)(inputs, outputs), new_state


def _add_same_shapes(inputs: Any, outputs: Any) -> Any:
    tf.nest.assert_same_structure(inputs, outputs)

    def add(into: Any, out: Any) -> Any:
        into.shape.assert_is_compatible_with(out.shape)
        return into + out

    return tf.nest.map_structure(add, inputs, outputs)


class DeviceWrapper(CellWrapper):
    """Runs a cell on a device (TF 1.15's `tf.nn.rnn_cell.DeviceWrapper`).

    Args:
      cell: the cell.
      device: a device name such as `"/gpu:0"`, or what else `tf.device` takes.
    """

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with tf.device(self._device):
            return super().zero_state(batch_size, dtype)

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        with tf.device(self._device):
            return cell_call_fn(inputs, state, **kwargs)
