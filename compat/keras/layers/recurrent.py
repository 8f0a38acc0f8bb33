"""Recurrent layers of Keras with TF 1.15's defaults.

TF 1.15's gates are `hard_sigmoid`s unless told otherwise, Keras 3's are `sigmoid`s; its GRU applies the reset gate
before the matrix product, Keras 3's behind it. Weights have the same shapes and order.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..activations.hard_sigmoid import hard_sigmoid

__all__ = ["GRU", "LSTM", "ConvLSTM2D", "GRUCell", "LSTMCell"]

_register = tf.keras.utils.register_keras_serializable("compat")


def _meant(activation: Any) -> Any:
    """An activation as TF 1.15 understood it: `hard_sigmoid` is another function in Keras 3."""
    return hard_sigmoid if activation == "hard_sigmoid" else activation


def _left(words: dict[str, Any]) -> dict[str, Any]:
    """The keywords without `implementation`, which chose between ways to compute the same."""
    return {word: value for word, value in words.items() if word != "implementation"}


@_register
class LSTMCell(tf.keras.layers.LSTMCell):  # type: ignore[misc]
    """`tf.keras.layers.LSTMCell` of TF 1.15.

    Args:
      units: size of output and state.
      activation, recurrent_activation: of the candidate, and of the gates.
      *args, **kwargs: of `tf.keras.layers.LSTMCell`, in the same order.

    Example:
      >>> cell = LSTMCell(4)
      >>> output, (h, c) = cell(tf.ones([2, 3]), [tf.zeros([2, 4])] * 2)
      >>> output.shape
      TensorShape([2, 4])
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(units, _meant(activation), _meant(recurrent_activation), *args, **_left(kwargs))


@_register
class LSTM(tf.keras.layers.LSTM):  # type: ignore[misc]
    """`tf.keras.layers.LSTM` of TF 1.15.

    Args:
      units: size of output and state.
      activation, recurrent_activation: of the candidate, and of the gates.
      *args, **kwargs: of `tf.keras.layers.LSTM`, in the same order.

    Example:
      >>> LSTM(4)(tf.ones([2, 5, 3])).shape
      TensorShape([2, 4])
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(units, _meant(activation), _meant(recurrent_activation), *args, **_left(kwargs))


@_register
class GRUCell(tf.keras.layers.GRUCell):  # type: ignore[misc]
    """`tf.keras.layers.GRUCell` of TF 1.15.

    Args:
      units: size of output and state.
      activation, recurrent_activation: of the candidate, and of the gates.
      *args: of `tf.keras.layers.GRUCell`, in the same order.
      reset_after: whether the reset gate is applied behind the matrix product.
      **kwargs: of `tf.keras.layers.GRUCell`.

    Example:
      >>> output, _ = GRUCell(4)(tf.ones([2, 3]), tf.zeros([2, 4]))
      >>> output.shape
      TensorShape([2, 4])
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        *args: Any,
        reset_after: bool = False,
        **kwargs: Any,
    ) -> None:
        gates = _meant(recurrent_activation)
        super().__init__(units, _meant(activation), gates, *args, reset_after=reset_after, **_left(kwargs))


@_register
class GRU(tf.keras.layers.GRU):  # type: ignore[misc]
    """`tf.keras.layers.GRU` of TF 1.15.

    Args:
      units: size of output and state.
      activation, recurrent_activation: of the candidate, and of the gates.
      *args: of `tf.keras.layers.GRU`, in the same order.
      reset_after: whether the reset gate is applied behind the matrix product.
      **kwargs: of `tf.keras.layers.GRU`.

    Example:
      >>> GRU(4, return_sequences=True)(tf.ones([2, 5, 3])).shape
      TensorShape([2, 5, 4])
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        *args: Any,
        reset_after: bool = False,
        **kwargs: Any,
    ) -> None:
        gates = _meant(recurrent_activation)
        super().__init__(units, _meant(activation), gates, *args, reset_after=reset_after, **_left(kwargs))


@_register
class ConvLSTM2D(tf.keras.layers.ConvLSTM2D):  # type: ignore[misc]
    """`tf.keras.layers.ConvLSTM2D` of TF 1.15.

    Args:
      filters, kernel_size: of the convolutions.
      *args: of `tf.keras.layers.ConvLSTM2D`, in the same order, up to `dilation_rate`.
      activation, recurrent_activation: of the candidate, and of the gates.
      **kwargs: of `tf.keras.layers.ConvLSTM2D`.

    Example:
      >>> ConvLSTM2D(2, 3, padding="same")(tf.ones([1, 4, 5, 5, 1])).shape
      TensorShape([1, 5, 5, 2])
    """

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        *args: Any,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        **kwargs: Any,
    ) -> None:
        kwargs.update(activation=_meant(activation), recurrent_activation=_meant(recurrent_activation))
        super().__init__(filters, kernel_size, *args, **kwargs)
