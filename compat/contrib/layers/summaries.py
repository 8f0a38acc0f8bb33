"""Summaries of tensors and collections."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from ... import summary
from ...variables.collection import get_collection
from ...variables.graph_keys import GraphKeys


def _name(tensor: Any) -> str:
    return str(tensor.name).partition(":")[0]


def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """A scalar's or any other tensor's summary; None for strings and booleans.

    Stands for ``tf.contrib.layers.summarize_tensor``. The tag is the tensor's name with ``_summary`` unless given.
    """
    if tensor.dtype in (tf.string, tf.bool):
        return None
    tag = tag or f"{_name(tensor)}_summary"
    return summary.scalar(tag, tensor) if tensor.shape.rank == 0 else summary.histogram(tag, tensor)


def summarize_activation(op: Any) -> Any:
    """A histogram of an activation, and the share of zeros and sixes of a relu.

    Stands for ``tf.contrib.layers.summarize_activation``.
    """
    kind, name = op.op.type, _name(op)
    before: Any = op.op.inputs[0] if kind in ("Relu", "Softplus", "Relu6") else None
    if before is not None:
        below = tf.cast(tf.less(before, tf.cast(0.0, before.dtype)), tf.float32)
        summary.scalar(f"{name}/zeros", tf.reduce_mean(below))
    if kind == "Relu6":
        above = tf.cast(tf.greater(before, tf.cast(6.0, before.dtype)), tf.float32)
        summary.scalar(f"{name}/sixes", tf.reduce_mean(above))
    return summary.histogram(f"{name}/activation", op)


def summarize_tensors(tensors: Iterable[Any], summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """Summaries of several tensors. Stands for ``tf.contrib.layers.summarize_tensors``."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_tensor
) -> list[Any]:
    """Summaries of a collection, of those whose names match. Stands for ``tf.contrib.layers.summarize_collection``."""
    members = [each for each in get_collection(collection) if not name_filter or re.match(name_filter, _name(each))]
    return summarize_tensors(members, summarizer)


summarize_variables = functools.partial(summarize_collection, GraphKeys.GLOBAL_VARIABLES)
summarize_weights = functools.partial(summarize_collection, GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, GraphKeys.BIASES)


def summarize_activations(
    name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_activation
) -> list[Any]:
    """Summaries of the collection ``ACTIVATIONS``. Stands for ``tf.contrib.layers.summarize_activations``."""
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)
