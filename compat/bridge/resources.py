"""Queues, readers, tables and iterators of a graph: they live as long as a session, as in TF1."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from .runtime import HOST

__all__ = ["destroy_resources"]


def destroy_resources(operations: Iterable[tf.Operation]) -> None:
    """Ends what `operations` made in the runtime, so that the next session finds them empty and open again.

    Args:
      operations: those that own a resource, each under a `shared_name` of its own.
    """
    with tf.init_scope(), tf.device(HOST):
        for operation in operations:
            # The same operation run eagerly finds the resource by its name.
            attributes = _attributes(operation)
            resource = getattr(tf.raw_ops, operation.type)(**attributes)
            if operation.type == "IteratorV2":
                shapes = [tf.TensorShape(shape) for shape in attributes["output_shapes"]]
                _end(resource, attributes["output_types"], shapes)
            elif operation.type == "SummaryWriter":
                flush_writer(resource)
            tf.raw_ops.DestroyResourceOp(resource=resource, ignore_lookup_error=True)


def _end(iterator: tf.Tensor, types: Sequence[tf.DType], shapes: Sequence[tf.TensorShape]) -> None:
    """Has an iterator let go of its dataset, by starting it on an empty one.

    The operation that gave `iterator` keeps it alive in the runtime's cache. Python holds its lock while that is
    emptied, and a generator needs the lock to end: it would wait for ever.
    """
    rows = [[0] if shape.rank is None else [0, *(size or 0 for size in shape)] for shape in shapes]
    nothing = tf.raw_ops.TensorSliceDataset(
        components=[_no_rows(dtype, row) for dtype, row in zip(types, rows, strict=True)],
        output_shapes=[row[1:] for row in rows],
    )
    with contextlib.suppress(tf.errors.NotFoundError):  # no run of the session has made it
        tf.raw_ops.MakeIterator(dataset=nothing, iterator=iterator)


def flush_writer(writer: tf.Tensor) -> None:
    """Has what was written to a file of events reach it; nothing where no run has opened it, or one has closed it."""
    with contextlib.suppress(tf.errors.NotFoundError):
        tf.raw_ops.FlushSummaryWriter(writer=writer)


def _no_rows(dtype: tf.DType, shape: list[int]) -> tf.Tensor:
    if dtype != tf.variant:
        return tf.zeros(shape, dtype)
    one = tf.raw_ops.EmptyTensorList(element_shape=tf.zeros([0], tf.int32), max_num_elements=0, element_dtype=tf.int32)
    return tf.raw_ops.Fill(dims=shape, value=one)


def _attributes(operation: tf.Operation) -> dict[str, Any]:
    return {attribute.name: operation.get_attr(attribute.name) for attribute in operation.op_def.attr}
