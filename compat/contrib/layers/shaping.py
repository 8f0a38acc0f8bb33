"""Layers of contrib without weights: flattening, dropout, encodings, softmax."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...layers.dropout import Dropout
from ...layers.flatten import flatten as _flatten
from ...variables.name_scope import name_scope
from ...variables.store import has_store
from ...variables.variable_scope import variable_scope
from ..framework.arg_scope import add_arg_scope
from .model_variables import model_variable_getter
from .utils import collect_named_outputs, last_dimension, layers_format


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Any:
    """Flattens all axes but the first. Stands for ``tf.contrib.layers.flatten``."""
    with name_scope(scope, "Flatten", [inputs]) as sc:
        return collect_named_outputs(outputs_collections, sc, _flatten(tf.convert_to_tensor(inputs)))


@add_arg_scope
def dropout(
    inputs: Any,
    keep_prob: Any = 0.5,
    noise_shape: Any = None,
    is_training: Any = True,
    outputs_collections: Any = None,
    scope: Any = None,
    seed: int | None = None,
) -> Any:
    """Keeps each element with probability ``keep_prob``, scaled up; in training, which it is unless said.

    Stands for ``tf.contrib.layers.dropout``.
    """
    with variable_scope(scope, "Dropout", [inputs], custom_getter=model_variable_getter) as sc:
        layer = Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc)
        outputs = layer(tf.convert_to_tensor(inputs), training=is_training)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def one_hot_encoding(
    labels: Any,
    num_classes: Any,
    on_value: float = 1.0,
    off_value: float = 0.0,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Labels ``[batch]`` to ``[batch, num_classes]``. Stands for ``tf.contrib.layers.one_hot_encoding``."""
    with name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = tf.convert_to_tensor(labels)
        labels = tf.cast(labels, tf.int64) if labels.dtype == tf.int32 else labels
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> Any:
    """Softmax over the last axis, of inputs of any rank. Stands for ``tf.contrib.layers.softmax``."""
    with variable_scope(scope, "softmax", [logits]):
        flat = tf.reshape(logits, [-1, last_dimension(logits.shape, min_rank=2)])
        predictions = tf.reshape(tf.nn.softmax(flat), tf.shape(logits))
        if not tf.executing_eagerly():
            predictions.set_shape(logits.shape)
        return predictions


@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Any = None) -> Any:
    """Scales the inputs to length one along an axis. Stands for ``tf.contrib.layers.unit_norm``.

    Raises:
        ValueError: the rank is unknown, or has no such axis.
    """
    with variable_scope(scope, "UnitNorm", [inputs]):
        rank = inputs.shape.rank
        if not rank:
            raise ValueError("The input rank must be known.")
        if not 0 <= dim < rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        return inputs / tf.sqrt(epsilon + tf.reduce_sum(tf.square(inputs), dim, keepdims=True))


@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Any = None) -> Any:
    """The maximum of each of ``num_units`` groups of features. Stands for ``tf.contrib.layers.maxout``.

    Raises:
        ValueError: the features cannot be cut into that many groups.
    """
    with variable_scope(scope, "MaxOut", [inputs]):
        inputs = tf.convert_to_tensor(inputs)
        sizes: list[Any] = inputs.shape.as_list()
        features = sizes[axis]
        if features % num_units:
            raise ValueError(f"number of features({features}) is not a multiple of num_units({num_units})")
        sizes[axis] = num_units
        actual = tf.shape(inputs)
        sizes = [actual[index] if size is None else size for index, size in enumerate(sizes)]
        return tf.reduce_max(tf.reshape(inputs, [*sizes, features // num_units]), -1)


@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: Any = None
) -> Any:
    """Images to time-major sequences of columns: ``[width, batch·height, depth]``.

    Stands for ``tf.contrib.layers.images_to_sequence``.
    """
    first = layers_format(data_format, ("NCHW", "NHWC")) == "channels_first"
    with name_scope(scope, "ImagesToSequence", [inputs]) as sc:
        inputs = tf.transpose(inputs, [0, 2, 3, 1]) if first else tf.convert_to_tensor(inputs)
        _, _, width, depth = inputs.shape.as_list()
        rows = tf.shape(inputs)[0] * tf.shape(inputs)[1]
        outputs = tf.reshape(tf.transpose(inputs, [2, 0, 1, 3]), [width, rows, depth])
        return collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def sequence_to_images(
    inputs: Any,
    height: int,
    output_data_format: str = "channels_last",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """The inverse of :func:`images_to_sequence`. Stands for ``tf.contrib.layers.sequence_to_images``."""
    with name_scope(scope, "SequenceToImages", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        width, rows, depth = inputs.shape.as_list()
        parts = tf.reshape(inputs, [width, -1 if rows is None else rows // height, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collect_named_outputs(outputs_collections, sc, tf.transpose(parts, order))


@add_arg_scope
def dense_to_sparse(tensor: Any, eos_token: Any = 0, outputs_collections: Any = None, scope: Any = None) -> Any:
    """The elements that are not ``eos_token`` as a sparse tensor. Stands for ``tf.contrib.layers.dense_to_sparse``.

    It makes no variables: collections aside, it needs no store.
    """
    if not outputs_collections and not has_store():
        return _without(tf.convert_to_tensor(tensor), eos_token)
    with variable_scope(scope, "dense_to_sparse", [tensor]) as sc:
        return collect_named_outputs(outputs_collections, sc.name, _without(tf.convert_to_tensor(tensor), eos_token))


def _without(tensor: tf.Tensor, left_out: Any) -> tf.SparseTensor:
    indices = tf.where(tf.not_equal(tensor, tf.constant(left_out, tensor.dtype)))
    return tf.SparseTensor(indices, tf.gather_nd(tensor, indices), tf.shape(tensor, out_type=tf.int64))


def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """The inputs, with their gradient multiplied. Stands for ``tf.contrib.layers.scale_gradient``."""

    @tf.custom_gradient
    def scaled(value: Any, multiplier: Any) -> Any:
        return tf.identity(value), lambda gradient: (gradient * multiplier, None)

    return scaled(tf.convert_to_tensor(inputs), tf.convert_to_tensor(gradient_multiplier))
