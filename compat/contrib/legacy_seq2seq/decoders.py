"""Decoders over a list of steps, with and without embedding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from ...variables import current_scope, get_variable, variable_scope

LoopFunction = Callable[[Any, int], Any]


def rnn_decoder(
    decoder_inputs: Iterable[Any],
    initial_state: Any,
    cell: Any,
    loop_function: LoopFunction | None = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Runs `cell` over a list of inputs, or over its own outputs (`tf.contrib.legacy_seq2seq.rnn_decoder` of TF 1.15).

    Args:
      decoder_inputs: a list of tensors `[batch, depth]`.
      initial_state: the cell's first state.
      cell: an `RNNCell`.
      loop_function: called as `loop_function(previous_output, i)` for the i-th input, from the second on, in place of
        the one in the list.
      scope: a name or a variable scope; `"rnn_decoder"` by default.

    Returns:
      `(outputs, state)`: a list of outputs and the final state.
    """
    with variable_scope(scope or "rnn_decoder"):
        state = initial_state
        outputs: list[Any] = []
        for i, inp in enumerate(decoder_inputs):
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    inp = loop_function(outputs[-1], i)
            if i > 0:
                current_scope().reuse_variables()
            output, state = cell(inp, state)
            outputs.append(output)
    return outputs, state


def embed_previous(
    embedding: Any, output_projection: tuple[Any, Any] | None = None, update_embedding: bool = True
) -> LoopFunction:
    """A loop function that embeds the most likely symbol of the previous output.

    Args:
      embedding: `[symbols, size]`.
      output_projection: `(W, B)` that turn outputs into logits, or None where outputs are logits.
      update_embedding: whether gradients flow into the embedding.
    """

    def loop_function(prev: Any, _: int) -> Any:
        if output_projection is not None:
            prev = tf.nn.bias_add(tf.matmul(prev, output_projection[0]), output_projection[1])
        embedded = tf.nn.embedding_lookup(embedding, tf.argmax(prev, 1))
        return embedded if update_embedding else tf.stop_gradient(embedded)

    return loop_function


def check_projection(output_projection: tuple[Any, Any] | None, num_symbols: int, dtype: Any) -> None:
    """Raises ValueError unless `(W, B)` gives logits for `num_symbols`."""
    if output_projection is not None:
        weights, biases = (tf.convert_to_tensor(part, dtype=dtype) for part in output_projection)
        weights.shape.assert_is_compatible_with([None, num_symbols])
        biases.shape.assert_is_compatible_with([num_symbols])


def embedding_rnn_decoder(
    decoder_inputs: Sequence[Any],
    initial_state: Any,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """An `rnn_decoder` of symbols (`tf.contrib.legacy_seq2seq.embedding_rnn_decoder` of TF 1.15).

    Variable: `embedding_rnn_decoder/embedding` `[num_symbols, embedding_size]`.

    Args:
      decoder_inputs: a list of int tensors `[batch]`.
      initial_state: the cell's first state.
      cell: an `RNNCell`.
      num_symbols: number of symbols.
      embedding_size: size of a symbol's vector.
      output_projection: `(W, B)` that turn outputs into logits, or None where outputs are logits.
      feed_previous: whether, from the second step on, the input is the most likely symbol of the previous output.
      update_embedding_for_previous: with `feed_previous`, whether gradients flow into the embedding of these.
      scope: a name or a variable scope; `"embedding_rnn_decoder"` by default.

    Returns:
      `(outputs, state)`.

    Raises:
      ValueError: the projection does not fit.
    """
    with variable_scope(scope or "embedding_rnn_decoder") as scope:
        check_projection(output_projection, num_symbols, scope.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = embed_previous(embedding, output_projection, update_embedding_for_previous)
        embedded = (tf.nn.embedding_lookup(embedding, step) for step in decoder_inputs)
        return rnn_decoder(embedded, initial_state, cell, loop_function=loop_function)
