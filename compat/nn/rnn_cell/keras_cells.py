"""Keras's `SimpleRNNCell` where TF 1.x took a cell of its own: `tf.nn.dynamic_rnn` unrolled either."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...initializers import glorot_uniform_initializer, orthogonal_initializer, zeros_initializer
from ...variables import get_variable, variable_scope
from .base import BIAS, KERNEL, activation_function, input_depth
from .shapes import zero_state_tensors

_OF_KERAS = (
    tf.keras.layers.GRUCell,
    tf.keras.layers.LSTMCell,
    tf.keras.layers.SimpleRNNCell,
    tf.keras.layers.StackedRNNCells,
)
_RECURRENT_KERNEL = "recurrent_kernel"
_INITIALIZERS: dict[str, Callable[[], Any]] = {
    "glorot_uniform": glorot_uniform_initializer,
    "orthogonal": orthogonal_initializer,
    "zeros": zeros_initializer,
}


class KerasSimpleRNNCell:
    """`output = new_state = act(x W + h U + b)`: TF 1.15's `tf.keras.layers.SimpleRNNCell` under `tf.nn.dynamic_rnn`.

    Variables, below the scope of the unrolling: `while/<name>/kernel` `[depth, units]`,
    `while/<name>/recurrent_kernel` `[units, units]`, `while/<name>/bias` `[units]`. The first use makes them, later
    ones share them.

    Args:
      units: size of state and output.
      activation: function or its name; None for none.
      use_bias: whether there is a bias.
      kernel_initializer, recurrent_initializer, bias_initializer: initializers, or the names of Keras's defaults.
      name: name of the cell. TF 1.15 numbered the cells of a graph: `simple_rnn_cell`, `simple_rnn_cell_1`.
      trainable: whether the variables are trainable.

    Raises:
      ValueError: the inputs' depth is unknown, or there is no activation or initializer of a name.

    Example:
      >>> cell = compat.nn.rnn_cell.KerasSimpleRNNCell(8, name="simple_rnn_cell")
      >>> with store:
      ...     outputs, state = compat.nn.dynamic_rnn(cell, tf.ones([4, 7, 3]), dtype=tf.float32)
      >>> state.shape
      TensorShape([4, 8])
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        *,
        name: str = "simple_rnn_cell",
        trainable: bool = True,
    ) -> None:
        self.name = name
        self.state_size = self.output_size = int(units)
        self._activation = activation_function(activation, default=tf.identity)
        self._use_bias = use_bias
        self._trainable = trainable
        self._initializers = {
            KERNEL: _initializer(kernel_initializer),
            _RECURRENT_KERNEL: _initializer(recurrent_initializer),
            BIAS: _initializer(bias_initializer),
        }
        self._made: dict[str, Any] = {}

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros `[batch, units]`."""
        del inputs
        return zero_state_tensors(self.state_size, batch_size, dtype)

    def __call__(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """One step: the output, and the next state, which is the same."""
        depth, units, dtype = input_depth(inputs.shape), self.state_size, inputs.dtype
        output = tf.matmul(inputs, self._variable(KERNEL, [depth, units], dtype))
        if self._use_bias:
            output = tf.nn.bias_add(output, self._variable(BIAS, [units], dtype))
        output = self._activation(output + tf.matmul(state, self._variable(_RECURRENT_KERNEL, [units, units], dtype)))
        return output, output

    def _variable(self, name: str, shape: list[int], dtype: Any) -> Any:
        """A weight of the cell: TF 1.15's Keras counted the loop that made it among the scopes."""
        if name not in self._made:
            with variable_scope("while"), variable_scope(self.name):
                initializer = self._initializers[name]
                self._made[name] = get_variable(name, shape, dtype, initializer=initializer, trainable=self._trainable)
        return self._made[name]


def as_cell(cell: Any) -> Any:
    """The cell that unrolls as TF 1.15 unrolled `cell`: itself, or what stands for a Keras cell.

    Raises:
      TypeError: a Keras cell of another class, or one with dropout.
    """
    if not isinstance(cell, _OF_KERAS):
        return cell
    if type(cell) is not tf.keras.layers.SimpleRNNCell or cell.dropout or cell.recurrent_dropout:
        raise TypeError(f"{cell} is a Keras cell that does not unroll as in TF 1.15: use one of compat.nn.rnn_cell")
    if cell not in _known:
        _known[cell] = KerasSimpleRNNCell(
            cell.units,
            _name_of(cell.activation, "elu", "linear", "relu", "selu", "sigmoid", "softplus", "softsign", "tanh"),
            cell.use_bias,
            _as_given(cell.kernel_initializer, "GlorotUniform", "glorot_uniform"),
            _as_given(cell.recurrent_initializer, "Orthogonal", "orthogonal"),
            _as_given(cell.bias_initializer, "Zeros", "zeros"),
            name=cell.name,
            trainable=cell.trainable,
        )
    return _known[cell]


_known: weakref.WeakKeyDictionary[Any, KerasSimpleRNNCell] = weakref.WeakKeyDictionary()


def _name_of(activation: Any, *names: str) -> Any:
    """The name of one of Keras's activations, which compute what TensorFlow's do; any other function itself."""
    name = getattr(activation, "__name__", "")
    return name if name in names else activation


def _as_given(initializer: Any, kind: str, name: str) -> Any:
    """The name of the initializer that a cell has by default; any other itself."""
    plain = type(initializer).__name__.removesuffix("Initializer") == kind
    config = initializer.get_config()
    return name if plain and config.get("seed") is None and config.get("gain", 1.0) == 1.0 else initializer


def _initializer(given: Any) -> Any:
    if isinstance(given, str):
        if given not in _INITIALIZERS:
            raise ValueError(f"Unknown initializer: {given}")
        return _INITIALIZERS[given]()
    if type(given).__module__.startswith("keras."):
        return lambda shape, dtype=None, partition_info=None: tf.convert_to_tensor(given(shape, dtype=dtype))
    return given
