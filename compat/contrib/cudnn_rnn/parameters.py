"""The parameters of cuDNN's recurrent layers: one vector for the kernel, named matrices in checkpoints.

cuDNN keeps for each layer and direction the matrices of the gates on the inputs, then those on the state, and behind
the matrices of all layers the biases in the same order. Checkpoints hold what a cell for any device has instead: the
matrices of the gates beside and above each other, and the sum of the two biases of a gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import tensorflow as tf

CELLS = {
    "lstm": "cudnn_compatible_lstm_cell",
    "gru": "cudnn_compatible_gru_cell",
    "rnn_tanh": "basic_rnn_cell",
    "rnn_relu": "basic_rnn_cell",
}
# The order of the gates in a cell's matrix, as positions in cuDNN's order: input, forget, new memory, output.
_ORDER = {"lstm": (0, 2, 1, 3), "rnn_tanh": (0,), "rnn_relu": (0,)}


class Weights(NamedTuple):
    """What one layer has in one direction: a matrix `[n, size]` and a vector `[n]` a gate, by cuDNN's order.

    Attributes:
      inputs, state: matrices on the inputs and on the state.
      input_biases, state_biases: the biases that are added to each product.
    """

    inputs: list[Any]
    state: list[Any]
    input_biases: list[Any]
    state_biases: list[Any]


@dataclass(frozen=True)
class Layout:
    """Where the parameters of a stack of layers lie.

    Attributes:
      mode: `lstm`, `gru`, `rnn_tanh` or `rnn_relu`.
      layers: how many there are.
      units: size of the state.
      depth: size of the inputs.
      directions: 1, or 2 when the layers run backwards too.
    """

    mode: str
    layers: int
    units: int
    depth: int
    directions: int

    @property
    def gates(self) -> int:
        """How many gates a cell has."""
        return {"lstm": 4, "gru": 3}.get(self.mode, 1)

    def matrix_shapes(self) -> list[tuple[int, int]]:
        """The shapes of all matrices in order."""
        shapes = []
        for layer in range(self.layers):
            size = self.depth if layer == 0 else self.directions * self.units
            one = [(self.units, size)] * self.gates + [(self.units, self.units)] * self.gates
            shapes += one * self.directions
        return shapes

    def bias_shapes(self) -> list[list[int]]:
        """The shapes of all biases in order."""
        return [[self.units]] * (2 * self.gates * self.directions * self.layers)

    @property
    def size(self) -> int:
        """Length of the vector that holds them all."""
        return sum(rows * columns for rows, columns in self.matrix_shapes()) + self.units * len(self.bias_shapes())

    def unpack(self, vector: Any) -> list[Weights]:
        """The parts of the vector: one item a layer and direction, forwards first."""
        shapes: list[Sequence[int]] = [*self.matrix_shapes(), *self.bias_shapes()]
        sizes = [shape[0] * (shape[1] if len(shape) == 2 else 1) for shape in shapes]
        parts = [tf.reshape(part, shape) for part, shape in zip(tf.split(vector, sizes), shapes, strict=True)]
        count, each = self.gates, 2 * self.gates
        matrices, biases = parts[: len(parts) // 2], parts[len(parts) // 2 :]
        return [
            Weights(
                matrices[at : at + count],
                matrices[at + count : at + each],
                biases[at : at + count],
                biases[at + count : at + each],
            )
            for at in range(0, len(matrices), each)
        ]

    def pack(self, stack: Sequence[Weights]) -> Any:
        """The vector of these parts; what :meth:`unpack` undoes."""
        matrices = [part for one in stack for part in (*one.inputs, *one.state)]
        biases = [part for one in stack for part in (*one.input_biases, *one.state_biases)]
        return tf.concat([tf.reshape(part, [-1]) for part in (*matrices, *biases)], 0)

    # -- in checkpoints -----------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """The names in checkpoints: those of all matrices, then those of all biases."""
        prefixes = [prefix for layer in range(self.layers) for prefix in self._prefixes(layer)]
        return [
            f"{prefix}/{part}/{kind}".replace("//", "/")
            for kind in ("kernel", "bias")
            for prefix in prefixes
            for part in self._parts()
        ]

    def canonical(self, vector: Any) -> list[Any]:
        """The values of :meth:`names`."""
        stack = self.unpack(vector)
        kernels = [kernel for one in stack for kernel in self._kernels(one)]
        return kernels + [bias for one in stack for bias in self._biases(one)]

    def from_canonical(self, values: Sequence[Any]) -> Any:
        """The vector that has these values of :meth:`names`; each bias is halved between input and state."""
        count = len(self._parts())
        kernels, biases = values[: len(values) // 2], values[len(values) // 2 :]
        places = range(0, len(kernels), count)
        return self.pack([self._weights(kernels[at : at + count], biases[at : at + count]) for at in places])

    def _prefixes(self, layer: int) -> list[str]:
        cell = CELLS[self.mode]
        if self.directions == 1:
            return [f"rnn/multi_rnn_cell/cell_{layer}/{cell}"]
        return [f"stack_bidirectional_rnn/cell_{layer}/bidirectional_rnn/{way}/{cell}" for way in ("fw", "bw")]

    def _parts(self) -> list[str]:
        if self.mode == "gru":
            return ["gates", "candidate/input_projection", "candidate/hidden_projection"]
        return [""]

    def _kernels(self, one: Weights) -> list[Any]:
        both = [tf.concat(pair, 1) for pair in zip(one.inputs, one.state, strict=True)]
        if self.mode == "gru":
            return [_transposed(both[:2]), tf.transpose(one.inputs[2]), tf.transpose(one.state[2])]
        return [_transposed([both[gate] for gate in _ORDER[self.mode]])]

    def _biases(self, one: Weights) -> list[Any]:
        both = [first + second for first, second in zip(one.input_biases, one.state_biases, strict=True)]
        if self.mode == "gru":
            return [tf.concat(both[:2], 0), one.input_biases[2], one.state_biases[2]]
        return [tf.concat([both[gate] for gate in _ORDER[self.mode]], 0)]

    def _weights(self, kernels: Sequence[Any], biases: Sequence[Any]) -> Weights:
        rows = self._in_order(tf.transpose(kernels[0]))
        inputs = [row[:, : -self.units] for row in rows]
        state = [row[:, -self.units :] for row in rows]
        halves = [bias * 0.5 for bias in self._in_order(biases[0])]
        if self.mode != "gru":
            return Weights(inputs, state, halves, halves)
        inputs, state = [*inputs, tf.transpose(kernels[1])], [*state, tf.transpose(kernels[2])]
        return Weights(inputs, state, [*halves, biases[1]], [*halves, biases[2]])

    def _in_order(self, gates: Any) -> list[Any]:
        """The gates of a cell's matrix or bias in cuDNN's order."""
        order = _ORDER.get(self.mode, (0, 1))
        parts = tf.split(gates, len(order), axis=0)
        return [parts[order.index(gate)] for gate in range(len(order))]


def _transposed(matrices: Sequence[Any]) -> Any:
    return tf.transpose(tf.concat(matrices, 0))
