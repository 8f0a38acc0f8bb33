"""The steps of the forward algorithm and of Viterbi's."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...nn.rnn_cell.base import RNNCell


class _OverTags(RNNCell):
    """A cell without variables whose state and outputs are one number for each tag."""

    def __init__(self, transition_params: Any) -> None:
        super().__init__()
        self._transition_params = tf.expand_dims(transition_params, 0)
        self._num_tags = tf.TensorShape(transition_params.shape)[0]

    @property
    def state_size(self) -> Any:
        return self._num_tags

    @property
    def output_size(self) -> Any:
        return self._num_tags

    def _arriving(self, state: tf.Tensor) -> tf.Tensor:
        """Scores `[batch, from, to]`."""
        return tf.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_OverTags):
    """One step of the forward algorithm (TF 1.15's `tf.contrib.crf.CrfForwardRnnCell`).

    Args:
      transition_params: `[tags, tags]`, from row to column.
    """

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        alphas = inputs + tf.reduce_logsumexp(self._arriving(state), [1])
        return alphas, alphas


class CrfDecodeForwardRnnCell(_OverTags):
    """One step of Viterbi's algorithm; puts out back pointers (`tf.contrib.crf.CrfDecodeForwardRnnCell`, TF 1.15).

    Args:
      transition_params: `[tags, tags]`, from row to column.
    """

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        arriving = self._arriving(state)
        return tf.argmax(arriving, 1, output_type=tf.int32), inputs + tf.reduce_max(arriving, [1])


class CrfDecodeBackwardRnnCell(RNNCell):
    """Follows back pointers `[batch, tags]` (TF 1.15's `tf.contrib.crf.CrfDecodeBackwardRnnCell`).

    Args:
      num_tags: number of tags.
    """

    def __init__(self, num_tags: int) -> None:
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self) -> Any:
        return 1

    @property
    def output_size(self) -> Any:
        return 1

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        tags = tf.gather(inputs, state, batch_dims=1)
        return tags, tags
