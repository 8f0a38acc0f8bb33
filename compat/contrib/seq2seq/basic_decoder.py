"""The decoder that samples."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from ...nn.rnn_cell.base import assert_like_rnncell
from .decoder import Decoder
from .helpers import Helper


class BasicDecoderOutput(NamedTuple):
    """What a `BasicDecoder` puts out (TF 1.15's `tf.contrib.seq2seq.BasicDecoderOutput`)."""

    rnn_output: Any
    sample_id: Any


def check_layer(output_layer: Any) -> None:
    """Raises TypeError unless `output_layer` is None, or can be called and knows the shape of its outputs."""
    if output_layer is not None and not (callable(output_layer) and hasattr(output_layer, "compute_output_shape")):
        raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")


def layer_output_size(size: Any, output_layer: Any) -> Any:
    """The size of outputs of `size` after `output_layer`."""
    if output_layer is None:
        return size
    return tf.nest.map_structure(
        lambda each: tf.TensorShape(
            output_layer.compute_output_shape(tf.TensorShape([None]).concatenate(tf.TensorShape(each)))
        )[1:],
        size,
    )


class BasicDecoder(Decoder):
    """Runs a cell on what a helper feeds (TF 1.15's `tf.contrib.seq2seq.BasicDecoder`).

    Args:
      cell: an `RNNCell`.
      helper: a `Helper`.
      initial_state: the cell's first state.
      output_layer: layer that outputs go through before they are sampled, or None.

    Raises:
      TypeError: `cell`, `helper` or `output_layer` is not what it should be.
    """

    def __init__(self, cell: Any, helper: Helper, initial_state: Any, output_layer: Any = None) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        check_layer(output_layer)
        self._cell = cell
        self._helper = helper
        self._initial_state = initial_state
        self._output_layer = output_layer

    @property
    def batch_size(self) -> Any:
        return self._helper.batch_size

    def _rnn_output_size(self) -> Any:
        return layer_output_size(self._cell.output_size, self._output_layer)

    @property
    def output_size(self) -> Any:
        return BasicDecoderOutput(rnn_output=self._rnn_output_size(), sample_id=self._helper.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        dtype = tf.nest.flatten(self._initial_state)[0].dtype
        dtypes = tf.nest.map_structure(lambda _: dtype, self._rnn_output_size())
        return BasicDecoderOutput(dtypes, self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> Any:
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        with tf.name_scope(name or "BasicDecoderStep"):
            outputs, cell_state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=cell_state)
            finished, next_inputs, next_state = self._helper.next_inputs(
                time=time, outputs=outputs, state=cell_state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished
