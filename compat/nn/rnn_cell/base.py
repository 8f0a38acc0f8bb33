"""The base of all cells: TF 1.15's `RNNCell`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ... import counting
from ...layers.base import Layer
from ...layers.identifiers import activation_for
from ...variables import current_scope, trainable_variables, variable_scope
from .shapes import zero_state_tensors

KERNEL = "kernel"
BIAS = "bias"


def assert_like_rnncell(name: str, cell: Any) -> None:
    """Raises TypeError if `cell`, the argument called `name`, lacks a part of a cell's interface."""
    missing = []
    if not hasattr(cell, "output_size"):
        missing.append("'output_size' property is missing")
    if not hasattr(cell, "state_size"):
        missing.append("'state_size' property is missing")
    if not hasattr(cell, "zero_state") and not hasattr(cell, "get_initial_state"):
        missing.append("either 'zero_state' or 'get_initial_state' method is required")
    if not callable(cell):
        missing.append("is not callable")
    if missing:
        raise TypeError(f"The argument {name!r} ({cell}) is not an RNNCell: {', '.join(missing)}.")


def activation_function(activation: Any, default: Callable[..., Any] = tf.tanh) -> Callable[..., Any]:
    """The function that an `activation` argument means: a callable, a name, or None for the default.

    Raises:
      ValueError: there is no activation of that name.
    """
    if not activation:
        return default
    if activation == "hard_sigmoid":
        return lambda x: tf.clip_by_value(0.2 * x + 0.5, 0.0, 1.0)
    found: Callable[..., Any] | None = activation_for(activation)
    return found or tf.identity


def check_dtypes(*values: Any) -> None:
    """Raises ValueError unless every tensor (or dtype) is floating or complex; None passes."""
    for value in tf.nest.flatten(values):
        if value is None:
            continue
        dtype = tf.as_dtype(getattr(value, "dtype", value))
        if not (dtype.is_floating or dtype.is_complex):
            raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {dtype}")


def input_depth(inputs_shape: Any) -> int:
    """The known last dimension of a cell's inputs.

    Raises:
      ValueError: it is unknown.
    """
    shape = tf.TensorShape(inputs_shape)
    if shape.rank is None or shape[-1] is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {shape}")
    return int(shape[-1])


class RNNCell(Layer):
    """A function of inputs and state that gives an output and the next state (TF 1.15's `tf.nn.rnn_cell.RNNCell`).

    Subclasses give `state_size` and `output_size` (an int, a `TensorShape`, or a nested structure of them) and
    implement `call(inputs, state)` or `__call__(inputs, state, scope=None)`, which return `(output, new_state)`.
    `call` may make its variables with `get_variable`: they belong to the cell, and the variable scope of the first
    call is the scope of all later ones.

    Args:
      trainable: whether the cell's variables are trainable.
      name: name of the cell and of its variable scope; by default from the class name.
      dtype: dtype of the variables; by default that of the first input.

    Example:
      >>> class Sum(compat.nn.rnn_cell.RNNCell):
      ...     state_size = output_size = 3
      ...     def call(self, inputs, state):
      ...         return inputs + state, inputs + state
    """

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Runs the cell.

        Args:
          inputs: tensor `[batch, depth]`, or what else the cell takes.
          state: tensor `[batch, state_size]`, or a structure like `state_size`.
          scope: a name or a variable scope for the cell's variables.

        Returns:
          `(output, new_state)`.
        """
        if scope is not None:
            with variable_scope(scope, custom_getter=self._rnn_get_variable) as entered:
                return super().__call__(inputs, state, scope=entered)
        # Subclasses that never call our __init__ exist, hence no attribute made there.
        entry = self.__dict__.get("rnncell_scope")
        if entry is None:
            entry = variable_scope(current_scope(), custom_getter=self._rnn_get_variable)
            self.__dict__["rnncell_scope"] = entry
        with entry:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        variable = getter(*args, **kwargs)
        parts = [variable] if isinstance(variable, tf.Variable) else list(variable)
        known = trainable_variables()
        trainable = any(parts[0] is item for item in known)
        weights = self._trainable_weights if trainable else self._non_trainable_weights
        if all(variable is not item for item in weights):
            weights.append(variable)
        return variable

    @property
    def state_size(self) -> Any:
        """Size of the state: an int, a `TensorShape`, or a structure of them."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """Size of the output: an int, a `TensorShape`, or a structure of them."""
        raise NotImplementedError("Abstract method")

    def build(self, _: Any) -> None:
        """Makes nothing: a plain cell makes its variables when it is called."""

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The first state, with batch size and dtype given or taken from `inputs`.

        Raises:
          ValueError: both are given and disagree, or one of them is unknown.
        """
        if inputs is not None:
            inputs = tf.convert_to_tensor(inputs)
            if batch_size is not None:
                given = tf.get_static_value(batch_size) if isinstance(batch_size, tf.Tensor) else batch_size
                if inputs.shape[0] != given:
                    raise ValueError(
                        "batch size from input tensor is different from the input param. "
                        f"Input tensor batch: {inputs.shape[0]}, batch_size: {batch_size}"
                    )
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError(
                    "dtype from input tensor is different from the input param. "
                    f"Input tensor dtype: {inputs.dtype}, dtype: {dtype}"
                )
            batch_size = inputs.shape[0] or tf.shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros in the structure of `state_size`.

        Args:
          batch_size: an int or a scalar integer tensor.
          dtype: dtype of the state.
        """
        with tf.name_scope(type(self).__name__ + "ZeroState"):
            # TF1 put each shape together from parts, of which a tensor was expanded.
            known = isinstance(batch_size, int)
            with counting.counted((8 if known else 10) * len(tf.nest.flatten(self.state_size))):
                return zero_state_tensors(self.state_size, batch_size, dtype)


class LayerRNNCell(RNNCell):
    """A cell whose variables are made in `build`, as a layer's (TF 1.15's `tf.contrib.rnn.LayerRNNCell`)."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Runs the cell; as `RNNCell.__call__`, without taking hold of `get_variable`."""
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)


class Delegating(RNNCell):
    """A cell whose sizes and first state are those of the cell that it wraps, `self._cell`."""

    _cell: Any

    @property
    def state_size(self) -> Any:
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with tf.name_scope(type(self).__name__ + "ZeroState"):
            return self._cell.zero_state(batch_size, dtype)
