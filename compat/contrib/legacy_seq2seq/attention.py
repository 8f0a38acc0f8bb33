"""Decoders that attend to the encoder's outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from ...variables import current_scope, get_variable, variable_scope
from ..rnn.linear import linear
from .decoders import LoopFunction, embed_previous


@dataclass(frozen=True)
class _Heads:
    """Attention heads over `hidden` `[batch, length, 1, size]`."""

    hidden: tf.Tensor
    features: list[tf.Tensor]
    v: list[Any]
    length: Any
    size: int
    dtype: Any

    @classmethod
    def make(cls, states: tf.Tensor, count: int, dtype: Any) -> _Heads:
        """Makes the heads' variables in the current scope."""
        size = states.shape[2]
        length = tf.shape(states)[1] if states.shape[1] is None else states.shape[1]
        hidden = tf.reshape(states, [-1, length, 1, size])
        features, v = [], []
        for a in range(count):
            k = get_variable(f"AttnW_{a}", [1, 1, size, size], dtype=dtype)
            features.append(tf.nn.conv2d(hidden, k, [1, 1, 1, 1], "SAME"))
            v.append(get_variable(f"AttnV_{a}", [size], dtype=dtype))
        return cls(hidden, features, v, length, size, dtype)

    def attend(self, query: Any) -> list[tf.Tensor]:
        """What each head reads for a query, which may be a structure of tensors `[batch, n]`."""
        if tf.nest.is_nested(query):
            query = tf.concat(tf.nest.flatten(query), 1)
        return [self._read(a, query) for a in range(len(self.v))]

    def _read(self, a: int, query: tf.Tensor) -> tf.Tensor:
        with variable_scope(f"Attention_{a}"):
            y = tf.cast(tf.reshape(linear(query, self.size, True), [-1, 1, 1, self.size]), self.dtype)
            scores = tf.reduce_sum(self.v[a] * tf.tanh(self.features[a] + y), [2, 3])
            weights = tf.cast(tf.nn.softmax(tf.cast(scores, tf.float32)), self.dtype)
            read = tf.reduce_sum(tf.reshape(weights, [-1, self.length, 1, 1]) * self.hidden, [1, 2])
            return tf.reshape(read, [-1, self.size])

    def nothing(self, batch_size: Any) -> list[tf.Tensor]:
        """What the heads have read before the first step: zeros."""
        return [
            tf.ensure_shape(tf.zeros(tf.stack([batch_size, self.size]), self.dtype), [None, self.size]) for _ in self.v
        ]


def attention_decoder(
    decoder_inputs: Sequence[Any],
    initial_state: Any,
    attention_states: Any,
    cell: Any,
    output_size: int | None = None,
    num_heads: int = 1,
    loop_function: LoopFunction | None = None,
    dtype: Any = None,
    scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """Runs `cell` over a list of inputs, each joined with what is attended to.

    Stands for TF 1.15's `tf.contrib.legacy_seq2seq.attention_decoder`. Variables below `attention_decoder`:
    `AttnW_<a>`, `AttnV_<a>`, `kernel` and `bias` (of the inputs), `Attention_<a>/kernel`, `/bias`,
    `AttnOutputProjection/kernel`, `/bias`, and the cell's.

    Args:
      decoder_inputs: a list of tensors `[batch, depth]`.
      initial_state: the cell's first state.
      attention_states: tensor `[batch, length, size]`.
      cell: an `RNNCell`.
      output_size: size of the outputs; that of the cell by default.
      num_heads: number of attention heads.
      loop_function: called as `loop_function(previous_output, i)` for the i-th input, from the second on.
      dtype: dtype of the variables and of the attention; that of the scope by default.
      scope: a name or a variable scope; `"attention_decoder"` by default.
      initial_state_attention: whether the first step attends with `initial_state` instead of zeros.

    Returns:
      `(outputs, state)`.

    Raises:
      ValueError: no inputs, no heads, or an unknown size of `attention_states`.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.shape[2] is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.shape}")
    output_size = output_size or cell.output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as scope:
        heads = _Heads.make(attention_states, num_heads, scope.dtype)
        read = heads.attend(initial_state) if initial_state_attention else heads.nothing(tf.shape(decoder_inputs[0])[0])
        state = initial_state
        outputs: list[Any] = []
        for i, inp in enumerate(decoder_inputs):
            if i > 0:
                current_scope().reuse_variables()
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    inp = loop_function(outputs[-1], i)
            joined = [tf.cast(part, scope.dtype) for part in [inp, *read]]
            cell_output, state = cell(linear(joined, _known_depth(inp), True), state)
            with variable_scope(current_scope(), reuse=True if initial_state_attention else None):
                read = heads.attend(state)
            with variable_scope("AttnOutputProjection"):
                outputs.append(linear([tf.cast(cell_output, scope.dtype), *read], output_size, True))
    return outputs, state


def _known_depth(inp: Any) -> int:
    depth = inp.shape.with_rank(2)[1]
    if depth is None:
        raise ValueError(f"Could not infer input size from input: {inp}")
    return int(depth)


def embedding_attention_decoder(
    decoder_inputs: Sequence[Any],
    initial_state: Any,
    attention_states: Any,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_size: int | None = None,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    dtype: Any = None,
    scope: Any = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """An `attention_decoder` of symbols (`tf.contrib.legacy_seq2seq.embedding_attention_decoder` of TF 1.15).

    Variable: `embedding_attention_decoder/embedding` `[num_symbols, embedding_size]`, beside the decoder's.

    Args:
      decoder_inputs: a list of int tensors `[batch]`.
      initial_state: as in `attention_decoder`.
      attention_states: as in `attention_decoder`.
      cell: as in `attention_decoder`.
      num_symbols: number of symbols.
      embedding_size: size of a symbol's vector.
      num_heads: as in `attention_decoder`.
      output_size: as in `attention_decoder`.
      output_projection: `(W, B)` that turn outputs into logits, or None where outputs are logits.
      feed_previous: whether, from the second step on, the input is the most likely symbol of the previous output.
      update_embedding_for_previous: with `feed_previous`, whether gradients flow into the embedding of these.
      dtype: as in `attention_decoder`.
      scope: a name or a variable scope; `"embedding_attention_decoder"` by default.
      initial_state_attention: as in `attention_decoder`.

    Returns:
      `(outputs, state)`.

    Raises:
      ValueError: the projection does not fit, or as `attention_decoder`.
    """
    if output_projection is not None:
        biases = tf.convert_to_tensor(output_projection[1], dtype=dtype)
        biases.shape.assert_is_compatible_with([num_symbols])
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = embed_previous(embedding, output_projection, update_embedding_for_previous)
        return attention_decoder(
            [tf.nn.embedding_lookup(embedding, step) for step in decoder_inputs],
            initial_state,
            attention_states,
            cell,
            output_size=output_size,
            num_heads=num_heads,
            loop_function=loop_function,
            initial_state_attention=initial_state_attention,
        )
