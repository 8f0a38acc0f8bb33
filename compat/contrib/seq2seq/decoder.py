"""Decoding step by step: `Decoder` and `dynamic_decode`."""

from __future__ import annotations

import abc
import contextlib
from typing import Any

import tensorflow as tf

from ...nn.recurrent.steps import keep_finished, transpose_batch_time
from ...nn.rnn_cell.shapes import batched_shape, batched_zeros
from ...variables import variable_scope


class Decoder(abc.ABC):
    """One step of decoding, and how it begins and ends (TF 1.15's `tf.contrib.seq2seq.Decoder`)."""

    @property
    def batch_size(self) -> Any:
        """The batch size: an int or a scalar tensor."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """A structure of sizes, without the batch, like what `step` puts out."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """A structure of dtypes like `output_size`."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """Called before the first step; gives `(finished, first_inputs, initial_state)`, `finished` bool `[batch]`."""
        raise NotImplementedError

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """Called for each step, within a loop; gives `(outputs, next_state, next_inputs, finished)`."""
        raise NotImplementedError

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """Called with the stacked outputs, time first; gives `(final_outputs, final_state)`."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `finished` of a step stands for itself, because examples change places (a beam search)."""
        return False


def dynamic_decode(
    decoder: Decoder,
    output_time_major: bool = False,
    impute_finished: bool = False,
    maximum_iterations: Any = None,
    parallel_iterations: int = 32,
    swap_memory: bool = False,
    scope: Any = None,
) -> tuple[Any, Any, tf.Tensor]:
    """Runs a decoder until every example is finished (TF 1.15's `tf.contrib.seq2seq.dynamic_decode`).

    Args:
      decoder: the `Decoder`.
      output_time_major: whether time comes first in the outputs.
      impute_finished: whether finished examples put out zeros and keep their state.
      maximum_iterations: bound on the number of steps: an int or a scalar tensor, or None.
      parallel_iterations: how many steps may run at the same time.
      swap_memory: whether tensors that the gradient needs may move to the host.
      scope: a name or a variable scope; `"decoder"`, numbered, by default.

    Returns:
      `(final_outputs, final_state, final_sequence_lengths)`: outputs `[batch, time, …]` in the structure of
      `decoder.output_size`, and the int32 lengths.

    Raises:
      TypeError: `decoder` is no `Decoder`.
      ValueError: `maximum_iterations` is not a scalar.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with variable_scope(scope, "decoder") as varscope:
        if maximum_iterations is not None:
            maximum_iterations = tf.convert_to_tensor(maximum_iterations, tf.int32)
            if maximum_iterations.shape.rank != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        if maximum_iterations is not None:
            finished = tf.logical_or(finished, maximum_iterations <= 0)
        body = _Body(decoder, varscope, impute_finished)
        _, arrays, state, _, _, lengths = tf.while_loop(
            lambda time, arrays, state, inputs, finished, lengths: tf.logical_not(tf.reduce_all(finished)),
            body,
            (tf.constant(0), body.arrays(), state, inputs, finished, tf.zeros_like(finished, tf.int32)),
            parallel_iterations=parallel_iterations,
            maximum_iterations=maximum_iterations,
            swap_memory=swap_memory,
        )
        outputs = tf.nest.map_structure(lambda array: array.stack(), arrays)
        # Most decoders have nothing to add at the end.
        with contextlib.suppress(NotImplementedError):
            outputs, state = decoder.finalize(outputs, state, lengths)
        if not output_time_major:
            outputs = tf.nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths


class _Body:
    """One step of the loop."""

    def __init__(self, decoder: Decoder, varscope: Any, impute_finished: bool) -> None:
        self._decoder = decoder
        self._varscope = varscope
        self._impute_finished = impute_finished
        self._stepped = False
        self._zeros = tf.nest.map_structure(
            lambda size, dtype: batched_zeros(decoder.batch_size, size, dtype),
            decoder.output_size,
            decoder.output_dtype,
        )

    def arrays(self) -> Any:
        """Empty arrays for the outputs."""
        decoder = self._decoder

        def array(size: Any, dtype: Any) -> tf.TensorArray:
            shape = None
            if isinstance(size, tf.TensorShape) and size.rank != 0:
                shape = batched_shape(decoder.batch_size, size)
            return tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=shape)

        return tf.nest.map_structure(array, decoder.output_size, decoder.output_dtype)

    def __call__(self, time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Any:
        if self._stepped:
            # An eager loop takes the step again and again, where a graph builds it once.
            self._varscope.reuse_variables()
        self._stepped = True
        outputs, next_state, next_inputs, now_finished = self._decoder.step(time, inputs, state)
        if not self._decoder.tracks_own_finished:
            now_finished = tf.logical_or(now_finished, finished)
        tf.nest.assert_same_structure(state, next_state)
        tf.nest.assert_same_structure(arrays, outputs)
        tf.nest.assert_same_structure(inputs, next_inputs)
        if self._impute_finished:
            outputs = keep_finished(finished, self._zeros, outputs)
            next_state = keep_finished(finished, state, next_state)
        written = tf.nest.map_structure(lambda array, output: array.write(time, output), arrays, outputs)
        lengths = tf.where(finished, lengths, tf.fill(tf.shape(lengths), time + 1))
        return time + 1, written, next_state, next_inputs, now_finished, lengths
