"""`BasicLSTMCell`, `LSTMCell` and their state."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import tensorflow as tf

from ...layers.input_spec import InputSpec
from .base import BIAS, KERNEL, LayerRNNCell, activation_function, check_dtypes, input_depth
from .product import joint_product

_log = logging.getLogger(__name__)


class _State(NamedTuple):
    c: Any
    h: Any


class LSTMStateTuple(_State):
    """The state `(c, h)` of an LSTM (TF 1.15's `tf.nn.rnn_cell.LSTMStateTuple`): cell and output."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """The dtype of both parts.

        Raises:
          TypeError: they differ.
        """
        if self.c.dtype != self.h.dtype:
            raise TypeError(f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}")
        return self.c.dtype


def split_state(state: Any, is_tuple: bool, c_size: int) -> tuple[Any, Any]:
    """Cell and output of a state that is a pair, or one tensor with the cell's `c_size` columns first."""
    if is_tuple:
        c, h = state
        return c, h
    return state[:, :c_size], state[:, c_size:]


def join_state(c: Any, h: Any, is_tuple: bool) -> Any:
    """The state made of cell and output."""
    return LSTMStateTuple(c, h) if is_tuple else tf.concat([c, h], 1)


def state_size_of(c_size: int, h_size: int, is_tuple: bool) -> Any:
    """The size of the state made of cell and output."""
    return LSTMStateTuple(c_size, h_size) if is_tuple else c_size + h_size


def warn_if_concatenated(cell: Any, is_tuple: bool) -> None:
    """TF1 advised against a state that is one tensor."""
    if not is_tuple:
        _log.warning(
            "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", cell
        )


class BasicLSTMCell(LayerRNNCell):
    """Long short-term memory without peepholes (TF 1.15's `tf.nn.rnn_cell.BasicLSTMCell`).

    `i, j, f, o = split([x, h] W + b)`, `c' = c * sigmoid(f + forget_bias) + sigmoid(i) * act(j)`,
    `h' = act(c') * sigmoid(o)`; the output is `h'`.

    Variables: `kernel` `[depth + n, 4 n]`, `bias` `[4 n]` (zeros).

    Args:
      num_units: n, the size of cell and output.
      forget_bias: added to the forget gate; not part of a stored bias.
      state_is_tuple: whether the state is an `LSTMStateTuple`, or one tensor `[batch, 2 n]`.
      activation: function or its name; tanh by default.
      reuse: True to share variables that the scope already has.
      name: name of the cell.
      dtype: dtype of the variables; by default that of the first input.

    Raises:
      ValueError: the inputs' depth is unknown, or a dtype is not floating.

    Example:
      >>> cell = compat.nn.rnn_cell.BasicLSTMCell(128)
      >>> with store:
      ...     output, state = cell(tf.ones([32, 5]), cell.zero_state(32, tf.float32))
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        warn_if_concatenated(self, state_is_tuple)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation_function(activation)

    @property
    def state_size(self) -> Any:
        return state_size_of(self._num_units, self._num_units, self._state_is_tuple)

    @property
    def output_size(self) -> Any:
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        rows = input_depth(inputs_shape) + self._num_units
        check_dtypes(self.dtype)
        self._kernel = self.add_variable(KERNEL, shape=[rows, 4 * self._num_units])
        self._bias = self.add_variable(BIAS, shape=[4 * self._num_units], initializer=tf.zeros_initializer())
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_dtypes(inputs, state)
        c, h = split_state(state, self._state_is_tuple, self._num_units)
        gates = tf.nn.bias_add(joint_product(inputs, h, self._kernel), self._bias)
        i, j, f, o = tf.split(gates, 4, axis=1)
        new_c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * self._activation(j)
        new_h = self._activation(new_c) * tf.sigmoid(o)
        return new_h, join_state(new_c, new_h, self._state_is_tuple)


class LSTMCell(LayerRNNCell):
    """Long short-term memory with peepholes, clipping and projection (TF 1.15's `tf.nn.rnn_cell.LSTMCell`).

    `i, j, f, o = split([x, h] W + b)`, `c' = sigmoid(f + forget_bias + p_f * c) * c + sigmoid(i + p_i * c) * act(j)`,
    `h' = (sigmoid(o + p_o * c') * act(c')) P`; the terms with p only with `use_peepholes`, P only with `num_proj`.

    Variables: `kernel` `[depth + h, 4 n]`, `bias` `[4 n]` (zeros), `w_f_diag`, `w_i_diag`, `w_o_diag` `[n]`,
    `projection/kernel` `[n, num_proj]`, where h is `num_proj` or n.

    Args:
      num_units: n, the size of the cell.
      use_peepholes: whether the gates see the cell.
      cell_clip: bound on the magnitude of the cell, or None.
      initializer: initializer of all variables but the bias.
      num_proj: size of the projected output, or None for no projection.
      proj_clip: bound on the magnitude of the projected output, or None.
      num_unit_shards: into how many parts the kernel is partitioned, or None.
      num_proj_shards: into how many parts the projection is partitioned, or None.
      forget_bias: added to the forget gate; not part of a stored bias.
      state_is_tuple: whether the state is an `LSTMStateTuple`, or one tensor `[batch, n + h]`.
      activation: function or its name; tanh by default.
      reuse: True to share variables that the scope already has.
      name: name of the cell.
      dtype: dtype of the variables; by default that of the first input.

    Raises:
      ValueError: the inputs' depth is unknown, or a dtype is not floating.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_dtypes(self.dtype)
        warn_if_concatenated(self, state_is_tuple)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation_function(activation)

    @property
    def state_size(self) -> Any:
        return state_size_of(self._num_units, self.output_size, self._state_is_tuple)

    @property
    def output_size(self) -> Any:
        return self._num_proj or self._num_units

    def build(self, inputs_shape: Any) -> None:
        rows = input_depth(inputs_shape) + self.output_size
        check_dtypes(self.dtype)
        n = self._num_units
        self._kernel = self.add_variable(
            KERNEL, shape=[rows, 4 * n], initializer=self._initializer, partitioner=shards(self._num_unit_shards)
        )
        self._bias = self.add_variable(BIAS, shape=[4 * n], initializer=tf.zeros_initializer())
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_variable(f"w_{gate}_diag", shape=[n], initializer=self._initializer) for gate in "fio"
            )
        if self._num_proj is not None:
            self._proj_kernel = self.add_variable(
                f"projection/{KERNEL}",
                shape=[n, self._num_proj],
                initializer=self._initializer,
                partitioner=shards(self._num_proj_shards),
            )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        check_dtypes(inputs, state)
        c_prev, h_prev = split_state(state, self._state_is_tuple, self._num_units)
        gates = tf.nn.bias_add(joint_product(inputs, h_prev, self._kernel), self._bias)
        i, j, f, o = tf.split(gates, 4, axis=1)
        f = f + self._forget_bias
        if self._use_peepholes:
            f, i = f + self._w_f_diag * c_prev, i + self._w_i_diag * c_prev
        c = clip_magnitude(tf.sigmoid(f) * c_prev + tf.sigmoid(i) * self._activation(j), self._cell_clip)
        if self._use_peepholes:
            o = o + self._w_o_diag * c
        h = tf.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            h = clip_magnitude(tf.matmul(h, self._proj_kernel), self._proj_clip)
        return h, join_state(c, h, self._state_is_tuple)


def shards(count: int | None) -> Any:
    """The partitioner that `num_unit_shards` and `num_proj_shards` stand for."""
    if count is None:
        return None
    return lambda shape, **_: [count] + [1] * (tf.TensorShape(shape).rank - 1)


def clip_magnitude(x: Any, bound: float | None) -> Any:
    """`x` between `-bound` and `bound`; `x` itself where there is no bound."""
    return x if bound is None else tf.clip_by_value(x, -bound, bound)
