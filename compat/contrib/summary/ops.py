"""Summaries that are written where they are computed: `tf.contrib.summary.scalar` and its kin.

They go to the default writer while `always_record_summaries()` or a like condition holds, and are nothing otherwise.
Under the bridge each gives an operation to run, `all_summary_ops()` gives all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...bridge.graph import current_graph
from ...summary.tags import summary_scope
from ...train.global_step import get_or_create_global_step
from ...variables.collection import add_to_collection, get_collection
from ...variables.store import built_graph
from .recording import default_writer, should_record_summaries

_OPERATIONS = "_SUMMARY_V2"


def _write(name: str, family: str | None, write: Callable[[tf.Tensor, str], Any]) -> Any:
    writer = default_writer()
    record = False if writer is None else should_record_summaries()
    fixed = record if isinstance(record, bool) else None
    if fixed is False:
        return tf.no_op() if not tf.executing_eagerly() else None
    with summary_scope(name, family) as (tag, _), tf.device("/device:CPU:0"):

        def written() -> tf.Tensor:
            operation = write(writer.resource, tag)
            with tf.control_dependencies([operation] if operation is not None else []):
                return tf.constant(True)

        done = written() if fixed else tf.cond(record, written, lambda: tf.constant(False))
    if current_graph() is None:
        return done
    add_to_collection(_OPERATIONS, done.op)
    return done.op


def _step(step: Any) -> tf.Tensor:
    return tf.cast(tf.convert_to_tensor(get_or_create_global_step() if step is None else step), tf.int64)


def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a number; stands for `tf.contrib.summary.scalar`.

    Args:
      name: the tag, below the current name scope.
      tensor: a scalar.
      family: put before the tag.
      step: the step, the global step when None.
    """
    return _write(
        name,
        family,
        lambda writer, tag: tf.raw_ops.WriteScalarSummary(writer=writer, step=_step(step), tag=tag, value=tensor),
    )


def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a histogram of all elements; stands for `tf.contrib.summary.histogram`; arguments as in `scalar`."""
    return _write(
        name,
        family,
        lambda writer, tag: tf.raw_ops.WriteHistogramSummary(writer=writer, step=_step(step), tag=tag, values=tensor),
    )


def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> Any:
    """Writes images; stands for `tf.contrib.summary.image`.

    Args:
      tensor: `[batch, height, width, channels]`, uint8 or float.
      bad_color: of pixels that are no numbers, red when None.
      max_images: how many of the batch.
      name, family, step: as in `scalar`.
    """
    colour = tf.constant([255, 0, 0, 255], tf.uint8) if bad_color is None else bad_color
    return _write(
        name,
        family,
        lambda writer, tag: tf.raw_ops.WriteImageSummary(
            writer=writer, step=_step(step), tag=tag, tensor=tensor, bad_color=colour, max_images=max_images
        ),
    )


def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Any:
    """Writes sounds; stands for `tf.contrib.summary.audio`.

    Args:
      tensor: `[batch, frames]` or `[batch, frames, channels]`, in [-1, 1].
      sample_rate: in hertz.
      max_outputs: how many of the batch.
      name, family, step: as in `scalar`.
    """
    return _write(
        name,
        family,
        lambda writer, tag: tf.raw_ops.WriteAudioSummary(
            writer=writer, step=_step(step), tag=tag, tensor=tensor, sample_rate=sample_rate, max_outputs=max_outputs
        ),
    )


def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Writes a tensor with its metadata; stands for `tf.contrib.summary.generic`; arguments as in `scalar`."""
    serialized = "" if metadata is None else getattr(metadata, "SerializeToString", lambda: metadata)()
    return _write(
        name,
        family,
        lambda writer, tag: tf.raw_ops.WriteSummary(
            writer=writer, step=_step(step), tensor=tensor, tag=tag, summary_metadata=serialized
        ),
    )


def all_summary_ops() -> list[Any] | None:
    """The operations of all summaries of the graph; stands for `tf.contrib.summary.all_summary_ops`.

    None outside of a graph, where they have been written.
    """
    return get_collection(_OPERATIONS) if current_graph() is not None or built_graph() is not None else None
