"""What a decoder attends to, and how: Luong's and Bahdanau's mechanisms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...layers.base import Layer
from ...layers.dense import Dense
from ...nn.rnn_cell.shapes import zero_state_tensors
from ...variables import get_variable, variable_scope

Probability = Callable[[tf.Tensor, Any], tf.Tensor]


class AttentionMechanism:
    """Base of attention mechanisms (TF 1.15's `tf.contrib.seq2seq.AttentionMechanism`).

    Called as `mechanism(query, state=state)`, it gives `(alignments, next_state)`.
    """

    @property
    def alignments_size(self) -> Any:
        """The length of the memory: an int, or a scalar tensor."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """Size of the mechanism's own state."""
        raise NotImplementedError


class MemoryAttention(AttentionMechanism):
    """A mechanism over a memory `[batch, length, …]`, of which entries past their length count for nothing.

    Args:
      query_layer: layer that queries go through, or None.
      memory: tensor, or structure of tensors.
      probability_fn: called as `probability_fn(score, previous_state)`, gives the alignments.
      memory_sequence_length: optional int vector `[batch]`.
      memory_layer: layer that makes the keys of the memory.
      check_inner_dims_defined: whether all dimensions of the memory after the second must be known.
      score_mask_value: the score of entries past the length; minus infinity by default.
      custom_key_value_fn: called as `custom_key_value_fn(keys, values)`, gives both anew.
      name: of the name scope.

    Raises:
      TypeError: a layer is no `Layer`, or `probability_fn` is not callable.
      ValueError: an inner dimension of the memory is unknown.
    """

    def __init__(
        self,
        query_layer: Any,
        memory: Any,
        probability_fn: Probability,
        memory_sequence_length: Any = None,
        memory_layer: Any = None,
        check_inner_dims_defined: bool = True,
        score_mask_value: Any = None,
        custom_key_value_fn: Callable[[Any, Any], tuple[Any, Any]] | None = None,
        name: str | None = None,
    ) -> None:
        for which, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError(f"{which} is not a Layer: {type(layer).__name__}")
        if not callable(probability_fn):
            raise TypeError(f"probability_fn must be callable, saw type: {type(probability_fn).__name__}")
        self._query_layer = query_layer
        self._memory_layer = memory_layer
        self.dtype = memory_layer.dtype
        lowest = float("-inf") if score_mask_value is None else score_mask_value
        self._probability_fn: Probability = lambda score, previous: probability_fn(
            mask_score(score, memory_sequence_length, lowest), previous
        )
        with tf.name_scope(name or "BaseAttentionMechanismInit"):
            self._values = _masked_memory(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = memory_layer(self._values) if memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            dynamic = tf.shape(self._keys)
            self._batch_size, self._alignments_size = (self._keys.shape[i] or dynamic[i] for i in range(2))

    @property
    def memory_layer(self) -> Any:
        """The layer that makes the keys."""
        return self._memory_layer

    @property
    def query_layer(self) -> Any:
        """The layer that queries go through, or None."""
        return self._query_layer

    @property
    def values(self) -> Any:
        """The memory, zero past each length."""
        return self._values

    @property
    def keys(self) -> Any:
        """What queries are compared with."""
        return self._keys

    @property
    def batch_size(self) -> Any:
        """The batch size of the memory: an int, or a scalar tensor."""
        return self._batch_size

    @property
    def alignments_size(self) -> Any:
        return self._alignments_size

    @property
    def state_size(self) -> Any:
        return self._alignments_size

    def initial_alignments(self, batch_size: Any, dtype: Any) -> tf.Tensor:
        """The alignments before the first step, `[batch, length]`: zeros."""
        return zero_state_tensors(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The state before the first step: the initial alignments."""
        return self.initial_alignments(batch_size, dtype)

    def _answer(self, score: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any]:
        alignments = self._probability_fn(score, state)
        return alignments, alignments


def _masked_memory(memory: Any, lengths: Any, check_inner_dims: bool) -> Any:
    memory = tf.nest.map_structure(tf.convert_to_tensor, memory)
    flat = tf.nest.flatten(memory)
    for part in flat:
        if check_inner_dims and not part.shape[2:].is_fully_defined():
            raise ValueError(f"Expected memory {part} to have fully defined inner dims, but saw shape: {part.shape}")
    if lengths is None:
        return memory
    mask = tf.sequence_mask(lengths, maxlen=tf.shape(flat[0])[1], dtype=flat[0].dtype)

    def masked(part: tf.Tensor) -> tf.Tensor:
        ones = tf.ones([tf.rank(part) - 2 if part.shape.rank is None else part.shape.rank - 2], tf.int32)
        return part * tf.reshape(mask, tf.concat([tf.shape(mask), ones], 0))

    return tf.nest.map_structure(masked, memory)


def mask_score(score: tf.Tensor, lengths: Any, lowest: Any) -> tf.Tensor:
    """`score` `[batch, length]` with `lowest` past each length.

    Raises:
      tf.errors.InvalidArgumentError: a length is not positive.
    """
    if lengths is None:
        return score
    message = "All values in memory_sequence_length must be greater than zero."
    check = tf.debugging.assert_positive(lengths, message=message)
    with tf.control_dependencies([] if check is None else [check]):
        mask = tf.sequence_mask(lengths, maxlen=tf.shape(score)[1])
    return tf.where(mask, score, tf.cast(lowest, score.dtype) * tf.ones_like(score))


def luong_score(query: tf.Tensor, keys: tf.Tensor, scale: Any) -> tf.Tensor:
    """The products of a query with each key, times `scale` unless it is None."""
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(
            "Incompatible or unknown inner dimensions between query and keys.  "
            f"Query ({query}) has units: {query.shape[-1]}.  Keys ({keys}) have units: {keys.shape[-1]}.  "
            f"Perhaps you need to set num_units to the keys' dimension ({keys.shape[-1]})?"
        )
    score = tf.squeeze(tf.matmul(tf.expand_dims(query, 1), keys, transpose_b=True), [1])
    return score if scale is None else scale * score


def luong_scale(scale: bool, dtype: Any) -> Any:
    """The variable `attention_g` (one), or None without scaling."""
    return get_variable("attention_g", shape=(), dtype=dtype, initializer=tf.ones_initializer()) if scale else None


def bahdanau_score(query: tf.Tensor, keys: tf.Tensor, num_units: int, normalize: bool, dtype: Any) -> tf.Tensor:
    """`sum(v * tanh(keys + query))`, with normalized v and a bias on request.

    Variables: `attention_v` `[num_units]`, with `normalize` `attention_g` (`sqrt(1 / num_units)`) and `attention_b`.
    """
    query = tf.expand_dims(query, 1)
    v = get_variable("attention_v", [num_units], dtype=dtype)
    if not normalize:
        return tf.reduce_sum(v * tf.tanh(keys + query), [2])
    initial = tf.constant_initializer(math.sqrt(1.0 / num_units))
    g = get_variable("attention_g", shape=(), dtype=dtype, initializer=initial)
    b = get_variable("attention_b", [num_units], dtype=dtype, initializer=tf.zeros_initializer())
    normed = g * v * tf.math.rsqrt(tf.reduce_sum(tf.square(v)))
    return tf.reduce_sum(normed * tf.tanh(keys + query + b), [2])


def memory_layer(num_units: int, dtype: Any) -> Dense:
    """The layer `memory_layer`, without bias."""
    return Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype or tf.float32)


def query_layer(num_units: int, dtype: Any) -> Dense:
    """The layer `query_layer`, without bias."""
    return Dense(num_units, name="query_layer", use_bias=False, dtype=dtype or tf.float32)


class LuongAttention(MemoryAttention):
    """Multiplicative attention (arXiv:1508.04025; TF 1.15's `tf.contrib.seq2seq.LuongAttention`).

    Variables: `memory_layer/kernel`, and with `scale` `luong_attention/attention_g`.

    Args:
      num_units: depth of the keys and of the queries.
      memory: tensor `[batch, length, depth]`, usually an encoder's outputs.
      memory_sequence_length: optional int vector `[batch]`.
      scale: whether scores are multiplied by a variable.
      probability_fn: turns scores into alignments; softmax by default.
      score_mask_value: the score of entries past the length; minus infinity by default.
      dtype: dtype of the memory layer; float32 by default.
      custom_key_value_fn: called as `custom_key_value_fn(keys, values)`, gives both anew.
      name: of the name scope.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        probability_fn: Callable[[tf.Tensor], tf.Tensor] | None = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Callable[[Any, Any], tuple[Any, Any]] | None = None,
        name: str = "LuongAttention",
    ) -> None:
        probability = probability_fn or tf.nn.softmax
        super().__init__(
            query_layer=None,
            memory_layer=memory_layer(num_units, dtype),
            memory=memory,
            probability_fn=lambda score, _: probability(score),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn,
            name=name,
        )
        self._num_units = num_units
        self._scale = scale
        self._name = name

    def __call__(self, query: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any]:
        with variable_scope(None, "luong_attention"):
            score = luong_score(query, self._keys, luong_scale(self._scale, query.dtype))
        return self._answer(score, state)


class BahdanauAttention(MemoryAttention):
    """Additive attention (arXiv:1409.0473; TF 1.15's `tf.contrib.seq2seq.BahdanauAttention`).

    Variables: `memory_layer/kernel`, and below `bahdanau_attention` `query_layer/kernel`, `attention_v`, with
    `normalize` `attention_g` and `attention_b`.

    Args:
      num_units: depth of the keys and of the queries.
      memory: tensor `[batch, length, depth]`, usually an encoder's outputs.
      memory_sequence_length: optional int vector `[batch]`.
      normalize: whether `attention_v` is normalized (arXiv:1602.07868).
      probability_fn: turns scores into alignments; softmax by default.
      score_mask_value: the score of entries past the length; minus infinity by default.
      dtype: dtype of both layers; float32 by default.
      custom_key_value_fn: called as `custom_key_value_fn(keys, values)`, gives both anew.
      name: of the name scope.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        probability_fn: Callable[[tf.Tensor], tf.Tensor] | None = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Callable[[Any, Any], tuple[Any, Any]] | None = None,
        name: str = "BahdanauAttention",
    ) -> None:
        probability = probability_fn or tf.nn.softmax
        super().__init__(
            query_layer=query_layer(num_units, dtype),
            memory_layer=memory_layer(num_units, dtype),
            memory=memory,
            probability_fn=lambda score, _: probability(score),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn,
            name=name,
        )
        self._num_units = num_units
        self._normalize = normalize
        self._name = name

    def __call__(self, query: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any]:
        with variable_scope(None, "bahdanau_attention"):
            processed = self.query_layer(query) if self.query_layer else query
            score = bahdanau_score(processed, self._keys, self._num_units, self._normalize, query.dtype)
        return self._answer(score, state)
