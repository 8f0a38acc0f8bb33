"""An LSTM whose units open and close in time."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from ...initializers import random_uniform_initializer
from ...nn.rnn_cell.base import RNNCell
from ...nn.rnn_cell.lstm import LSTMStateTuple
from ...variables import get_variable, variable_scope
from .linear import Linear


class PhasedLSTMCell(RNNCell):
    """Phased LSTM (arXiv:1610.09513; TF 1.15's `tf.contrib.rnn.PhasedLSTMCell`).

    The inputs are `(time [batch, 1], x [batch, depth])`. Variables: `mask_gates/kernel`, `/bias`, `new_input/kernel`,
    `/bias`, `output_gate/kernel`, `/bias`, and `period`, `phase`, `ratio_on` `[n]`.

    Args:
      num_units: n, the size of cell and output.
      use_peepholes: whether the gates see the cell.
      leak: how much passes while a unit is closed.
      ratio_on: initial share of the period during which a unit is open.
      trainable_ratio_on: whether this share is trained.
      period_init_min: smallest initial period, in units of `time`.
      period_init_max: largest initial period; the initial values are log-uniform between the two.
      reuse: True to share variables that the scope already has.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        leak: float = 0.001,
        ratio_on: float = 0.1,
        trainable_ratio_on: bool = True,
        period_init_min: float = 1.0,
        period_init_max: float = 1000.0,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._leak = leak
        self._ratio_on = ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._log_periods = (math.log(period_init_min), math.log(period_init_max))
        self._linears: dict[str, Linear] = {}

    @property
    def state_size(self) -> Any:
        return LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> Any:
        return self._num_units

    def _linear(self, scope: str, args: list[tf.Tensor], gates: int) -> tf.Tensor:
        with variable_scope(scope):
            if scope not in self._linears:
                self._linears[scope] = Linear(args, gates * self._num_units, True)
            return self._linears[scope](args)

    def call(self, inputs: Any, state: Any) -> Any:
        c_prev, h_prev = state
        time, x = inputs
        seen = [x, h_prev]
        gates = tf.sigmoid(self._linear("mask_gates", [*seen, c_prev] if self._use_peepholes else seen, 2))
        input_gate, forget_gate = tf.split(gates, 2, axis=1)
        new_input = tf.tanh(self._linear("new_input", seen, 1))
        new_c = c_prev * forget_gate + input_gate * new_input
        output_gate = tf.sigmoid(self._linear("output_gate", [*seen, new_c] if self._use_peepholes else seen, 1))
        new_h = tf.tanh(new_c) * output_gate
        k = self._openness(time)
        new_c = k * new_c + (1 - k) * c_prev
        new_h = k * new_h + (1 - k) * h_prev
        return new_h, LSTMStateTuple(new_c, new_h)

    def _openness(self, time: tf.Tensor) -> tf.Tensor:
        """How far each unit is open at `time`: up, down, or leaking."""
        n = [self._num_units]
        drawn = random_uniform_initializer(*self._log_periods)
        period = get_variable("period", n, initializer=lambda shape, dtype=None, **_: tf.exp(drawn(shape, dtype=dtype)))
        phase = get_variable("phase", n, initializer=self._initial_phase(period))
        ratio_on = get_variable(
            "ratio_on", n, initializer=tf.constant_initializer(self._ratio_on), trainable=self._trainable_ratio_on
        )
        period = tf.cast(period, time.dtype)
        shifted = time - tf.cast(phase, time.dtype)
        # The remainder has no gradient of its own: it is that of the shifted time.
        remainder = tf.stop_gradient(tf.math.floormod(shifted, period) - shifted) + shifted
        cycle = tf.cast(remainder / period, tf.float32)
        rising = 2 * cycle / ratio_on
        closing = tf.where(cycle < ratio_on, 2 - rising, self._leak * cycle)
        return tf.where(cycle < 0.5 * ratio_on, rising, closing)

    @staticmethod
    def _initial_phase(period: Any) -> Any:
        def initializer(shape: Any, dtype: Any = tf.float32, **_: Any) -> tf.Tensor:
            # A variable of the bridge has no value yet when this is built into its graph.
            bound = period if tf.executing_eagerly() else period.initial_value
            return tf.random.uniform(shape, dtype=dtype) * bound

        return initializer
