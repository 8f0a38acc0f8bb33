"""Cells that take all time steps at once, time first."""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

from ...layers.base import Layer
from ...layers.input_spec import InputSpec
from ...nn.recurrent import dynamic_rnn, static_rnn
from ...nn.rnn_cell.base import input_depth
from ...nn.rnn_cell.lstm import LSTMStateTuple


class FusedRNNCell(abc.ABC):
    """A cell over all time steps (TF 1.15's `tf.contrib.rnn.FusedRNNCell`)."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> Any:
        """Runs the cell.

        Args:
          inputs: tensor `[time, batch, depth]`, or a list of tensors `[batch, depth]`.
          initial_state: the first state; zeros of `dtype` by default.
          dtype: dtype of the first state; needed without `initial_state`.
          sequence_length: optional int vector `[batch]`.
          scope: a name or a variable scope.

        Returns:
          `(outputs, state)`: outputs in the form of the inputs, and the final state.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """An ordinary cell as a fused one (TF 1.15's `tf.contrib.rnn.FusedRNNCellAdaptor`).

    Args:
      cell: an `RNNCell`.
      use_dynamic_rnn: whether `dynamic_rnn` unrolls it instead of `static_rnn`.
    """

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell = cell
        self._use_dynamic_rnn = use_dynamic_rnn

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> Any:
        is_list = isinstance(inputs, list)
        given = {
            "initial_state": initial_state,
            "dtype": dtype,
            "sequence_length": sequence_length,
            "scope": scope,
        }
        if self._use_dynamic_rnn:
            stacked = tf.stack(inputs) if is_list else inputs
            outputs, state = dynamic_rnn(self._cell, stacked, time_major=True, **given)
            return tf.unstack(outputs) if is_list else outputs, state
        steps, state = static_rnn(self._cell, inputs if is_list else tf.unstack(inputs), **given)
        return steps if is_list else tf.stack(steps), state


class TimeReversedFusedRNN(FusedRNNCell):
    """A fused cell that goes backwards (TF 1.15's `tf.contrib.rnn.TimeReversedFusedRNN`).

    A tensor's sequences are reversed within their lengths; a list is reversed as a whole, as in TF 1.15.

    Args:
      cell: a fused cell.
    """

    def __init__(self, cell: FusedRNNCell) -> None:
        self._cell = cell

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> Any:
        def backwards(steps: Any) -> Any:
            if isinstance(steps, list):
                return list(reversed(steps))
            if sequence_length is None:
                return tf.reverse(steps, [0])
            return tf.reverse_sequence(steps, sequence_length, seq_axis=0, batch_axis=1)

        outputs, state = self._cell(
            backwards(inputs),
            initial_state=initial_state,
            dtype=dtype,
            sequence_length=sequence_length,
            scope=scope,
        )
        return backwards(outputs), state


class LSTMBlockWrapper(Layer, abc.ABC):
    """What fused LSTMs share (TF 1.15's `tf.contrib.rnn.LSTMBlockWrapper`): first state, lengths, final state."""

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """The size of cell and output."""

    @abc.abstractmethod
    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        """Cells and outputs of all steps, `[time, batch, num_units]` each."""

    def call(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None) -> Any:
        """Runs the cell; arguments and results are those of `FusedRNNCell.__call__`.

        Raises:
          ValueError: the depth is unknown, the state is no pair, or neither state nor dtype is given.
        """
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = tf.stack(inputs)
        shape = inputs.shape.with_rank(3)
        if not shape[2]:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {shape}")
        dynamic = tf.shape(inputs)
        time_len, batch_size = (dynamic[i] if shape[i] is None else shape[i] for i in range(2))
        first_cell, first_output = self._first_state(initial_state, batch_size, dtype)
        dtype = dtype or first_cell.dtype
        if sequence_length is not None:
            sequence_length = tf.convert_to_tensor(sequence_length)
        cells, outputs = self._call_cell(inputs, first_cell, first_output, dtype, sequence_length)
        if sequence_length is None:
            state = LSTMStateTuple(cells[-1], outputs[-1])
        else:
            mask = tf.transpose(tf.sequence_mask(sequence_length, time_len, dtype=dtype))
            outputs = outputs * mask[:, :, tf.newaxis]
            # Step t of these is what was known before step t, so a length picks the state after that many steps.
            picked = tf.stack([sequence_length, tf.range(batch_size, dtype=sequence_length.dtype)], axis=1)
            state = LSTMStateTuple(
                *(
                    tf.gather_nd(tf.concat([first[tf.newaxis], steps], 0), picked)
                    for first, steps in ((first_cell, cells), (first_output, outputs))
                )
            )
        return tf.unstack(outputs) if is_list else outputs, state

    def _first_state(self, initial_state: Any, batch_size: Any, dtype: Any) -> tuple[Any, Any]:
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = tf.zeros(tf.stack([batch_size, self.num_units]), dtype)
            return zeros, zeros
        if len(initial_state) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        cell, output = initial_state
        return cell, output


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM over all time steps in one kernel (TF 1.15's `tf.contrib.rnn.LSTMBlockFusedCell`).

    Variables as `LSTMBlockCell`: `kernel`, `bias`, `w_i_diag`, `w_f_diag`, `w_o_diag`.

    Args:
      num_units: the size of cell and output.
      forget_bias: added to the forget gate; not part of a stored bias.
      cell_clip: bound on the magnitude of the cell, or None.
      use_peephole: whether the gates see the cell.
      reuse: True to share variables that the scope already has.
      dtype: dtype of the variables; by default that of the first input.
      name: name of the cell and of its scope.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        reuse: Any = None,
        dtype: Any = None,
        name: str = "lstm_fused_cell",
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._cell_clip = -1.0 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=3)

    @property
    def num_units(self) -> int:
        return self._num_units

    def build(self, input_shape: Any) -> None:
        n = self._num_units
        self._kernel = self.add_variable("kernel", [input_depth(input_shape) + n, 4 * n])
        self._bias = self.add_variable("bias", [4 * n], initializer=tf.zeros_initializer())
        if self._use_peephole:
            self._peepholes = [self.add_variable(f"w_{gate}_diag", [n]) for gate in "ifo"]
        self.built = True

    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        if self._use_peephole:
            wci, wcf, wco = (tf.convert_to_tensor(weights) for weights in self._peepholes)
        else:
            wci = wcf = wco = tf.zeros([self._num_units], dtype)
        longest = tf.shape(inputs)[0] if sequence_length is None else tf.reduce_max(sequence_length)
        steps = tf.raw_ops.BlockLSTM(
            seq_len_max=tf.cast(longest, tf.int64),
            x=inputs,
            cs_prev=initial_cell_state,
            h_prev=initial_output,
            w=tf.convert_to_tensor(self._kernel),
            wci=wci,
            wcf=wcf,
            wco=wco,
            b=tf.convert_to_tensor(self._bias),
            forget_bias=self._forget_bias,
            cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return steps.cs, steps.h
