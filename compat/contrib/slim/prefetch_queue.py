"""A queue that holds batches ready."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import summary
from ...queue.queues import FIFOQueue, PaddingFIFOQueue
from ...train.queue_runner import QueueRunner, add_queue_runner
from ...variables.name_scope import name_scope


def prefetch_queue(
    tensors: Any,
    capacity: int = 8,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """A queue that threads fill with the tensors. Stands for ``slim.prefetch_queue.prefetch_queue``.

    Args:
        tensors: a list, or a dict of them.
        num_threads: how many threads fill it.
        dynamic_pad: allows sizes to differ.

    Returns:
        The queue; its ``dequeue()`` gives a list or a dict as ``tensors``.
    """
    names = sorted(tensors) if isinstance(tensors, dict) else None
    listed = [tensors[each] for each in names] if names is not None else list(tensors)
    with name_scope(name, "prefetch_queue", listed) as scope:
        make = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = make(
            capacity=capacity,
            dtypes=[each.dtype for each in listed],
            shapes=[each.shape for each in listed],
            names=names,
            shared_name=shared_name,
            name=scope.removesuffix("/").rpartition("/")[2],
        )
        add_queue_runner(QueueRunner(queue, [queue.enqueue(tensors)] * num_threads))
        summary.scalar(f"fraction_of_{capacity}_full", tf.cast(queue.size(), tf.float32) * (1.0 / capacity))
        return queue
