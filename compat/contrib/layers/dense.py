"""Fully connected layers of contrib."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...initializers import zeros_initializer
from ...layers.dense import Dense
from ...variables.collection import add_to_collections
from ...variables.graph_keys import GraphKeys
from ...variables.lookup import get_variable
from ...variables.variable_scope import variable_scope
from ..framework.arg_scope import add_arg_scope
from .initializers import XAVIER
from .model_variables import add_variable_to_collections, build_variable_getter
from .utils import collect_named_outputs

RENAMED = {"bias": "biases", "kernel": "weights"}


@add_arg_scope
def fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Callable[..., Any] | None = tf.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Any = XAVIER,
    weights_regularizer: Any = None,
    biases_initializer: Any = zeros_initializer,
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """``activation_fn(inputs · weights + biases)``. Stands for ``tf.contrib.layers.fully_connected``.

    Variables ``weights`` ``[inputs, num_outputs]`` and ``biases`` ``[num_outputs]`` in the scope ``fully_connected``,
    or the one named.

    Args:
        inputs: a tensor ``[..., inputs]``.
        activation_fn: relu unless said; None for none.
        normalizer_fn: used instead of biases, with ``normalizer_params``.
        variables_collections: collections for all variables, or a dict of them by the variable's name.
        outputs_collections: collections for the output, under the scope's name.

    Raises:
        ValueError: ``num_outputs`` is not an int, or the last axis is unknown.

    >>> with store:
    ...     net = compat.contrib.layers.fully_connected(tf.ones([1, 8]), 64, scope="fc1")
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of [int], got {type(num_outputs)}.")
    getter = build_variable_getter(RENAMED)
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = Dense(
            units=num_outputs,
            use_bias=bool(not normalizer_fn and biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer(inputs)
        add_variable_to_collections(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_variable_to_collections(layer.bias, variables_collections, "biases")
        outputs = finish(outputs, normalizer_fn, normalizer_params, activation_fn)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


def finish(
    outputs: Any,
    normalizer_fn: Callable[..., Any] | None,
    normalizer_params: dict[str, Any] | None,
    activation_fn: Callable[..., Any] | None,
) -> Any:
    """Normalizes and activates the outputs of a layer."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    return outputs if activation_fn is None else activation_fn(outputs)


def legacy_fully_connected(
    x: Any,
    num_output_units: int,
    activation_fn: Callable[..., Any] | None = None,
    weight_init: Any = XAVIER,
    bias_init: Any = zeros_initializer,
    name: str | None = None,
    weight_collections: Any = (GraphKeys.WEIGHTS,),
    bias_collections: Any = (GraphKeys.BIASES,),
    output_collections: Any = (GraphKeys.ACTIVATIONS,),
    trainable: bool = True,
    weight_regularizer: Any = None,
    bias_regularizer: Any = None,
) -> Any:
    """The first fully connected layer of contrib, with ``weights`` and ``bias``.

    Stands for ``tf.contrib.layers.legacy_fully_connected``.

    Raises:
        ValueError: inputs of rank below 2, or with an unknown last axis.
    """
    with variable_scope(name, "fully_connected", [x]):
        x = tf.convert_to_tensor(x)
        if x.shape.rank is None:
            raise ValueError("dims of x must be known but is None")
        if x.shape.rank < 2:
            raise ValueError(f"rank of x must be at least 2 not: {x.shape.rank}")
        size = x.shape[-1]
        if size is None:
            raise ValueError("last dimension of x must be known but is None")
        make = functools.partial(get_variable, dtype=x.dtype, trainable=trainable)
        weights = make(
            "weights",
            shape=[size, num_output_units],
            initializer=weight_init,
            collections=[*(weight_collections or []), GraphKeys.GLOBAL_VARIABLES],
            regularizer=weight_regularizer,
        )
        y = tf.matmul(x if x.shape.rank <= 2 else tf.reshape(x, [-1, size]), weights)
        if bias_init is not None:
            bias = make(
                "bias",
                shape=[num_output_units],
                initializer=bias_init,
                collections=[*(bias_collections or []), GraphKeys.GLOBAL_VARIABLES],
                regularizer=bias_regularizer,
            )
            y = tf.nn.bias_add(y, bias)
        if x.shape.rank > 2:
            y = tf.reshape(y, tf.concat([tf.shape(x)[:-1], [num_output_units]], 0))
            y.set_shape(x.shape[:-1].concatenate(num_output_units))
        y = y if activation_fn is None else activation_fn(y)
        add_to_collections([*(output_collections or []), GraphKeys.ACTIVATIONS], y)
        return y


elu = functools.partial(fully_connected, activation_fn=tf.nn.elu)
relu = functools.partial(fully_connected, activation_fn=tf.nn.relu)
relu6 = functools.partial(fully_connected, activation_fn=tf.nn.relu6)
linear = functools.partial(fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=tf.nn.relu)
legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
