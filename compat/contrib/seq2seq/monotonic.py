"""Mechanisms that never go back in the memory."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from ...variables import get_variable, variable_scope
from .mechanisms import (
    MemoryAttention,
    bahdanau_score,
    luong_scale,
    luong_score,
    memory_layer,
    query_layer,
)
from .probabilities import monotonic_probability


class _Monotonic(MemoryAttention):
    """A mechanism that starts at the memory's first entry."""

    _score_bias_init: float

    def initial_alignments(self, batch_size: Any, dtype: Any) -> tf.Tensor:
        return tf.one_hot(tf.zeros([batch_size], tf.int32), self._alignments_size, dtype=dtype)

    def _biased(self, score: tf.Tensor, dtype: Any) -> tf.Tensor:
        return score + get_variable("attention_score_bias", dtype=dtype, initializer=self._score_bias_init)


class BahdanauMonotonicAttention(_Monotonic):
    """`BahdanauAttention`, monotonic (TF 1.15's `tf.contrib.seq2seq.BahdanauMonotonicAttention`).

    Variables as those, below `bahdanau_monotonic_attention`, and `attention_score_bias`.

    Args:
      num_units: depth of the keys and of the queries.
      memory: tensor `[batch, length, depth]`.
      memory_sequence_length: optional int vector `[batch]`.
      normalize: as in `BahdanauAttention`.
      score_mask_value: as in `BahdanauAttention`.
      sigmoid_noise: standard deviation of noise added to the scores, to make them decided.
      sigmoid_noise_seed: seed of the noise.
      score_bias_init: initial bias of the scores; a negative one keeps early attention from going too far.
      mode: as in `monotonic_attention`.
      dtype: dtype of both layers; float32 by default.
      name: of the name scope.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "BahdanauMonotonicAttention",
    ) -> None:
        super().__init__(
            query_layer=query_layer(num_units, dtype),
            memory_layer=memory_layer(num_units, dtype),
            memory=memory,
            probability_fn=functools.partial(
                monotonic_probability, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )
        self._num_units = num_units
        self._normalize = normalize
        self._score_bias_init = score_bias_init
        self._name = name

    def __call__(self, query: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any]:
        with variable_scope(None, "bahdanau_monotonic_attention"):
            processed = self.query_layer(query) if self.query_layer else query
            score = bahdanau_score(processed, self._keys, self._num_units, self._normalize, query.dtype)
            score = self._biased(score, processed.dtype)
        return self._answer(score, state)


class LuongMonotonicAttention(_Monotonic):
    """`LuongAttention`, monotonic (TF 1.15's `tf.contrib.seq2seq.LuongMonotonicAttention`).

    Variables as those, below `luong_monotonic_attention`, and `attention_score_bias`.

    Args:
      num_units: depth of the keys and of the queries.
      memory: tensor `[batch, length, depth]`.
      memory_sequence_length: optional int vector `[batch]`.
      scale: as in `LuongAttention`.
      score_mask_value: as in `LuongAttention`.
      sigmoid_noise: as in `BahdanauMonotonicAttention`.
      sigmoid_noise_seed: as in `BahdanauMonotonicAttention`.
      score_bias_init: as in `BahdanauMonotonicAttention`.
      mode: as in `monotonic_attention`.
      dtype: dtype of the memory layer; float32 by default.
      name: of the name scope.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "LuongMonotonicAttention",
    ) -> None:
        super().__init__(
            query_layer=None,
            memory_layer=memory_layer(num_units, dtype),
            memory=memory,
            probability_fn=functools.partial(
                monotonic_probability, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )
        self._num_units = num_units
        self._scale = scale
        self._score_bias_init = score_bias_init
        self._name = name

    def __call__(self, query: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any]:
        with variable_scope(None, "luong_monotonic_attention"):
            score = luong_score(query, self._keys, luong_scale(self._scale, query.dtype))
            score = self._biased(score, query.dtype)
        return self._answer(score, state)
