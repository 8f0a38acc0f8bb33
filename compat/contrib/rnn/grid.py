"""LSTMs over a grid of frequency and time: `GridLSTMCell` and `BidirectionalGridLSTMCell`."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell, input_depth
from ...nn.rnn_cell.lstm import clip_magnitude, warn_if_concatenated
from ...variables import get_variable, variable_scope
from .coupled import sharded_variable
from .time_frequency import windows


@dataclass(frozen=True)
class _Lstm:
    """The weights of the LSTM along one of the two axes."""

    kernel: Any
    bias: Any
    diagonals: dict[str, tuple[Any, Any]]
    coupled: bool
    forget_bias: float
    clip: float | None

    def gates(self, joined: tf.Tensor) -> list[tf.Tensor]:
        """i, j, f (none where it is coupled with i) and o."""
        return tf.split(tf.nn.bias_add(tf.matmul(joined, self.kernel), self.bias), 3 if self.coupled else 4, axis=1)

    def _peephole(self, gate: tf.Tensor, name: str, c_freq: tf.Tensor, c_time: tf.Tensor) -> tf.Tensor:
        if not self.diagonals:
            return gate
        of_freq, of_time = self.diagonals[name]
        return gate + of_freq * c_freq + of_time * c_time

    def cell(self, gates: list[tf.Tensor], c: tf.Tensor, c_freq: tf.Tensor, c_time: tf.Tensor) -> tf.Tensor:
        """The new cell, from the old one `c`."""
        i = tf.sigmoid(self._peephole(gates[0], "I", c_freq, c_time))
        f = 1.0 - i
        if not self.coupled:
            f = tf.sigmoid(self._peephole(gates[2] + self.forget_bias, "F", c_freq, c_time))
        return clip_magnitude(f * c + i * tf.tanh(gates[1]), self.clip)

    def output(self, gates: list[tf.Tensor], c: tf.Tensor, c_freq: tf.Tensor, c_time: tf.Tensor) -> tf.Tensor:
        """The output of the new cell `c`."""
        return tf.sigmoid(self._peephole(gates[-1], "O", c_freq, c_time)) * tf.tanh(c)


class GridLSTMCell(RNNCell):
    """An LSTM along time and one along frequency that see each other (TF 1.15's `tf.contrib.rnn.GridLSTMCell`).

    The inputs are cut into blocks of frequencies, each with its own weights and a number of positions. Variables of
    block b: `W_f_<b>_<i>`, `B_f_<b>`, unless weights are shared `W_t_<b>_<i>`, `B_t_<b>`, and with peepholes
    `W_<F|I|O>_diag_<freq|time><f|t>_<b>`.

    Args:
      num_units: n, the size of both cells.
      use_peepholes: whether the gates see both cells.
      share_time_frequency_weights: whether both LSTMs have the same weights.
      cell_clip: bound on the magnitude of the cells, or None.
      initializer: ignored, as in TF 1.15; set one on the variable scope.
      num_unit_shards: number of shards of each kernel.
      forget_bias: added to the forget gates.
      feature_size: number of inputs that each position sees.
      frequency_skip: distance from one position to the next.
      num_frequency_blocks: list with the number of positions in each block.
      start_freqindex_list: first input of each block; one block of all inputs by default.
      end_freqindex_list: end of the inputs of each block.
      couple_input_forget_gates: whether a forget gate is one minus the input gate.
      state_is_tuple: whether the state is a named tuple, `state_f<position>_b<block>_c` and `…_m`, or one tensor.
      reuse: True to share variables that the scope already has.

    Raises:
      ValueError: no `num_frequency_blocks`, or numbers of positions that do not fit the inputs.
    """

    _directions: tuple[str, ...] = ("state",)
    _tuple_name = "GridLSTMStateTuple"

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: Sequence[int] | None = None,
        start_freqindex_list: Sequence[int] | None = None,
        end_freqindex_list: Sequence[int] | None = None,
        couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        warn_if_concatenated(self, state_is_tuple)
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._share_weights = share_time_frequency_weights
        self._coupled = couple_input_forget_gates
        self._cell_clip = cell_clip
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size: int = feature_size  # type: ignore[assignment]
        self._frequency_skip: int = frequency_skip  # type: ignore[assignment]
        self._blocks = [int(count) for count in num_frequency_blocks]
        self._starts = start_freqindex_list
        self._ends = end_freqindex_list
        self._state_tuple_type: Any = None
        if state_is_tuple:
            names = [
                f"{direction}_f{position:02d}_b{block:02d}_{part}"
                for direction in self._directions
                for block, count in enumerate(self._blocks)
                for position in range(count)
                for part in "cm"
            ]
            self._state_tuple_type = collections.namedtuple(self._tuple_name, names)  # type: ignore[misc]

    @property
    def output_size(self) -> Any:
        return 2 * self._num_units * sum(self._blocks) * len(self._directions)

    @property
    def state_size(self) -> Any:
        if self._state_tuple_type is None:
            return self.output_size
        return self._state_tuple_type(*[self._num_units] * len(self._state_tuple_type._fields))

    @property
    def state_tuple_type(self) -> Any:
        """The type of the state, None where it is one tensor."""
        return self._state_tuple_type

    def call(self, inputs: Any, state: Any) -> Any:
        outputs, states = self._run(self._features(inputs), state, "state")
        return tf.concat(outputs, 1), self._joined(states)

    def _joined(self, states: list[tf.Tensor]) -> Any:
        return tf.concat(states, 1) if self._state_tuple_type is None else self._state_tuple_type(*states)

    def _run(self, blocks: list[list[tf.Tensor]], state: Any, prefix: str) -> tuple[list[tf.Tensor], list[tf.Tensor]]:
        """Outputs and states of all positions of all blocks."""
        outputs: list[tf.Tensor] = []
        states: list[tf.Tensor] = []
        for block, positions in enumerate(blocks):
            freq, time = self._weights(block, positions[0])
            c_freq = m_freq = tf.zeros(tf.stack([tf.shape(positions[0])[0], self._num_units]), positions[0].dtype)
            for k, position in enumerate(positions):
                c_time, m_time = self._state_of(state, prefix, k, block)
                joined = tf.concat([position, m_time, m_freq], 1)
                freq_gates = freq.gates(joined)
                time_gates = freq_gates if time is freq else time.gates(joined)
                new_c_freq = freq.cell(freq_gates, c_freq, c_freq, c_time)
                new_c_time = time.cell(time_gates, c_time, c_freq, c_time)
                c_freq, c_time = new_c_freq, new_c_time
                m_freq = freq.output(freq_gates, c_freq, c_freq, c_time)
                m_time = time.output(time_gates, c_time, c_freq, c_time)
                states += [c_time, m_time]
                outputs += [m_time, m_freq]
        return outputs, states

    def _state_of(self, state: Any, prefix: str, position: int, block: int) -> tuple[tf.Tensor, tf.Tensor]:
        if self._state_tuple_type is not None:
            name = f"{prefix}_f{position:02d}_b{block:02d}"
            return getattr(state, name + "_c"), getattr(state, name + "_m")
        # As in TF 1.15, the blocks of a state that is one tensor lie over each other.
        n = self._num_units
        return state[:, 2 * position * n :][:, :n], state[:, (2 * position + 1) * n :][:, :n]

    def _weights(self, block: int, position: tf.Tensor) -> tuple[_Lstm, _Lstm]:
        n, dtype = self._num_units, position.dtype
        columns = (3 if self._coupled else 4) * n
        shape = [position.shape[1] + 2 * n, columns]
        axes = ["f"] if self._share_weights else ["f", "t"]
        affine = []
        for axis in axes:
            kernel = sharded_variable(f"W_{axis}_{block}", shape, dtype, self._num_unit_shards)
            bias = get_variable(f"B_{axis}_{block}", [columns], initializer=tf.zeros_initializer(), dtype=dtype)
            affine.append((kernel, bias))
        lstms = []
        for (kernel, bias), axis in zip(affine, ("freq", "time"), strict=False):
            diagonals: dict[str, tuple[Any, Any]] = {}
            for gate in ("IO" if self._coupled else "FIO") if self._use_peepholes else "":
                names = (f"W_{gate}_diag_{axis}{of}_{block}" for of in "ft")
                of_freq, of_time = (get_variable(name, [n], dtype=dtype) for name in names)
                diagonals[gate] = (of_freq, of_time)
            lstms.append(_Lstm(kernel, bias, diagonals, self._coupled, self._forget_bias, self._cell_clip))
        return lstms[0], lstms[-1]

    def _features(self, inputs: tf.Tensor, offset: int = 0) -> list[list[tf.Tensor]]:
        """What each position of each block sees, `offset` inputs further on."""
        depth = input_depth(inputs.shape.with_rank(2))
        padded = tf.pad(inputs, [[0, 0], [max(-offset, 0), max(offset, 0)]]) if offset else inputs
        if not self._starts:
            if len(self._blocks) != 1:
                raise ValueError(f"Length of num_frequency_blocks is not 1, but instead is {len(self._blocks)}")
            spans = [(0, depth)]
        else:
            ends = self._ends or ()
            if not len(self._starts) == len(ends) == len(self._blocks):
                raise ValueError(
                    "Length of start and end freqindex_list and num_frequency_blocks does not match "
                    f"{len(self._starts)} {len(ends)} {len(self._blocks)}"
                )
            spans = list(zip(self._starts, ends, strict=True))
        moved = max(offset, 0)
        blocks = [
            windows(padded, start + moved, end + moved, self._feature_size, self._frequency_skip)
            for start, end in spans
        ]
        for wanted, positions in zip(self._blocks, blocks, strict=True):
            if wanted != len(positions):
                raise ValueError(
                    f"Invalid num_frequency_blocks, requires {wanted} but gets {len(positions)}, "
                    "please check the input size and filter config are correct."
                )
        return blocks


class BidirectionalGridLSTMCell(GridLSTMCell):
    """A `GridLSTMCell` that runs both ways along frequency (TF 1.15's `tf.contrib.rnn.BidirectionalGridLSTMCell`).

    Variables as those, under `fwd` and `bwd`. The state is a named tuple, `fwd_state_f…` and `bwd_state_f…`.

    Args:
      num_units: as in `GridLSTMCell`, and so are all that follow but `backward_slice_offset`.
      backward_slice_offset: how many inputs further on the backward run begins.
    """

    _directions = ("fwd_state", "bwd_state")
    _tuple_name = "BidirectionalGridLSTMStateTuple"

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: Sequence[int] | None = None,
        start_freqindex_list: Sequence[int] | None = None,
        end_freqindex_list: Sequence[int] | None = None,
        couple_input_forget_gates: bool = False,
        backward_slice_offset: int = 0,
        reuse: Any = None,
    ) -> None:
        super().__init__(
            num_units,
            use_peepholes,
            share_time_frequency_weights,
            cell_clip,
            initializer,
            num_unit_shards,
            forget_bias,
            feature_size,
            frequency_skip,
            num_frequency_blocks,
            start_freqindex_list,
            end_freqindex_list,
            couple_input_forget_gates,
            True,
            reuse,
        )
        self._backward_slice_offset = int(backward_slice_offset)

    def call(self, inputs: Any, state: Any) -> Any:
        forward = self._features(inputs)
        backward = [positions[::-1] for positions in self._features(inputs, self._backward_slice_offset)]
        with variable_scope("fwd"):
            outputs_fw, states_fw = self._run(forward, state, "fwd_state")
        with variable_scope("bwd"):
            outputs_bw, states_bw = self._run(backward, state, "bwd_state")
        return tf.concat(outputs_fw + outputs_bw, 1), self._joined(states_fw + states_bw)
