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

    >>> with store:
    ...     net = repeat(tf.ones([1, 8, 8, 3]), 3, compat.contrib.layers.conv2d, 64, 3, scope="conv1")
    >>> store.variables[0].name
    'conv1/conv1_1/weights:0'
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

    >>> with store:
    ...     net = stack(tf.ones([1, 8]), compat.contrib.layers.fully_connected, [32, 64], scope="fc")
    >>> [variable.name for variable in store.variables if "weights" in variable.name]
    ['fc/fc_1/weights:0', 'fc/fc_2/weights:0']
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
