"""Cells around a cell that change its inputs or outputs: embedding and projections."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...initializers import random_uniform_initializer
from ...nn.rnn_cell.base import Delegating, assert_like_rnncell
from ...variables import current_scope, get_variable
from .linear import Linear


class EmbeddingWrapper(Delegating):
    """Looks its integer inputs up before the cell gets them (TF 1.15's `tf.contrib.rnn.EmbeddingWrapper`).

    Variable: `embedding` `[embedding_classes, embedding_size]`.

    Args:
      cell: the cell.
      embedding_classes: number of symbols.
      embedding_size: size of a symbol's vector.
      initializer: by default the scope's, else uniform between -sqrt(3) and sqrt(3).
      reuse: True to share variables that the scope already has.

    Raises:
      TypeError: `cell` is not like a cell.
      ValueError: a size is not positive.
    """

    def __init__(
        self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None, reuse: Any = None
    ) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._cell = cell
        self._embedding_classes = embedding_classes
        self._embedding_size = embedding_size
        self._initializer = initializer

    def call(self, inputs: Any, state: Any) -> Any:
        initializer = self._initializer or current_scope().initializer
        if not initializer:
            # Uniform with variance one.
            initializer = random_uniform_initializer(-math.sqrt(3), math.sqrt(3))
        dtype = state[0].dtype if isinstance(state, tuple) else state.dtype
        with tf.device("/cpu:0"):
            embedding = get_variable(
                "embedding",
                [self._embedding_classes, self._embedding_size],
                initializer=initializer,
                dtype=dtype,
            )
            return self._cell(tf.nn.embedding_lookup(embedding, tf.reshape(inputs, [-1])), state)


class InputProjectionWrapper(Delegating):
    """Maps the inputs before the cell gets them (TF 1.15's `tf.contrib.rnn.InputProjectionWrapper`).

    Variables: `kernel` `[depth, num_proj]`, `bias` `[num_proj]`.

    Args:
      cell: the cell.
      num_proj: the depth that the cell gets.
      activation: function applied after the map, or None.
      input_size: ignored, as in TF 1.15.
      reuse: True to share variables that the scope already has.

    Raises:
      TypeError: `cell` is not like a cell.
    """

    def __init__(
        self,
        cell: Any,
        num_proj: int,
        activation: Callable[..., Any] | None = None,
        input_size: Any = None,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell = cell
        self._num_proj = num_proj
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> Any:
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        return self._cell(self._activation(projected) if self._activation else projected, state)


class OutputProjectionWrapper(Delegating):
    """Maps a cell's outputs (TF 1.15's `tf.contrib.rnn.OutputProjectionWrapper`).

    Variables: `kernel` `[cell.output_size, output_size]`, `bias` `[output_size]`.

    Args:
      cell: the cell.
      output_size: size of the mapped output.
      activation: function applied after the map, or None.
      reuse: True to share variables that the scope already has.

    Raises:
      TypeError: `cell` is not like a cell.
      ValueError: `output_size` is not positive.
    """

    def __init__(
        self, cell: Any, output_size: int, activation: Callable[..., Any] | None = None, reuse: Any = None
    ) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._cell = cell
        self._output_size = output_size
        self._activation = activation
        self._linear: Linear | None = None

    @property
    def output_size(self) -> Any:
        return self._output_size

    def call(self, inputs: Any, state: Any) -> Any:
        output, new_state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size, True)
        projected = self._linear(output)
        return self._activation(projected) if self._activation else projected, new_state
