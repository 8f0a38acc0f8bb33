"""The fully connected layer."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..initializers import zeros_initializer
from .base import Layer
from .identifiers import activation_for
from .input_spec import InputSpec


class Dense(Layer):
    """``activation(inputs · kernel + bias)`` over the last axis. Stands for ``tf.layers.Dense``.

    Variables ``kernel`` ``[inputs, units]`` and ``bias`` ``[units]``.

    Args:
        units: size of the output's last axis.
        activation: a function or its name; None for none.
        use_bias: whether there is a bias.
        kernel_initializer, bias_initializer: by default the scope's (Glorot uniform), and zeros.
        kernel_regularizer, bias_regularizer, activity_regularizer: functions whose results are losses.
        kernel_constraint, bias_constraint: projections after each update by an optimizer.

    Raises:
        TypeError: inputs that are neither floats nor complex numbers.
        ValueError: the last axis of the inputs is unknown.

    >>> with store:
    ...     y = compat.layers.Dense(10, activation=tf.nn.relu)(tf.ones([1, 4]))
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = zeros_initializer,
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.units = int(units) if not isinstance(units, int) else units
        self.activation = activation_for(activation)
        self.use_bias = use_bias
        self.kernel_initializer = kernel_initializer
        self.bias_initializer = bias_initializer
        self.kernel_regularizer = kernel_regularizer
        self.bias_regularizer = bias_regularizer
        self.kernel_constraint = kernel_constraint
        self.bias_constraint = bias_constraint
        self.bias: Any = None
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        dtype = tf.as_dtype(self.dtype or tf.float32)
        if not (dtype.is_floating or dtype.is_complex):
            raise TypeError(f"Unable to build `Dense` layer with non-floating point dtype {dtype}")
        size = tf.TensorShape(input_shape)[-1]
        if size is None:
            raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = self.add_weight(
            "kernel",
            shape=[size, self.units],
            initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
            dtype=self.dtype,
        )
        if self.use_bias:
            self.bias = self.add_weight(
                "bias",
                shape=[self.units],
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
                dtype=self.dtype,
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        if isinstance(inputs, tf.SparseTensor):
            outputs = tf.sparse.sparse_dense_matmul(inputs, self.kernel)
        elif tf.convert_to_tensor(inputs).shape.rank > 2:
            inputs = tf.convert_to_tensor(inputs)
            outputs = tf.tensordot(inputs, self.kernel, [[inputs.shape.rank - 1], [0]])
            if not tf.executing_eagerly():
                outputs.set_shape(inputs.shape[:-1].concatenate(self.units))
        else:
            outputs = tf.matmul(tf.cast(inputs, self.dtype), self.kernel)
        if self.bias is not None:
            outputs = tf.nn.bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> tf.TensorShape:
        """The shape of the output for inputs of that shape."""
        shape = tf.TensorShape(input_shape).with_rank_at_least(2)
        if shape[-1] is None:
            raise ValueError(f"The innermost dimension of input_shape must be defined, but saw: {input_shape}")
        return shape[:-1].concatenate(self.units)


def dense(
    inputs: Any,
    units: int,
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = zeros_initializer,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
) -> Any:
    """Applies a new :class:`Dense` layer. Stands for ``tf.layers.dense``.

    Args as :class:`Dense`; with ``reuse`` the variables of an earlier layer of that ``name`` are taken.

    Returns:
        A tensor ``[..., units]``.

    >>> with store:
    ...     logits = compat.layers.dense(tf.ones([1, 4]), 10, name="logits")
    >>> [variable.name for variable in store.variables]
    ['logits/kernel:0', 'logits/bias:0']
    """
    layer = Dense(
        units,
        activation=activation,
        use_bias=use_bias,
        kernel_initializer=kernel_initializer,
        bias_initializer=bias_initializer,
        kernel_regularizer=kernel_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        kernel_constraint=kernel_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _scope=name,
        _reuse=reuse,
    )
    return layer(inputs)
