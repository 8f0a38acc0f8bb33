"""Where a decoder's inputs come from, and when it stops."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...nn.recurrent.steps import transpose_batch_time
from .sampling import categorical


class Helper(abc.ABC):
    """Samples a decoder's outputs and makes its inputs of them (TF 1.15's `tf.contrib.seq2seq.Helper`)."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """The batch size: a scalar tensor."""
        raise NotImplementedError("batch_size has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """The shape of a sample, without the batch."""
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """The dtype of a sample."""
        raise NotImplementedError("sample_ids_dtype has not been implemented")

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """Gives `(finished, first_inputs)`."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Gives the samples of a step."""

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """Gives `(finished, next_inputs, next_state)`."""


class SymbolHelper(Helper):
    """A helper whose samples are int32 symbols."""

    _batch_size: Any

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        return tf.TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        return tf.int32


class CustomHelper(Helper):
    """A helper made of functions (TF 1.15's `tf.contrib.seq2seq.CustomHelper`).

    Args:
      initialize_fn: called without arguments, gives `(finished, first_inputs)`.
      sample_fn: called with `time`, `outputs` and `state` by name, gives samples.
      next_inputs_fn: called with `time`, `outputs`, `state` and `sample_ids` by name, gives
        `(finished, next_inputs, next_state)`.
      sample_ids_shape: shape of a sample; a scalar by default.
      sample_ids_dtype: dtype of a sample; int32 by default.
    """

    def __init__(
        self,
        initialize_fn: Callable[[], Any],
        sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any],
        sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:
        self._initialize_fn = initialize_fn
        self._sample_fn = sample_fn
        self._next_inputs_fn = next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = tf.TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or tf.int32

    @property
    def batch_size(self) -> Any:
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self._sample_ids_dtype

    def initialize(self, name: str | None = None) -> Any:
        finished, first_inputs = self._initialize_fn()
        if self._batch_size is None:
            self._batch_size = tf.size(finished)
        return finished, first_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


def unstacked(tensor: tf.Tensor) -> tf.TensorArray:
    """An array of the steps of a time-major tensor, which may be read more than once."""
    array = tf.TensorArray(
        tensor.dtype, size=tf.shape(tensor)[0], element_shape=tensor.shape[1:], clear_after_read=False
    )
    return array.unstack(tensor)


class TrainingHelper(SymbolHelper):
    """Feeds the true inputs; samples are the most likely symbols (TF 1.15's `tf.contrib.seq2seq.TrainingHelper`).

    Args:
      inputs: tensor `[batch, time, …]`, time first if `time_major`.
      sequence_length: int vector `[batch]`.
      time_major: whether time comes first.
      name: of the name scope.

    Raises:
      ValueError: `sequence_length` is not a vector.
    """

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False, name: str | None = None) -> None:
        with tf.name_scope(name or "TrainingHelper"):
            self._inputs = tf.nest.map_structure(tf.convert_to_tensor, inputs)
            steps = self._inputs if time_major else tf.nest.map_structure(transpose_batch_time, self._inputs)
            self._input_tas = tf.nest.map_structure(unstacked, steps)
            self._sequence_length = tf.convert_to_tensor(sequence_length)
            if self._sequence_length.shape.rank != 1:
                raise ValueError(
                    f"Expected sequence_length to be a vector, but received shape: {self._sequence_length.shape}"
                )
            self._zero_inputs = tf.nest.map_structure(lambda step: tf.zeros_like(step[0]), steps)
            self._batch_size = tf.size(self._sequence_length)

    @property
    def inputs(self) -> Any:
        """The inputs as they were given."""
        return self._inputs

    @property
    def sequence_length(self) -> Any:
        """The lengths."""
        return self._sequence_length

    def _read(self, time: Any, finished: tf.Tensor) -> Any:
        """The inputs of a step; zeros once all examples are finished, since there may be none."""
        return tf.cond(
            tf.reduce_all(finished),
            lambda: self._zero_inputs,
            lambda: tf.nest.map_structure(lambda array: array.read(time), self._input_tas),
        )

    def initialize(self, name: str | None = None) -> Any:
        finished = tf.equal(0, self._sequence_length)
        return finished, self._read(0, finished)

    def sample(self, time: Any, outputs: Any, state: Any = None, name: str | None = None) -> Any:
        return tf.cast(tf.argmax(outputs, axis=-1), tf.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any = None, name: str | None = None) -> Any:
        finished = time + 1 >= self._sequence_length
        return finished, self._read(time + 1, finished), state


def embedding_function(embedding: Any) -> Callable[[Any], Any]:
    """What looks symbols up: the function given, or a lookup in the tensor given."""
    return embedding if callable(embedding) else lambda ids: tf.nn.embedding_lookup(embedding, ids)


class GreedyEmbeddingHelper(SymbolHelper):
    """Feeds the embedding of the most likely symbol (TF 1.15's `tf.contrib.seq2seq.GreedyEmbeddingHelper`).

    Args:
      embedding: tensor `[symbols, size]`, or a function of int vectors.
      start_tokens: int32 vector `[batch]`, the symbols fed first.
      end_token: int32 scalar; an example that puts it out is finished.

    Raises:
      ValueError: `start_tokens` is not a vector, or `end_token` not a scalar.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embedding_fn = embedding_function(embedding)
        self._start_tokens = tf.convert_to_tensor(start_tokens, tf.int32)
        self._end_token = tf.convert_to_tensor(end_token, tf.int32)
        if self._start_tokens.shape.rank != 1:
            raise ValueError("start_tokens must be a vector")
        if self._end_token.shape.rank != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = tf.size(self._start_tokens)
        self._start_inputs = self._embedding_fn(self._start_tokens)

    def initialize(self, name: str | None = None) -> Any:
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return tf.argmax(_single(outputs), axis=-1, output_type=tf.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        finished = tf.equal(sample_ids, self._end_token)
        # Once all are finished no symbol need be one that can be looked up.
        following = tf.cond(tf.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(sample_ids))
        return finished, following, state


def _single(outputs: Any) -> tf.Tensor:
    if not isinstance(outputs, tf.Tensor):
        raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")
    return outputs


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Feeds the embedding of a symbol drawn (TF 1.15's `tf.contrib.seq2seq.SampleEmbeddingHelper`).

    Args:
      embedding: as in `GreedyEmbeddingHelper`.
      start_tokens: as in `GreedyEmbeddingHelper`.
      end_token: as in `GreedyEmbeddingHelper`.
      softmax_temperature: logits are divided by it; None for one.
      seed: seed of the draws.
    """

    def __init__(
        self,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature = softmax_temperature
        self._seed = seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        logits = _single(outputs)
        if self._softmax_temperature is not None:
            logits = logits / self._softmax_temperature
        return categorical(logits, self._seed)


class InferenceHelper(Helper):
    """Feeds samples, or what is made of them (TF 1.15's `tf.contrib.seq2seq.InferenceHelper`).

    Args:
      sample_fn: gives samples of outputs.
      sample_shape: shape of a sample, without the batch.
      sample_dtype: dtype of a sample.
      start_inputs: the first inputs, `[batch, …]`.
      end_fn: gives `finished`, bool `[batch]`, of samples.
      next_inputs_fn: gives inputs of samples; None feeds the samples.
    """

    def __init__(
        self,
        sample_fn: Callable[[Any], Any],
        sample_shape: Any,
        sample_dtype: Any,
        start_inputs: Any,
        end_fn: Callable[[Any], Any],
        next_inputs_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        self._sample_fn = sample_fn
        self._end_fn = end_fn
        self._sample_shape = tf.TensorShape(sample_shape)
        self._sample_dtype = sample_dtype
        self._next_inputs_fn = next_inputs_fn
        self._start_inputs = tf.convert_to_tensor(start_inputs)
        self._batch_size = tf.shape(self._start_inputs)[0]

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        return self._sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self._sample_dtype

    def initialize(self, name: str | None = None) -> Any:
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return self._sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        following = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), following, state
