"""Beam search."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import tensorflow as tf

from ...nn.rnn_cell.base import assert_like_rnncell
from ...nn.rnn_cell.shapes import static_shape
from .basic_decoder import check_layer, layer_output_size
from .beam_scores import attention_probabilities, beam_scores, only_end_after_end
from .decoder import Decoder
from .gather_tree import gather_tree, sort_array_beams
from .helpers import embedding_function

_log = logging.getLogger(__name__)


class BeamSearchDecoderState(NamedTuple):
    """The state of a `BeamSearchDecoder` (TF 1.15's `tf.contrib.seq2seq.BeamSearchDecoderState`)."""

    cell_state: Any
    log_probs: Any
    finished: Any
    lengths: Any
    accumulated_attention_probs: Any


class BeamSearchDecoderOutput(NamedTuple):
    """What one step puts out (TF 1.15's `tf.contrib.seq2seq.BeamSearchDecoderOutput`)."""

    scores: Any
    predicted_ids: Any
    parent_ids: Any


class FinalBeamSearchDecoderOutput(NamedTuple):
    """What the whole search puts out (TF 1.15's `tf.contrib.seq2seq.FinalBeamSearchDecoderOutput`)."""

    predicted_ids: Any
    beam_search_decoder_output: Any


def tile_batch(t: Any, multiplier: int, name: str | None = None) -> Any:
    """Each example `multiplier` times, one after the other (TF 1.15's `tf.contrib.seq2seq.tile_batch`).

    Args:
      t: tensor `[batch, …]`, or a structure of them.
      multiplier: how often.
      name: of the name scope.

    Raises:
      ValueError: a rank is unknown, or zero.
    """

    def tile(tensor: Any) -> tf.Tensor:
        tensor = tf.convert_to_tensor(tensor)
        if not tensor.shape.rank:
            raise ValueError("t must have statically known rank")
        return tf.repeat(tensor, multiplier, axis=0)

    with tf.name_scope(name or "tile_batch"):
        return tf.nest.map_structure(tile, t)


class BeamSearchDecoder(Decoder):
    """Keeps the `beam_width` best sequences of each example (TF 1.15's `tf.contrib.seq2seq.BeamSearchDecoder`).

    `dynamic_decode` gives `FinalBeamSearchDecoderOutput`, with ids `[batch, time, beam_width]`, best beam first.
    With attention, the memory, its lengths and the initial state must have been tiled by `tile_batch`.

    Args:
      cell: an `RNNCell`.
      embedding: tensor `[symbols, size]`, or a function of int tensors.
      start_tokens: int32 vector `[batch]`.
      end_token: int32 scalar.
      initial_state: the cell's first state, of batch size `batch * beam_width`.
      beam_width: number of beams.
      output_layer: layer that outputs go through, or None.
      length_penalty_weight: see arXiv:1609.08144; 0 for none.
      coverage_penalty_weight: see arXiv:1609.08144; 0 for none.
      reorder_tensor_arrays: whether TensorArrays in the final cell state come as tensors in the order of the beams.

    Raises:
      TypeError: `cell` or `output_layer` is not what it should be.
      ValueError: `start_tokens` is not a vector, `end_token` no scalar, or the state's shape does not fit.
    """

    def __init__(
        self,
        cell: Any,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        initial_state: Any,
        beam_width: int,
        output_layer: Any = None,
        length_penalty_weight: Any = 0.0,
        coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:
        assert_like_rnncell("cell", cell)
        check_layer(output_layer)
        self._cell = cell
        self._output_layer = output_layer
        self._embedding_fn = embedding_function(embedding)
        self._beam_width = beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._reorder_tensor_arrays = reorder_tensor_arrays
        start_tokens = tf.convert_to_tensor(start_tokens, tf.int32)
        if start_tokens.shape.rank != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = tf.convert_to_tensor(end_token, tf.int32)
        if self._end_token.shape.rank != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = tf.size(start_tokens)
        self._static_batch = start_tokens.shape[0]
        self._initial_cell_state = tf.nest.map_structure(self._split, initial_state, cell.state_size)
        self._start_tokens = tf.tile(tf.expand_dims(start_tokens, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    @property
    def tracks_own_finished(self) -> bool:
        return True

    @property
    def output_size(self) -> Any:
        beams = tf.TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(scores=beams, predicted_ids=beams, parent_ids=beams)

    @property
    def output_dtype(self) -> Any:
        dtype = tf.nest.flatten(self._initial_cell_state)[0].dtype
        size = layer_output_size(self._cell.output_size, self._output_layer)
        scores = tf.nest.map_structure(lambda _: dtype, size)
        return BeamSearchDecoderOutput(scores=scores, predicted_ids=tf.int32, parent_ids=tf.int32)

    def initialize(self, name: str | None = None) -> Any:
        dtype = tf.nest.flatten(self._initial_cell_state)[0].dtype
        first = tf.zeros([self._batch_size], tf.int32)
        # All beams start equal: only the first may go on, or they would stay equal.
        finished = tf.one_hot(first, self._beam_width, on_value=False, off_value=True, dtype=tf.bool)
        log_probs = tf.one_hot(
            first,
            self._beam_width,
            on_value=tf.constant(0.0, dtype),
            off_value=tf.constant(float("-inf"), dtype),
            dtype=dtype,
        )
        attended = attention_probabilities(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=log_probs,
            finished=finished,
            lengths=tf.zeros([self._batch_size, self._beam_width], tf.int64),
            accumulated_attention_probs=() if attended is None else attended,
        )
        return finished, self._start_inputs, state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        with tf.name_scope(name or "BeamSearchDecoderStep"):
            inputs = tf.nest.map_structure(lambda each: self._merge(each, each.shape[2:]), inputs)
            cell_state = tf.nest.map_structure(self._maybe_merge, state.cell_state, self._cell.state_size)
            outputs, next_cell_state = self._cell(inputs, cell_state)
            outputs = tf.nest.map_structure(lambda each: self._split(each, each.shape[1:]), outputs)
            next_cell_state = tf.nest.map_structure(self._split, next_cell_state, self._cell.state_size)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            output, next_state = self._extend(outputs, next_cell_state, state)
            next_inputs = tf.cond(
                tf.reduce_all(next_state.finished),
                lambda: self._start_inputs,
                lambda: self._embedding_fn(output.predicted_ids),
            )
        return output, next_state, next_inputs, next_state.finished

    def _extend(self, logits: tf.Tensor, next_cell_state: Any, state: BeamSearchDecoderState) -> Any:
        """Every beam by every symbol, of which the best `beam_width` are kept."""
        symbols = logits.shape[-1] or tf.shape(logits)[-1]
        going_on = tf.logical_not(state.finished)
        log_probs = only_end_after_end(tf.nn.log_softmax(logits), self._end_token, state.finished)
        total = tf.expand_dims(state.log_probs, 2) + log_probs
        attended = attention_probabilities(next_cell_state, self._coverage_penalty_weight)
        if attended is not None:
            weight = tf.expand_dims(tf.cast(going_on, tf.float32), 2)
            attended = state.accumulated_attention_probs + attended * weight
        # The end itself does not count for the length.
        longer = tf.cast(tf.not_equal(tf.range(symbols), self._end_token), tf.int64)
        lengths = tf.expand_dims(state.lengths, 2) + longer * tf.expand_dims(tf.cast(going_on, tf.int64), 2)
        scores = beam_scores(
            total, lengths, self._length_penalty_weight, self._coverage_penalty_weight, state.finished, attended
        )
        flat = tf.stack([self._batch_size, -1])
        best, chosen = tf.math.top_k(tf.reshape(scores, flat), k=self._beam_width)
        best, chosen = (self._with_batch(each, [self._beam_width]) for each in (best, chosen))
        parents, words = chosen // symbols, chosen % symbols

        def of_parents(kept: Any) -> Any:
            if isinstance(kept, tf.TensorArray) or kept.shape.rank < 2:
                return kept
            return self._with_batch(tf.gather(kept, parents, batch_dims=1), kept.shape[1:])

        was_finished = of_parents(state.finished)
        next_state = BeamSearchDecoderState(
            cell_state=tf.nest.map_structure(of_parents, next_cell_state),
            log_probs=self._with_batch(tf.gather(tf.reshape(total, flat), chosen, batch_dims=1), [self._beam_width]),
            finished=tf.logical_or(was_finished, tf.equal(words, self._end_token)),
            lengths=of_parents(state.lengths) + tf.cast(tf.logical_not(was_finished), tf.int64),
            accumulated_attention_probs=() if attended is None else of_parents(attended),
        )
        return BeamSearchDecoderOutput(scores=best, predicted_ids=words, parent_ids=parents), next_state

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        longest = tf.cast(tf.reduce_max(final_state.lengths, axis=1), tf.int32)
        ids = gather_tree(outputs.predicted_ids, outputs.parent_ids, longest, self._end_token)
        if self._reorder_tensor_arrays:
            sort = tf.nest.map_structure(
                lambda each: self._sorted(each, outputs.parent_ids, final_state.lengths), final_state.cell_state
            )
            final_state = final_state._replace(cell_state=sort)
        return FinalBeamSearchDecoderOutput(ids, outputs), final_state

    def _with_batch(self, tensor: tf.Tensor, rest: Any) -> tf.Tensor:
        if not tf.executing_eagerly():
            tensor.set_shape(tf.TensorShape([self._static_batch]).concatenate(rest))
        return tensor

    def _merge(self, tensor: tf.Tensor, size: Any) -> tf.Tensor:
        """`[batch, beams] + size` as `[batch * beams] + size`."""
        rows = self._batch_size * self._beam_width
        merged = tf.reshape(tensor, tf.concat([[rows], tf.shape(tensor)[2:]], 0))
        if not tf.executing_eagerly():
            known = None if self._static_batch is None else self._static_batch * self._beam_width
            merged.set_shape(tf.TensorShape([known]).concatenate(static_shape(size)))
        return merged

    def _maybe_merge(self, part: Any, size: Any) -> Any:
        return part if isinstance(part, tf.TensorArray) or part.shape.rank < 2 else self._merge(part, size)

    def _split(self, part: Any, size: Any) -> Any:
        """`[batch * beams] + size` as `[batch, beams] + size`; scalars and TensorArrays stay.

        Raises:
          ValueError: the rank is unknown, or the shape does not fit.
        """
        if isinstance(part, tf.TensorArray):
            return part
        if part.shape.rank is None:
            raise ValueError(f"Expected tensor ({part}) to have known rank, but ndims == None.")
        if part.shape.rank == 0:
            return part
        beams = tf.stack([self._batch_size, self._beam_width])
        known = tf.TensorShape([self._static_batch, self._beam_width]).concatenate(static_shape(size))
        rows = None if self._static_batch is None else self._static_batch * self._beam_width
        if not part.shape[:1].is_compatible_with([rows]):
            raise ValueError(
                f"A state of shape {part.shape} cannot be split into batch and beams, {known}.  Perhaps you forgot to "
                "create a zero_state with batch_size=encoder_batch_size * beam_width?"
            )
        split = tf.reshape(part, tf.concat([beams, tf.shape(part)[1:]], 0))
        if not tf.executing_eagerly():
            split.set_shape(known)
        return split

    def _sorted(self, part: Any, parent_ids: tf.Tensor, lengths: tf.Tensor) -> Any:
        """A TensorArray of the steps as a tensor in the order of the final beams; anything else as it is."""
        if not isinstance(part, tf.TensorArray):
            return part
        shape = part.element_shape
        if not shape.rank or not self._may_be_beams(shape):
            _log.warning(
                "A TensorArray of elements %s in the cell state has no beams to be sorted by. Consider setting "
                "reorder_tensor_arrays to False.",
                shape,
            )
            return part
        return sort_array_beams(part.stack(), parent_ids, lengths)

    def _may_be_beams(self, shape: tf.TensorShape) -> bool:
        """What TF 1.15 sorts: rows of unknown number, or `batch * beams` of them that are not known to be longer."""
        if self._static_batch is None or shape[0] is None:
            return True
        if shape[0] != self._static_batch * self._beam_width:
            return False
        if shape.rank < 2 or shape[1] is None:
            return True
        return bool(shape[0] == self._static_batch and shape[1] == self._beam_width)
