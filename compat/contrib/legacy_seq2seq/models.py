"""Encoder and decoder put together."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from ...nn.recurrent import static_rnn
from ...nn.rnn_cell.base import RNNCell
from ...variables import current_scope, get_variable, variable_scope
from ..rnn.projections import EmbeddingWrapper, OutputProjectionWrapper
from .attention import embedding_attention_decoder
from .decoders import (
    LoopFunction,
    check_projection,
    embed_previous,
    embedding_rnn_decoder,
    rnn_decoder,
)
from .loss import sequence_loss, sequence_loss_by_example


def basic_rnn_seq2seq(
    encoder_inputs: Sequence[Any], decoder_inputs: Sequence[Any], cell: Any, dtype: Any = tf.float32, scope: Any = None
) -> tuple[list[Any], Any]:
    """A decoder that starts from the final state of an encoder with a copy of its cell.

    Stands for TF 1.15's `tf.contrib.legacy_seq2seq.basic_rnn_seq2seq`; the two share no weights.

    Args:
      encoder_inputs: a list of tensors `[batch, depth]`.
      decoder_inputs: a list of tensors `[batch, depth]`.
      cell: an `RNNCell`.
      dtype: dtype of the first state.
      scope: a name or a variable scope; `"basic_rnn_seq2seq"` by default.

    Returns:
      `(outputs, state)` of the decoder.
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    loop_function: LoopFunction | None = None,
    dtype: Any = tf.float32,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """As `basic_rnn_seq2seq`, with one cell for both (`tf.contrib.legacy_seq2seq.tied_rnn_seq2seq` of TF 1.15).

    Args:
      encoder_inputs: as in `basic_rnn_seq2seq`.
      decoder_inputs: as in `basic_rnn_seq2seq`.
      cell: an `RNNCell`.
      loop_function: as in `rnn_decoder`.
      dtype: dtype of the first state.
      scope: a name below `combined_tied_rnn_seq2seq`; `"tied_rnn_seq2seq"` by default.

    Returns:
      `(outputs, state)` of the decoder.
    """
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        current_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


def _decode(feed_previous: Any, decoder: Callable[[bool, bool], tuple[list[Any], Any]]) -> tuple[list[Any], Any]:
    """Calls `decoder(feed_previous, update_embedding)`; a tensor builds both ways on the same weights."""
    if isinstance(feed_previous, bool):
        return decoder(feed_previous, True)
    if tf.executing_eagerly():
        return decoder(bool(feed_previous), False)

    def branch(previous: bool) -> Any:
        with variable_scope(current_scope(), reuse=None if previous else True):
            return decoder(previous, False)

    outputs, state = tf.cond(feed_previous, lambda: branch(True), lambda: branch(False))
    return outputs, state


def embedding_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """A `basic_rnn_seq2seq` of symbols (`tf.contrib.legacy_seq2seq.embedding_rnn_seq2seq` of TF 1.15).

    Args:
      encoder_inputs: a list of int tensors `[batch]`.
      decoder_inputs: a list of int tensors `[batch]`.
      cell: an `RNNCell`.
      num_encoder_symbols: number of symbols of the encoder.
      num_decoder_symbols: number of symbols of the decoder.
      embedding_size: size of a symbol's vector.
      output_projection: `(W, B)` that turn outputs into logits; None makes the outputs logits.
      feed_previous: whether, from the second step on, the decoder's input is the most likely symbol of its previous
        output: a bool, or a bool tensor (then no gradient flows into the embedding of these).
      dtype: dtype of the first state; that of the scope by default.
      scope: a name or a variable scope; `"embedding_rnn_seq2seq"` by default.

    Returns:
      `(outputs, state)` of the decoder.
    """
    with variable_scope(scope or "embedding_rnn_seq2seq") as scope:
        if dtype is not None:
            scope.set_dtype(dtype)
        encoder_cell = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        _, encoder_state = static_rnn(encoder_cell, encoder_inputs, dtype=scope.dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decoder(previous: bool, update: bool) -> Any:
            return embedding_rnn_decoder(
                decoder_inputs,
                encoder_state,
                cell,
                num_decoder_symbols,
                embedding_size,
                output_projection=output_projection,
                feed_previous=previous,
                update_embedding_for_previous=update,
            )

        return _decode(feed_previous, decoder)


def embedding_tied_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    num_decoder_symbols: int | None = None,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """A `tied_rnn_seq2seq` of symbols (`tf.contrib.legacy_seq2seq.embedding_tied_rnn_seq2seq` of TF 1.15).

    Args:
      encoder_inputs: as in `embedding_rnn_seq2seq`.
      decoder_inputs: as in `embedding_rnn_seq2seq`.
      cell: as in `embedding_rnn_seq2seq`.
      num_symbols: number of symbols of both sides.
      embedding_size: size of a symbol's vector.
      num_decoder_symbols: number of logits, `num_symbols` by default.
      output_projection: as in `embedding_rnn_seq2seq`.
      feed_previous: as in `embedding_rnn_seq2seq`.
      dtype: as in `embedding_rnn_seq2seq`.
      scope: a name or a variable scope; `"embedding_tied_rnn_seq2seq"` by default.

    Returns:
      `(outputs, state)` of the decoder.

    Raises:
      ValueError: the projection does not fit.
    """
    with variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as scope:
        check_projection(output_projection, num_symbols, scope.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size], dtype=scope.dtype)
        encoded = [tf.nn.embedding_lookup(embedding, step) for step in encoder_inputs]
        decoded = [tf.nn.embedding_lookup(embedding, step) for step in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols)

        def decoder(previous: bool, update: bool) -> Any:
            loop_function = embed_previous(embedding, output_projection, update) if previous else None
            return tied_rnn_seq2seq(encoded, decoded, cell, loop_function, scope.dtype)

        return _decode(feed_previous, decoder)


def embedding_attention_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """An `embedding_rnn_seq2seq` whose decoder attends to the encoder's outputs.

    Stands for TF 1.15's `tf.contrib.legacy_seq2seq.embedding_attention_seq2seq`.

    Args:
      encoder_inputs: as in `embedding_rnn_seq2seq`.
      decoder_inputs: as in `embedding_rnn_seq2seq`.
      cell: as in `embedding_rnn_seq2seq`.
      num_encoder_symbols: as in `embedding_rnn_seq2seq`.
      num_decoder_symbols: as in `embedding_rnn_seq2seq`.
      embedding_size: as in `embedding_rnn_seq2seq`.
      num_heads: number of attention heads.
      output_projection: as in `embedding_rnn_seq2seq`.
      feed_previous: as in `embedding_rnn_seq2seq`.
      dtype: as in `embedding_rnn_seq2seq`.
      scope: a name or a variable scope; `"embedding_attention_seq2seq"` by default.
      initial_state_attention: as in `attention_decoder`.

    Returns:
      `(outputs, state)` of the decoder.
    """
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as scope:
        encoder_cell = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        encoder_outputs, encoder_state = static_rnn(encoder_cell, encoder_inputs, dtype=scope.dtype)
        attended = tf.concat([tf.reshape(step, [-1, 1, cell.output_size]) for step in encoder_outputs], 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decoder(previous: bool, update: bool) -> Any:
            return embedding_attention_decoder(
                decoder_inputs,
                encoder_state,
                attended,
                cell,
                num_decoder_symbols,
                embedding_size,
                num_heads=num_heads,
                output_size=output_size,
                output_projection=output_projection,
                feed_previous=previous,
                update_embedding_for_previous=update,
                initial_state_attention=initial_state_attention,
            )

        return _decode(feed_previous, decoder)


def one2many_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs_dict: Mapping[Any, Sequence[Any]],
    enc_cell: Any,
    dec_cells_dict: Mapping[Any, Any],
    num_encoder_symbols: int,
    num_decoder_symbols_dict: Mapping[Any, int],
    embedding_size: int,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """One encoder, several decoders (`tf.contrib.legacy_seq2seq.one2many_rnn_seq2seq` of TF 1.15).

    Args:
      encoder_inputs: a list of int tensors `[batch]`.
      decoder_inputs_dict: for each decoder a list of int tensors `[batch]`.
      enc_cell: the encoder's `RNNCell`.
      dec_cells_dict: each decoder's `RNNCell`.
      num_encoder_symbols: number of symbols of the encoder.
      num_decoder_symbols_dict: number of symbols of each decoder.
      embedding_size: size of a symbol's vector.
      feed_previous: as in `embedding_rnn_seq2seq`.
      dtype: dtype of the first state; that of the scope by default.
      scope: a name or a variable scope; `"one2many_rnn_seq2seq"` by default.

    Returns:
      `(outputs, states)`, both by decoder.

    Raises:
      TypeError: a cell is no `RNNCell`.
      ValueError: the decoders' keys differ.
    """
    for cell in [enc_cell, *dec_cells_dict.values()]:
        if not isinstance(cell, RNNCell):
            raise TypeError(f"cell is not an RNNCell: {type(cell)}")
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError("keys of dec_cells_dict != keys of decoder_inputs_dict")
    outputs, states = {}, {}
    with variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as scope:
        enc_cell = EmbeddingWrapper(enc_cell, num_encoder_symbols, embedding_size)
        _, encoder_state = static_rnn(enc_cell, encoder_inputs, dtype=scope.dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[name]
            with variable_scope(f"one2many_decoder_{name}"):
                cell = OutputProjectionWrapper(dec_cells_dict[name], symbols)

                # TF1 lets gradients into the embedding here even where a tensor decides.
                def decoder(
                    previous: bool, _: bool, inputs: Any = decoder_inputs, cell: Any = cell, n: int = symbols
                ) -> Any:
                    return embedding_rnn_decoder(inputs, encoder_state, cell, n, embedding_size, feed_previous=previous)

                outputs[name], states[name] = _decode(feed_previous, decoder)
    return outputs, states


def model_with_buckets(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    targets: list[Any],
    weights: list[Any],
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[[list[Any], list[Any]], tuple[list[Any], Any]],
    softmax_loss_function: Callable[..., Any] | None = None,
    per_example_loss: bool = False,
    name: str | None = None,
) -> tuple[list[list[Any]], list[Any]]:
    """One model, with shared weights, for each pair of lengths.

    Stands for TF 1.15's `tf.contrib.legacy_seq2seq.model_with_buckets`.

    Args:
      encoder_inputs: a list of tensors, at least as long as the last bucket's.
      decoder_inputs: a list of tensors.
      targets: a list of int tensors `[batch]`.
      weights: a list of float tensors `[batch]`.
      buckets: pairs (encoder length, decoder length), ascending.
      seq2seq: called as `seq2seq(encoder_inputs, decoder_inputs)`, returns `(outputs, state)`.
      softmax_loss_function: as in `sequence_loss_by_example`.
      per_example_loss: whether losses are `[batch]` instead of scalars.
      name: of the name scope.

    Returns:
      `(outputs, losses)`, one entry for each bucket.

    Raises:
      ValueError: a list is shorter than the last bucket.
    """
    lengths = {"encoder_inputs": (encoder_inputs, 0), "targets": (targets, 1), "weights": (weights, 1)}
    for what, (given, side) in lengths.items():
        if len(given) < buckets[-1][side]:
            raise ValueError(
                f"Length of {what} ({len(given)}) must be at least that of last bucket ({buckets[-1][side]})."
            )
    loss_of = sequence_loss_by_example if per_example_loss else sequence_loss
    losses, outputs = [], []
    with tf.name_scope(name or "model_with_buckets"):
        for j, (encoder_length, decoder_length) in enumerate(buckets):
            with variable_scope(current_scope(), reuse=True if j > 0 else None):
                steps, _ = seq2seq(encoder_inputs[:encoder_length], decoder_inputs[:decoder_length])
                outputs.append(steps)
                losses.append(
                    loss_of(
                        steps,
                        targets[:decoder_length],
                        weights[:decoder_length],
                        softmax_loss_function=softmax_loss_function,
                    )
                )
    return outputs, losses
