"""What TF 1.15's Keras computed and `tf_keras` computes otherwise: losses, their names and masks, decoding, optimizers.

`tf_keras` keeps the names of TF 1.15, but a later release gave some of them another meaning: a softmax under
`binary_crossentropy` is taken for a sigmoid, `cosine_similarity` has the other sign, a masked loss is divided by what
the mask leaves. In a process that imports `compat.keras2` they mean what they did.
"""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf
from tf_keras.src import backend, losses, metrics
from tf_keras.src import optimizers as _optimizers
from tf_keras.src.layers.normalization import batch_normalization
from tf_keras.src.optimizers.legacy import adagrad
from tf_keras.src.utils import losses_utils

from .. import nn

__all__ = ["BACKEND", "LOSSES", "METRICS", "OPTIMIZERS", "decoded_paths", "install"]

_NAMES = {"kl_divergence": "kullback_leibler_divergence", "log_cosh": "logcosh"}
_ALIASES = ("cosine", "cosine_proximity", "cosine_similarity")


def cosine_proximity(y_true: Any, y_pred: Any, axis: int = -1) -> tf.Tensor:
    """The cosine of labels and predictions, as a loss too: TF 1.15 did not turn its sign."""
    return tf.reduce_sum(tf.nn.l2_normalize(y_true, axis=axis) * tf.nn.l2_normalize(y_pred, axis=axis), axis=axis)


def huber_loss(y_true: Any, y_pred: Any, delta: float = 1.0) -> tf.Tensor:
    """The Huber loss of each element: TF 1.15 took no mean over the last axis."""
    kind = backend.floatx()
    error = tf.abs(tf.cast(y_pred, kind) - tf.cast(y_true, kind))
    near = tf.minimum(error, tf.cast(delta, kind))
    return 0.5 * near * near + tf.cast(delta, kind) * (error - near)


def _logits(output: Any, from_logits: bool, kind: str, name: str) -> tuple[Any, bool]:
    """What an activation was given, where the output is that activation's own operation; else the output itself."""
    del name
    op = None if isinstance(output, tf.__internal__.EagerTensor | tf.Variable) else getattr(output, "op", None)
    if from_logits or op is None or op.type != kind:
        return output, from_logits
    return op.inputs[0], True


def _masked(per_example: Any, weights: Any, mask: Any, reduction: Any) -> Any:
    """The weights of examples under a mask: those that it hides count as examples of the loss zero."""
    del reduction
    if mask is None:
        return weights
    return losses_utils.apply_mask(per_example, weights, tf.cast(mask, per_example.dtype))


def decoded_paths(
    y_pred: Any, input_length: Any, greedy: bool, beam_width: int, top_paths: int, merge_repeated: bool
) -> tuple[list[tf.Tensor], tf.Tensor]:
    """The likeliest path, or the best of a beam, with -1 behind their ends, and their logarithmic probabilities."""
    scores = tf.math.log(tf.transpose(y_pred, perm=[1, 0, 2]) + backend.epsilon())
    lengths = tf.cast(input_length, tf.int32)
    if greedy:
        decoded, probability = tf.nn.ctc_greedy_decoder(scores, lengths)
    else:
        decoded, probability = nn.ctc_beam_search_decoder(
            scores, lengths, beam_width=beam_width, top_paths=top_paths, merge_repeated=merge_repeated
        )
    return [tf.sparse.to_dense(path, default_value=-1) for path in decoded], probability


def _ctc_decode(
    y_pred: Any, input_length: Any, greedy: bool = True, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[tf.Tensor], tf.Tensor]:
    """`K.ctc_decode` of TF 1.15: its beam merges repeated labels."""
    return decoded_paths(y_pred, input_length, greedy, beam_width, top_paths, merge_repeated=True)


@classmethod  # type: ignore[misc]
def _adagrad(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    """An Adagrad that a text or a configuration names: its accumulators begin at 0, where it does not say otherwise."""
    del custom_objects
    found = {"initial_accumulator_value": 0.0, **config}
    if "lr" in found:
        found["learning_rate"] = found.pop("lr")
    return cls(**found)


def _unmasked(self: Any, inputs: Any, training: Any = None) -> Any:
    """Batch normalization counts masked steps like others, as it did in TF 1.15."""
    return _normalized(self, inputs, training=training)


def _binary_accuracy(self: Any, name: str = "binary_accuracy", dtype: Any = None, threshold: float = 0.5) -> None:
    """A metric of means over the last axis: a vector counts as one value, however long it is."""
    _mean_of(self, metrics.binary_accuracy, name, dtype=dtype, threshold=threshold)


@functools.wraps(_optimizers.get)
def _optimizer(identifier: Any, **kwargs: Any) -> Any:
    """The optimizer of TF 1.15 that a text or a configuration names, also where a program runs eagerly."""
    return _get(identifier, **{"use_legacy_optimizer": True, **kwargs})


BACKEND = {"ctc_decode": _ctc_decode}
LOSSES = {**dict.fromkeys(_ALIASES, cosine_proximity), "huber": huber_loss, "huber_loss": huber_loss}
METRICS = dict.fromkeys(_ALIASES, cosine_proximity)
OPTIMIZERS = {"get": _optimizer}
_get = _optimizers.get
_mean_of = metrics.MeanMetricWrapper.__init__
_normalized = batch_normalization.BatchNormalizationBase.call


def install() -> None:
    """Has `tf_keras` mean what TF 1.15 did, from now on in this process."""
    backend._get_logits = _logits
    losses_utils.apply_valid_mask = _masked
    adagrad.Adagrad.from_config = _adagrad
    batch_normalization.BatchNormalizationBase.call = _unmasked
    metrics.BinaryAccuracy.__init__ = _binary_accuracy
    _optimizers.get = _optimizer
    for name, old in _NAMES.items():
        getattr(losses, name).__name__ = old
    for module, instead in ((backend, BACKEND), (losses, LOSSES), (metrics, METRICS)):
        for name, function in instead.items():
            setattr(module, name, function)
