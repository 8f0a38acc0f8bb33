"""Dropout around a cell."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from ... import counting
from .lstm import LSTMStateTuple
from .wrappers import CellWrapper


class DropoutWrapper(CellWrapper):
    """Drops a part of a cell's inputs, state and outputs (TF 1.15's `tf.nn.rnn_cell.DropoutWrapper`).

    What is kept is divided by the probability of keeping it. In an `LSTMStateTuple` only h is dropped; TensorArrays
    never are.

    Args:
      cell: the cell.
      input_keep_prob: probability of keeping an input: a float, or a scalar tensor.
      output_keep_prob: the same for outputs.
      state_keep_prob: the same for the new state.
      variational_recurrent: whether one mask is drawn for all time steps and examples instead of one for each.
      input_size: depth of the inputs (a structure like theirs), without the batch; needed with
        `variational_recurrent` where inputs are dropped.
      dtype: dtype of inputs, state and outputs; needed with `variational_recurrent`.
      seed: seed of all masks.
      dropout_state_filter_visitor: function of a part of the state that says whether it is dropped: True, False, or
        a structure of them.

    Raises:
      TypeError: `cell` is not like a cell, or the filter is not callable.
      ValueError: a probability is not between 0 and 1, or `dtype` or `input_size` is missing.
    """

    def __init__(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: Any = None,
        dropout_state_filter_visitor: Callable[[Any], Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._dropout_state_filter = dropout_state_filter_visitor or _all_but_lstm_cell
        self._input_keep_prob = _probability("input_keep_prob", input_keep_prob)
        self._state_keep_prob = _probability("state_keep_prob", state_keep_prob)
        self._output_keep_prob = _probability("output_keep_prob", output_keep_prob)
        given = (input_keep_prob, state_keep_prob, output_keep_prob)
        counting.add(sum(not tf.is_tensor(each) and not isinstance(each, tf.Variable) for each in given))
        self._variational_recurrent = variational_recurrent
        self._input_size = input_size
        self._seed = seed
        self._input_noise = self._state_noise = self._output_noise = None
        if variational_recurrent:
            if dtype is None:
                raise ValueError("When variational_recurrent=True, dtype must be provided")
            self._draw_noise(cell, input_size, dtype)

    @property
    def wrapped_cell(self) -> Any:
        """The cell inside."""
        return self.cell

    def _draw_noise(self, cell: Any, input_size: Any, dtype: Any) -> None:
        def noise(kind: str, sizes: Any) -> Any:
            # The seeds of what follows depend on how many operations make the shape.
            drawn = [
                tf.random.uniform(
                    tf.concat(([1], tf.TensorShape(size).as_list()), 0), seed=self._gen_seed(kind, i), dtype=dtype
                )
                for i, size in enumerate(tf.nest.flatten(sizes))
            ]
            return tf.nest.pack_sequence_as(sizes, drawn)

        if _may_drop(self._input_keep_prob):
            if input_size is None:
                raise ValueError(
                    "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, "
                    "input_size must be provided"
                )
            self._input_noise = noise("input", input_size)
        self._state_noise = noise("state", cell.state_size)
        self._output_noise = noise("output", cell.output_size)

    def _gen_seed(self, kind: str, index: int) -> int | None:
        """TF1's seed for the mask number `index` of its kind."""
        if self._seed is None:
            return None
        salted = f"{self._seed}{kind}_{index}".encode()
        return int(hashlib.md5(salted).hexdigest()[:8], 16) & 0x7FFFFFFF

    def _dropout(self, values: Any, kind: str, noise: Any, keep_prob: Any, wanted: Callable[[Any], Any]) -> Any:
        """Drops a part of each tensor of `values` that `wanted` asks for."""
        # A part that is left out counts once, whatever is in it: the seeds of what follows depend on it.
        index = itertools.count()

        def visit(value: Any, mask: Any) -> Any:
            answer = wanted(value)
            if not tf.nest.is_nested(value):
                return drop(value, mask, next(index)) if answer else leave(value)
            if answer is False:
                return leave(value)
            parts = _parts(value)
            answers = [True] * len(parts) if answer is True else _parts(answer)
            masks = [None] * len(parts) if mask is None else _parts(mask)
            visited = [
                visit(part, own) if chosen else leave(part)
                for part, own, chosen in zip(parts, masks, answers, strict=True)
            ]
            return _rebuild(value, visited)

        def leave(value: Any) -> Any:
            next(index)
            return value

        def drop(value: Any, mask: Any, number: int) -> Any:
            if mask is not None:
                return _with_mask(value, mask, keep_prob)
            return tf.nn.dropout(value, rate=1.0 - keep_prob, seed=self._gen_seed(kind, number))

        return visit(values, noise)

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        if _may_drop(self._input_keep_prob):
            inputs = self._dropout(inputs, "input", self._input_noise, self._input_keep_prob, _everything)
        output, new_state = cell_call_fn(inputs, state, **kwargs)
        if _may_drop(self._state_keep_prob):
            new_state = self._dropout(
                new_state, "state", self._state_noise, self._state_keep_prob, self._dropout_state_filter
            )
        if _may_drop(self._output_keep_prob):
            output = self._dropout(output, "output", self._output_noise, self._output_keep_prob, _everything)
        return output, new_state


def _probability(name: str, value: Any) -> Any:
    known = tf.get_static_value(value) if tf.is_tensor(value) else value
    if known is None or isinstance(value, tf.Variable):
        return value
    if known < 0 or known > 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {known}")
    return float(known)


def _may_drop(keep_prob: Any) -> bool:
    return not isinstance(keep_prob, float) or keep_prob < 1


def _with_mask(value: tf.Tensor, noise: tf.Tensor, keep_prob: Any) -> tf.Tensor:
    """Keeps the columns whose noise, uniform in [0, 1), is at least `1 - keep_prob`."""
    kept = (value / keep_prob) * tf.floor(keep_prob + noise)
    if not tf.executing_eagerly():
        kept.set_shape(value.shape)
    return kept


def _all_but_lstm_cell(part: Any) -> Any:
    if isinstance(part, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(part, tf.TensorArray)


def _everything(_: Any) -> bool:
    return True


def _parts(structure: Any) -> list[Any]:
    """The parts of a structure, one level down, in the order of `tf.nest`."""
    if isinstance(structure, Mapping):
        return [structure[key] for key in sorted(structure)]
    return list(structure)


def _rebuild(structure: Any, parts: list[Any]) -> Any:
    """A structure like the one given, with other parts."""
    if isinstance(structure, Mapping):
        return type(structure)(zip(sorted(structure), parts, strict=True))  # type: ignore[call-arg]
    if hasattr(structure, "_fields"):
        return type(structure)(*parts)
    return type(structure)(parts)
