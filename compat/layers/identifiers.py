"""Initializers, activations and regularizers given by name, as ``tf.layers`` took them."""

from __future__ import annotations

import inspect
from typing import Any

import tensorflow as tf

from .. import initializers

_ACTIVATIONS = {
    "linear": None,
    "elu": "elu",
    "exponential": "exp",
    "relu": "relu",
    "selu": "selu",
    "sigmoid": "sigmoid",
    "softmax": "softmax",
    "softplus": "softplus",
    "softsign": "softsign",
    "tanh": "tanh",
}


def initializer_for(identifier: Any) -> Any:
    """The initializer itself, or the one of that TF1 name (``"zeros"``, ``"glorot_uniform"``, …).

    Raises:
        ValueError: an unknown name.
    """
    if not isinstance(identifier, str):
        return identifier() if inspect.isclass(identifier) else identifier
    name = identifier.lower()
    found = getattr(initializers, name, None) if name in initializers.__all__ else None
    if found is None:
        raise ValueError(f"Unknown initializer: {identifier}")
    return found()


def activation_for(identifier: Any) -> Any:
    """The activation function itself, or the one of that name; None for none.

    Raises:
        ValueError: an unknown name.
    """
    if not isinstance(identifier, str):
        return identifier
    if identifier not in _ACTIVATIONS:
        raise ValueError(f"Unknown activation function: {identifier}")
    name = _ACTIVATIONS[identifier]
    if name is None:
        return None
    return getattr(tf if name == "exp" else tf.nn, name)
