"""Several layers in a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...variables.variable_scope import variable_scope


def _layer_name(layer: Any, default: str) -> str:
    """The name of a layer function, or of what a partial wraps."""
    return str(getattr(layer, "__name__", None) or getattr(getattr(layer, "func", None), "__name__", default))


def repeat(inputs: Any, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Applies a layer several times. Stands for ``tf.contrib.layers.repeat``.

    The scopes are numbered ``scope/scope_1``, ``scope/scope_2``, …; without ``scope`` they go by the layer's name.

    >>> net = repeat(x, 3, conv2d, 64, 3, scope="conv1")        # conv1/conv1_1/weights, …
    """
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        name = _layer_name(layer, "repeat") if scope is None else scope
        for number in range(1, repetitions + 1):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{name}_{number}"})
        return outputs


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Sequence[Any], **kwargs: Any) -> Any:
    """Applies a layer several times, each with arguments of its own. Stands for ``tf.contrib.layers.stack``.

    Args:
        stack_args: for each application the argument, or a list of them.

    Raises:
        ValueError: ``stack_args`` is neither a list nor a tuple.

    >>> net = stack(x, fully_connected, [32, 64], scope="fc")        # fc/fc_1/weights, fc/fc_2/weights
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, list | tuple):
        raise ValueError("stack_args need to be a list or tuple")
    with variable_scope(scope, "Stack", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        name = _layer_name(layer, "stack") if scope is None else scope
        for number, given in enumerate(stack_args, 1):
            arguments = given if isinstance(given, list | tuple) else [given]
            outputs = layer(outputs, *arguments, **{**kwargs, "scope": f"{name}_{number}"})
        return outputs
