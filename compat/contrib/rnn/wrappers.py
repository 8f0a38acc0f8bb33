"""Cells around a cell: highway connections and XLA."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import Delegating
from ...variables import get_variable


class HighwayWrapper(Delegating):
    """Mixes a cell's inputs and outputs by gates (arXiv:1505.00387; TF 1.15's `tf.contrib.rnn.HighwayWrapper`).

    `output = x * carry + y * transform`. Variables, in the scope of the call: `carry_w` `[depth, depth]`, `carry_b`
    `[depth]`, and where the gates are not coupled `transform_w`, `transform_b`.

    Args:
      cell: the cell, whose outputs have the shape of its inputs.
      couple_carry_transform_gates: whether `transform` is `1 - carry`.
      carry_bias_init: initial `carry_b`; that of `transform_b` is its negative.

    Raises:
      ValueError: shapes of inputs and outputs differ.
      TypeError: their structures differ.
    """

    def __init__(self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0) -> None:
        super().__init__()
        self._cell = cell
        self._couple_carry_transform_gates = couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def _gate(self, name: str, inp: tf.Tensor, bias: float) -> tf.Tensor:
        depth = inp.shape.with_rank(2)[1]
        w = get_variable(f"{name}_w", [depth, depth])
        b = get_variable(f"{name}_b", [depth], initializer=tf.constant_initializer(bias))
        return tf.sigmoid(tf.nn.bias_add(tf.matmul(inp, w), b))

    def _highway(self, inp: tf.Tensor, out: tf.Tensor) -> tf.Tensor:
        carry = self._gate("carry", inp, self._carry_bias_init)
        if self._couple_carry_transform_gates:
            transform = 1 - carry
        else:
            transform = self._gate("transform", inp, -self._carry_bias_init)
        return inp * carry + out * transform

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        outputs, new_state = self._cell(inputs, state, scope=scope)
        tf.nest.assert_same_structure(inputs, outputs)
        for inp, out in zip(tf.nest.flatten(inputs), tf.nest.flatten(outputs), strict=True):
            inp.shape.assert_is_compatible_with(out.shape)
        return tf.nest.map_structure(self._highway, inputs, outputs), new_state


class CompiledWrapper(Delegating):
    """Runs a cell in an XLA scope (TF 1.15's `tf.contrib.rnn.CompiledWrapper`).

    Eagerly, where there is no graph to compile, it runs the cell as it is.

    Args:
      cell: the cell.
      compile_stateful: accepted for TF1's signature's sake: XLA decides which stateful operations it compiles.
    """

    def __init__(self, cell: Any, compile_stateful: bool = False) -> None:
        super().__init__()
        self._cell = cell
        self._compile_stateful = compile_stateful

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        if tf.executing_eagerly():
            return self._cell(inputs, state, scope=scope)
        with tf.xla.experimental.jit_scope():
            return self._cell(inputs, state, scope=scope)
