"""Recurrent layers of Keras with TF 1.15's defaults.

TF 1.15's gates are `hard_sigmoid`s unless told otherwise, Keras 3's are `sigmoid`s; its GRU applies the reset gate
before the matrix product, Keras 3's behind it. Weights have the same shapes and order.
"""

from __future__ import annotations

import inspect
from typing import Any

import tensorflow as tf

from ..activations.hard_sigmoid import hard_sigmoid

__all__ = ["GRU", "LSTM", "ConvLSTM2D", "GRUCell", "LSTMCell"]

_register = tf.keras.utils.register_keras_serializable("compat")
_DEFAULTS = {"activation": "tanh", "recurrent_activation": "hard_sigmoid", "reset_after": False}


class _AsInTF1:
    """Makes the Keras layer that a class derives from with TF 1.15's defaults; takes its arguments, in their order.

    `implementation`, which chose between ways to compute the same, is taken and not used.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.pop("implementation", None)
        signature = inspect.signature(super().__init__)
        given = signature.bind_partial(*args, **kwargs).arguments
        words = {word: default for word, default in _DEFAULTS.items() if word in signature.parameters}
        words.update(given.pop("kwargs", {}), **given)
        for word in ("activation", "recurrent_activation"):
            words[word] = hard_sigmoid if words[word] == "hard_sigmoid" else words[word]  # Keras 3 has another one
        super().__init__(**words)


@_register
class LSTMCell(_AsInTF1, tf.keras.layers.LSTMCell):  # type: ignore[misc]
    """`tf.keras.layers.LSTMCell` of TF 1.15.

    Example:
      >>> cell = LSTMCell(4)
      >>> output, (h, c) = cell(tf.ones([2, 3]), [tf.zeros([2, 4])] * 2)
      >>> output.shape
      TensorShape([2, 4])
    """


@_register
class LSTM(_AsInTF1, tf.keras.layers.LSTM):  # type: ignore[misc]
    """`tf.keras.layers.LSTM` of TF 1.15.

    Example:
      >>> LSTM(4)(tf.ones([2, 5, 3])).shape
      TensorShape([2, 4])
    """


@_register
class GRUCell(_AsInTF1, tf.keras.layers.GRUCell):  # type: ignore[misc]
    """`tf.keras.layers.GRUCell` of TF 1.15.

    Example:
      >>> output, _ = GRUCell(4)(tf.ones([2, 3]), tf.zeros([2, 4]))
      >>> output.shape
      TensorShape([2, 4])
    """


@_register
class GRU(_AsInTF1, tf.keras.layers.GRU):  # type: ignore[misc]
    """`tf.keras.layers.GRU` of TF 1.15.

    Example:
      >>> GRU(4, return_sequences=True)(tf.ones([2, 5, 3])).shape
      TensorShape([2, 5, 4])
    """


@_register
class ConvLSTM2D(_AsInTF1, tf.keras.layers.ConvLSTM2D):  # type: ignore[misc]
    """`tf.keras.layers.ConvLSTM2D` of TF 1.15.

    Example:
      >>> ConvLSTM2D(2, 3, padding="same")(tf.ones([1, 4, 5, 5, 1])).shape
      TensorShape([1, 5, 5, 2])
    """
