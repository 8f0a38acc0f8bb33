"""Arguments in the order that TF 1.15 took them: `tf_keras` has put newer ones between them, and dropped some names.

>>> from compat.keras2 import layers
>>> layers.Conv2D(4, 3, (1, 1), "same", None, (1, 1), "relu").activation.__name__
'relu'
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf_keras.src import losses, metrics
from tf_keras.src.engine import training
from tf_keras.src.layers import rnn
from tf_keras.src.layers.convolutional import conv1d, conv2d, conv3d, conv3d_transpose, depthwise_conv2d
from tf_keras.src.layers.rnn import gru_v1, lstm_v1
from tf_keras.src.preprocessing import image, text
from tf_keras.src.saving.legacy import serialization

__all__ = ["FUNCTIONS", "install"]

_KERNELS = (
    "activation use_bias kernel_initializer bias_initializer kernel_regularizer bias_regularizer activity_regularizer"
    " kernel_constraint bias_constraint"
)
_RECURRENT = "implementation return_sequences return_state go_backwards stateful unroll reset_after"
# Classes, how many arguments stand before the first that moved, and the names of those behind.
_MOVED: tuple[tuple[tuple[type, ...], int, str], ...] = (
    ((conv1d.Conv1D, conv2d.Conv2D, conv3d.Conv3D), 6, _KERNELS),
    ((conv3d_transpose.Conv3DTranspose,), 6, _KERNELS),
    ((depthwise_conv2d.DepthwiseConv2D,), 5, _KERNELS.replace("kernel", "depthwise")),
    ((rnn.ConvLSTM2D,), 21, "go_backwards stateful dropout recurrent_dropout"),
    ((rnn.LSTM, lstm_v1.LSTM), 17, _RECURRENT),
    ((rnn.GRU, gru_v1.GRU), 16, _RECURRENT),
    ((rnn.LSTMCell,), 16, "implementation"),
    ((rnn.GRUCell, gru_v1.GRUCell), 15, "implementation reset_after"),
    ((losses.BinaryCrossentropy, losses.CategoricalCrossentropy), 2, "reduction name"),
    ((losses.SparseCategoricalCrossentropy,), 1, "reduction name"),
    ((metrics.SensitivityAtSpecificity, metrics.SpecificityAtSensitivity), 2, "name dtype"),
    ((metrics.SparseCategoricalCrossentropy,), 3, "axis"),
    ((image.ImageDataGenerator,), 21, "dtype"),
)


def _in_order(call: Callable[..., Any], before: int, names: tuple[str, ...]) -> Callable[..., Any]:
    """A method whose arguments behind the first `before` have these names, where they are given by place."""

    @functools.wraps(call)
    def ordered(self: Any, *args: Any, **kwargs: Any) -> Any:
        if len(args) > before + len(names):
            raise TypeError(f"{call.__qualname__} takes {before + len(names)} arguments by place, not {len(args)}")
        return call(self, *args[:before], **dict(zip(names, args[before:], strict=False)), **kwargs)

    return ordered


def _named_text(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose first argument was called `text`."""

    @functools.wraps(function)
    def called(text: Any, *args: Any, **kwargs: Any) -> Any:
        return function(text, *args, **kwargs)

    return called


_TEXT = {name: _named_text(getattr(text, name)) for name in ("one_hot", "text_to_word_sequence")}
_UTILS = {
    "deserialize_keras_object": serialization.deserialize_keras_object,
    "serialize_keras_object": serialization.serialize_keras_object,
}
FUNCTIONS = {"preprocessing.text": _TEXT, "utils": _UTILS}
"""Functions that are other ones here, by their modules and names."""


def install() -> None:
    """Has constructors take their arguments so, from now on in this process."""
    for classes, before, names in _MOVED:
        for owner in classes:
            owner.__init__ = _in_order(owner.__init__, before, tuple(names.split()))  # type: ignore[misc]
    training.Model.load_weights = _in_order(training.Model.load_weights, 1, ("by_name", "skip_mismatch"))
