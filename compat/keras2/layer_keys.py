"""What a layer says of itself: TF 1.15's layers had fewer arguments, and classes of programs that derive from them take
no others: `cls(**layer.get_config())`, which is how a model is read from a file.

  >>> from compat.keras2 import layers
  >>> "groups" in layers.Conv2D(2, 3).get_config()
  False
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from tf_keras.src.engine.input_layer import InputLayer
from tf_keras.src.layers import locally_connected, regularization
from tf_keras.src.layers.convolutional.base_conv import Conv
from tf_keras.src.layers.convolutional.base_separable_conv import SeparableConv
from tf_keras.src.layers.pooling.base_global_pooling1d import GlobalPooling1D
from tf_keras.src.layers.pooling.base_global_pooling2d import GlobalPooling2D
from tf_keras.src.layers.pooling.base_global_pooling3d import GlobalPooling3D
from tf_keras.src.layers.rnn import base_conv_rnn, base_rnn

__all__ = ["forget_those_of_tensorflow", "install"]

_ANY = object()
_NOISE = (regularization.GaussianNoise, regularization.GaussianDropout, regularization.AlphaDropout)
_LATER: dict[type, dict[str, Any]] = {
    Conv: {"groups": 1},
    InputLayer: {"optional": False},
    **{pooling: {"keepdims": False} for pooling in (GlobalPooling1D, GlobalPooling2D, GlobalPooling3D)},
    **{noise: {"seed": None} for noise in _NOISE},
}
_OF_TENSORFLOW: dict[type, dict[str, Any]] = {
    InputLayer: {"ragged": False},
    SeparableConv: dict.fromkeys(("kernel_initializer", "kernel_regularizer", "kernel_constraint"), _ANY),
    base_rnn.RNN: {"time_major": False},
    base_conv_rnn.ConvRNN: {"time_major": False},
    locally_connected.LocallyConnected1D: {"implementation": 1, "data_format": "channels_last"},
    locally_connected.LocallyConnected2D: {"implementation": 1},
}


def _without(get_config: Callable[[Any], dict[str, Any]], later: Mapping[str, Any]) -> Callable[[Any], dict[str, Any]]:
    @functools.wraps(get_config)
    def config(self: Any) -> dict[str, Any]:
        found = get_config(self)
        return {key: value for key, value in found.items() if later.get(key, found) not in (value, _ANY)}

    return config


def _shorten(table: Mapping[type, Mapping[str, Any]]) -> None:
    for owner, later in table.items():
        owner.get_config = _without(owner.get_config, later)  # type: ignore[attr-defined]


def install() -> None:
    """Leaves out the arguments that came after TF 1.15, where they say nothing."""
    _shorten(_LATER)


def forget_those_of_tensorflow() -> None:
    """Leaves out those too that TensorFlow's own Keras had, and the stand-alone package had not."""
    _shorten(_OF_TENSORFLOW)
