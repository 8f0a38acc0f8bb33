"""Cells that one kernel computes: `LSTMBlockCell`, `GRUBlockCell`, `GRUBlockCellV2`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...layers.input_spec import InputSpec
from ...nn.rnn_cell.base import LayerRNNCell, input_depth
from ...nn.rnn_cell.lstm import LSTMStateTuple


def _bias_gradient(gates: tf.Tensor) -> tf.Tensor:
    return tf.raw_ops.BiasAddGrad(out_backprop=gates)


class LSTMBlockCell(LayerRNNCell):
    """The LSTM of `BasicLSTMCell` in one kernel, with peepholes (TF 1.15's `tf.contrib.rnn.LSTMBlockCell`).

    Variables: `kernel` `[depth + n, 4 n]` (gates i, j, f, o), `bias` `[4 n]` (zeros), and with peepholes
    `w_i_diag`, `w_f_diag`, `w_o_diag` `[n]`. The kernel exists for float32 and float16.

    Args:
      num_units: n, the size of cell and output.
      forget_bias: added to the forget gate; not part of a stored bias.
      cell_clip: bound on the magnitude of the cell, or None.
      use_peephole: whether the gates see the cell.
      dtype: dtype of the variables; by default that of the first input.
      reuse: True to share variables that the scope already has.
      name: name of the cell and of its scope.

    Raises:
      ValueError: the inputs' depth is unknown, or the state is no pair.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        dtype: Any = None,
        reuse: Any = None,
        name: str = "lstm_cell",
    ) -> None:
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._use_peephole = use_peephole
        # The kernel takes a bound that is not positive for none.
        self._cell_clip = -1.0 if cell_clip is None else cell_clip
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> Any:
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> Any:
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        n = self._num_units
        self._kernel = self.add_variable("kernel", [input_depth(inputs_shape) + n, 4 * n])
        self._bias = self.add_variable("bias", [4 * n], initializer=tf.zeros_initializer())
        if self._use_peephole:
            self._peepholes = [self.add_variable(f"w_{gate}_diag", [n]) for gate in "ifo"]
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        if self._use_peephole:
            peepholes = [tf.convert_to_tensor(weights) for weights in self._peepholes]
        else:
            peepholes = [tf.zeros([self._num_units], self.dtype)] * 3
        kernel, bias = tf.convert_to_tensor(self._kernel), tf.convert_to_tensor(self._bias)
        c, h = self._step()(inputs, *state, kernel, bias, *peepholes)
        return h, LSTMStateTuple(c, h)

    def _step(self) -> Any:
        peephole = self._use_peephole

        @tf.custom_gradient
        def step(x: Any, c: Any, h: Any, w: Any, b: Any, wci: Any, wcf: Any, wco: Any) -> Any:
            given = {"x": x, "cs_prev": c, "h_prev": h, "w": w, "wci": wci, "wcf": wcf, "wco": wco, "b": b}
            out = tf.raw_ops.LSTMBlockCell(
                **given, forget_bias=self._forget_bias, cell_clip=self._cell_clip, use_peephole=peephole
            )

            def gradient(grad_c: Any, grad_h: Any) -> Any:
                kept = {name: getattr(out, name) for name in ("i", "cs", "f", "o", "ci", "co")}
                back = tf.raw_ops.LSTMBlockCellGrad(
                    **given, **kept, cs_grad=grad_c, h_grad=grad_h, use_peephole=peephole
                )
                grad_x, grad_h_prev = _split_columns(tf.matmul(back.dicfo, w, transpose_b=True), x, h)
                grad_w = tf.matmul(tf.concat([x, h], 1), back.dicfo, transpose_a=True)
                peepholes = (back.wci_grad, back.wcf_grad, back.wco_grad)
                return grad_x, back.cs_prev_grad, grad_h_prev, grad_w, _bias_gradient(back.dicfo), *peepholes

            return (out.cs, out.h), gradient

        return step


def _split_columns(joined: tf.Tensor, x: tf.Tensor, h: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    grad_x, grad_h = tf.split(joined, [x.shape[1], h.shape[1]], axis=1)
    return grad_x, grad_h


class GRUBlockCell(LayerRNNCell):
    """The GRU of `GRUCell` in one kernel (TF 1.15's `tf.contrib.rnn.GRUBlockCell`).

    Variables: `w_ru` `[depth + n, 2 n]`, `b_ru` (ones), `w_c` `[depth + n, n]`, `b_c` (zeros).

    Args:
      num_units: n, the size of state and output.
      cell_size: old name of `num_units`.
      reuse: True to share variables that the scope already has.
      name: name of the cell and of its scope.

    Raises:
      ValueError: none or both of `num_units` and `cell_size`, an unknown depth, or a state of another size.
    """

    _names = ("w_ru", "b_ru", "w_c", "b_c")

    def __init__(
        self,
        num_units: int | None = None,
        cell_size: int | None = None,
        reuse: Any = None,
        name: str = "gru_cell",
    ) -> None:
        super().__init__(_reuse=reuse, name=name)
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        self._cell_size: int = cell_size if num_units is None else num_units  # type: ignore[assignment]
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> Any:
        return self._cell_size

    @property
    def output_size(self) -> Any:
        return self._cell_size

    def build(self, input_shape: Any) -> None:
        n = self._cell_size
        rows = input_depth(input_shape) + n
        gate_kernel, gate_bias, candidate_kernel, candidate_bias = self._names
        self._gate_kernel = self.add_variable(gate_kernel, [rows, 2 * n])
        self._gate_bias = self.add_variable(gate_bias, [2 * n], initializer=tf.ones_initializer())
        self._candidate_kernel = self.add_variable(candidate_kernel, [rows, n])
        self._candidate_bias = self.add_variable(candidate_bias, [n], initializer=tf.zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        if state.shape.with_rank(2)[1] != self._cell_size:
            raise ValueError(f"Shape of h_prev[1] incorrect: cell_size {self._cell_size} vs {state.shape[1]}")
        weights = (self._gate_kernel, self._candidate_kernel, self._gate_bias, self._candidate_bias)
        h = _gru_step(inputs, state, *(tf.convert_to_tensor(weight) for weight in weights))
        return h, h


@tf.custom_gradient
def _gru_step(x: Any, h: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> Any:
    given = {"x": x, "h_prev": h, "w_ru": w_ru, "w_c": w_c, "b_ru": b_ru, "b_c": b_c}
    out = tf.raw_ops.GRUBlockCell(**given)

    def gradient(grad_h: Any) -> Any:
        back = tf.raw_ops.GRUBlockCellGrad(**given, r=out.r, u=out.u, c=out.c, d_h=grad_h)
        gates, candidate = back.d_r_bar_u_bar, back.d_c_bar
        grad_w_ru = tf.matmul(tf.concat([x, h], 1), gates, transpose_a=True)
        grad_w_c = tf.matmul(tf.concat([x, h * out.r], 1), candidate, transpose_a=True)
        biases = (_bias_gradient(gates), _bias_gradient(candidate))
        return back.d_x, back.d_h_prev, grad_w_ru, grad_w_c, *biases

    return out.h, gradient


class GRUBlockCellV2(GRUBlockCell):
    """`GRUBlockCell` with the variable names of `GRUCell` (TF 1.15's `tf.contrib.rnn.GRUBlockCellV2`)."""

    _names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
