"""Summaries as serialized protos: tensors of strings, made by TF1's own kernels."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import tensorflow as tf
from google.protobuf import json_format
from tensorflow.core.framework.summary_pb2 import SummaryMetadata

from .. import variables as tf1
from ..bridge.v1 import SummaryDescription
from .tags import collect, summary_scope

_SUMMARIES = (tf1.GraphKeys.SUMMARIES,)


def scalar(name: str, tensor: Any, collections: Iterable[str] | None = None, family: str | None = None) -> tf.Tensor:
    """A summary of one number. Stands for ``tf.summary.scalar``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> merged = compat.summary.merge([compat.summary.scalar("loss", tf.constant(0.5))])
    >>> summary = tf.compat.v1.Summary.FromString(session.run(merged))
    >>> summary.value[0].tag, summary.value[0].simple_value
    ('loss', 0.5)

    Args:
        name: the tag, below the open name scopes; numbered where it was used before.
        tensor: a real scalar.
        collections: which collections it joins, ``SUMMARIES`` by default.
        family: a prefix of the tag that TensorBoard groups by.

    Returns:
        A scalar string tensor: a serialized ``Summary``.
    """
    with summary_scope(name, family) as (tag, scope):
        values = tf.convert_to_tensor(tensor)
        summary = tf.raw_ops.ScalarSummary(tags=tag, values=values, name=scope)
        collect(summary, collections, _SUMMARIES)
    return summary


def histogram(name: str, values: Any, collections: Iterable[str] | None = None, family: str | None = None) -> tf.Tensor:
    """A summary of the distribution of values. Stands for ``tf.summary.histogram``.

    Args:
        name, collections, family: as for :func:`scalar`.
        values: a real tensor of any shape.

    Raises:
        tf.errors.InvalidArgumentError: a value is not finite.
    """
    with summary_scope(name, family, "HistogramSummary") as (tag, scope):
        summary = tf.raw_ops.HistogramSummary(tag=tag, values=tf.convert_to_tensor(values), name=scope)
        collect(summary, collections, _SUMMARIES)
    return summary


def image(
    name: str,
    tensor: Any,
    max_outputs: int = 3,
    collections: Iterable[str] | None = None,
    family: str | None = None,
) -> tf.Tensor:
    """A summary of images, as PNG. Stands for ``tf.summary.image``.

    Floats are scaled to 0…255 image by image: by the largest value, and around 127 where some are negative.

    Args:
        name, collections, family: as for :func:`scalar`; tags end with ``/image/0``, …, or ``/image`` for one.
        tensor: ``[batch, height, width, channels]`` with 1, 3 or 4 channels; uint8, float16, float32 or float64.
        max_outputs: how many images of the batch.
    """
    with summary_scope(name, family) as (tag, scope):
        values = tf.convert_to_tensor(tensor)
        if tf.executing_eagerly():
            summary = _eager_image_summary(tag, max_outputs)(values)
        else:
            summary = tf.raw_ops.ImageSummary(tag=tag, tensor=values, max_images=max_outputs, name=scope)
        collect(summary, collections, _SUMMARIES)
    return summary


def audio(
    name: str,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Iterable[str] | None = None,
    family: str | None = None,
) -> tf.Tensor:
    """A summary of sounds, as WAV. Stands for ``tf.summary.audio``.

    Args:
        name, collections, family: as for :func:`scalar`; tags end with ``/audio/0``, …, or ``/audio`` for one.
        tensor: float32, ``[batch, frames]`` or ``[batch, frames, channels]``, between -1 and 1.
        sample_rate: frames a second, a number or scalar tensor.
        max_outputs: how many sounds of the batch.
    """
    with summary_scope(name, family) as (tag, scope):
        rate = tf.convert_to_tensor(sample_rate, tf.float32, name="sample_rate")
        summary = tf.raw_ops.AudioSummaryV2(
            tag=tag, tensor=tf.convert_to_tensor(tensor), sample_rate=rate, max_outputs=max_outputs, name=scope
        )
        collect(summary, collections, _SUMMARIES)
    return summary


def text(name: str, tensor: Any, collections: Iterable[str] | None = None) -> tf.Tensor:
    """A summary of strings, that TensorBoard shows as Markdown. Stands for ``tf.summary.text``.

    Raises:
        ValueError: ``tensor`` is not of strings.
    """
    tensor = tf.convert_to_tensor(tensor)
    if tensor.dtype != tf.string:
        label = "tensor" if tf.executing_eagerly() else f"tensor {tensor.name}"
        raise ValueError(f"Expected {label} to have dtype string, got {tensor.dtype}")
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
    return tensor_summary(name, tensor, summary_metadata=metadata, collections=collections)


def tensor_summary(
    name: str,
    tensor: Any,
    summary_description: Any = None,
    collections: Iterable[str] | None = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> tf.Tensor:
    """A summary of any tensor as it is. Stands for ``tf.summary.tensor_summary``.

    Args:
        name, collections, family: as for :func:`scalar`.
        tensor: the tensor.
        summary_description: text about it.
        summary_metadata: a ``SummaryMetadata``, which says what plugin shows it.
        display_name: what TensorBoard shows in place of the tag.
    """
    metadata = SummaryMetadata()
    if summary_metadata is not None:
        metadata.CopyFrom(summary_metadata)
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    with summary_scope(name, family) as (tag, scope):
        summary = tf.raw_ops.TensorSummaryV2(
            tag=tag,
            tensor=tf.convert_to_tensor(tensor),
            serialized_summary_metadata=metadata.SerializeToString(),
            name=scope,
        )
        collect(summary, collections, _SUMMARIES)
    return summary


@functools.lru_cache(maxsize=128)
def _eager_image_summary(tag: str, max_outputs: int) -> Any:
    # The kernel has a tensor among its attributes (the color of NaN), which the eager runtime cannot pass.
    return tf.function(
        lambda values: tf.raw_ops.ImageSummary(tag=tag, tensor=values, max_images=max_outputs),
        autograph=False,
        reduce_retracing=True,
    )


def get_summary_description(node_def: Any) -> Any:
    """The ``SummaryDescription`` in the node of a ``TensorSummary``. Stands for ``tf.summary.get_summary_description``.

    Raises:
        ValueError: the node is another operation.
    """
    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    description = SummaryDescription()
    json_format.Parse(node_def.attr["description"].s.decode(), description)
    return description
