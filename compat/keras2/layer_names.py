"""Names of unnamed layers and optimizers: TF 1.15 took a digit for a small letter, `conv_lst_m2d` for `ConvLSTM2D`."""

from __future__ import annotations

import re

from tf_keras.src.engine import base_layer, base_layer_v1
from tf_keras.src.utils import generic_utils

__all__ = ["install"]

_WORD, _BORDER = re.compile("(.)([A-Z][a-z0-9]+)"), re.compile("([a-z])([A-Z])")


def _snake_case(name: str) -> str:
    """The name of a class as TF 1.15 wrote it for its objects."""
    found = _BORDER.sub(r"\1_\2", _WORD.sub(r"\1_\2", name)).lower()
    return f"private{found}" if found.startswith("_") else found


def install() -> None:
    """Has Keras name its objects so; files of weights and checkpoints hold these names."""
    for module in (generic_utils, base_layer, base_layer_v1):
        module.to_snake_case = _snake_case
