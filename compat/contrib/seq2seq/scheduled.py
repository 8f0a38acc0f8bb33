"""Scheduled sampling: a decoder that is fed true inputs, and now and then its own (arXiv:1506.03099)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...nn.recurrent.steps import transpose_batch_time
from .helpers import TrainingHelper, embedding_function, unstacked
from .sampling import bernoulli, categorical


def _probability(value: Any) -> tf.Tensor:
    probability = tf.convert_to_tensor(value)
    if probability.shape.rank not in (0, 1):
        raise ValueError(f"sampling_probability must be either a scalar or a vector. saw shape: {probability.shape}")
    return probability


def _mixed(chosen: tf.Tensor, sampled: Callable[[tf.Tensor], tf.Tensor], true: tf.Tensor) -> tf.Tensor:
    """Rows of `sampled(indices)` where `chosen`, of `true` elsewhere."""
    where, elsewhere = (tf.cast(tf.where(rows), tf.int32) for rows in (chosen, tf.logical_not(chosen)))
    shape = tf.shape(true)
    return tf.scatter_nd(where, sampled(where), shape) + tf.scatter_nd(elsewhere, tf.gather_nd(true, elsewhere), shape)


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Feeds the embedding of a drawn symbol now and then (`tf.contrib.seq2seq.ScheduledEmbeddingTrainingHelper`).

    Samples are the symbols drawn, and -1 where the true input is fed.

    Args:
      inputs: as in `TrainingHelper`.
      sequence_length: as in `TrainingHelper`.
      embedding: tensor `[symbols, size]`, or a function of int vectors.
      sampling_probability: probability of drawing: a float32 scalar, or `[batch]`.
      time_major: whether time comes first.
      seed: seed of the symbols.
      scheduling_seed: seed of whether to draw.
      name: of the name scope.

    Raises:
      ValueError: `sampling_probability` is neither scalar nor vector.
    """

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        embedding: Any,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        scheduling_seed: int | None = None,
        name: str | None = None,
    ) -> None:
        self._embedding_fn = embedding_function(embedding)
        self._sampling_probability = _probability(sampling_probability)
        self._seed = seed
        self._scheduling_seed = scheduling_seed
        super().__init__(inputs, sequence_length, time_major, name or "ScheduledEmbeddingSamplingWrapper")

    def sample(self, time: Any, outputs: Any, state: Any = None, name: str | None = None) -> Any:
        chosen = bernoulli(self._sampling_probability, self.batch_size, tf.bool, self._scheduling_seed)
        return tf.where(chosen, categorical(outputs, self._seed), tf.fill([self.batch_size], -1))

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any = None, name: str | None = None) -> Any:
        finished, true, state = super().next_inputs(time, outputs, state)

        def mixed() -> tf.Tensor:
            return _mixed(sample_ids > -1, lambda indices: self._embedding_fn(tf.gather_nd(sample_ids, indices)), true)

        return finished, tf.cond(tf.reduce_all(finished), lambda: true, mixed), state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """Feeds the output itself now and then (TF 1.15's `tf.contrib.seq2seq.ScheduledOutputTrainingHelper`).

    Samples are 1 where the output is fed, 0 elsewhere.

    Args:
      inputs: as in `TrainingHelper`.
      sequence_length: as in `TrainingHelper`.
      sampling_probability: probability of feeding the output: a float32 scalar, or `[batch]`.
      time_major: whether time comes first.
      seed: seed of whether to do so.
      next_inputs_fn: gives inputs of outputs; None feeds the outputs.
      auxiliary_inputs: joined with all inputs by depth; shaped like them.
      name: of the name scope.

    Raises:
      ValueError: `sampling_probability` is neither scalar nor vector.
    """

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        next_inputs_fn: Callable[[Any], Any] | None = None,
        auxiliary_inputs: Any = None,
        name: str | None = None,
    ) -> None:
        self._sampling_probability = _probability(sampling_probability)
        self._seed = seed
        self._next_inputs_fn = next_inputs_fn
        self._auxiliary: tf.TensorArray | None = None
        if auxiliary_inputs is not None:
            auxiliary = tf.convert_to_tensor(auxiliary_inputs)
            inputs = tf.concat([inputs, auxiliary], -1)
            self._auxiliary = unstacked(auxiliary if time_major else transpose_batch_time(auxiliary))
        super().__init__(inputs, sequence_length, time_major, name or "ScheduledOutputTrainingHelper")

    def sample(self, time: Any, outputs: Any, state: Any = None, name: str | None = None) -> Any:
        return bernoulli(self._sampling_probability, self.batch_size, tf.int32, self._seed)

    def _joined(self, outputs: tf.Tensor, time: Any, indices: Any) -> tf.Tensor:
        if self._auxiliary is None:
            return outputs
        auxiliary = self._auxiliary.read(time)
        return tf.concat([outputs, auxiliary if indices is None else tf.gather_nd(auxiliary, indices)], -1)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any = None, name: str | None = None) -> Any:
        finished, true, state = super().next_inputs(time, outputs, state)
        chosen = tf.cast(sample_ids, tf.bool)

        def mixed() -> tf.Tensor:
            following = self._next_inputs_fn
            if following is None:
                rows = self._joined(outputs, time + 1, None)
                return tf.raw_ops.Select(condition=chosen, x=rows, y=true)
            return _mixed(
                chosen,
                lambda indices: self._joined(following(tf.gather_nd(outputs, indices)), time + 1, indices),
                true,
            )

        nothing = tf.logical_or(tf.reduce_all(finished), tf.logical_not(tf.reduce_any(chosen)))
        return finished, tf.cond(nothing, lambda: true, mixed), state
