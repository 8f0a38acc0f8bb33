"""Queues of TF 1.15: TF2's queue classes, made inside the graph that is being built.

TF2's own classes put the queue outside a graph, where it dies with the Python object that made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ..bridge.graph import current_graph
from ..random.seeds import get_seed


def _as_list(dtypes: Any) -> list[tf.DType]:
    many = dtypes if isinstance(dtypes, list | tuple) else [dtypes]
    return [tf.as_dtype(dtype) for dtype in many]


def _as_shapes(
    shapes: Any, count: int, *, partial: bool = False, required: bool = False
) -> list[tf.TensorShape] | None:
    """The shape of each component, or None when nothing is known.

    Raises:
      ValueError: not one shape for each component, or a size is unknown where it must not be.
    """
    if shapes is None:
        if required:
            raise ValueError("shapes must be given")
        return None
    if isinstance(shapes, tf.TensorShape) or all(isinstance(size, int) for size in shapes):
        shapes = [shapes]
    given = [tf.TensorShape(shape) for shape in shapes]
    if len(given) != count:
        raise ValueError(f"Number of shapes given ({len(given)}) does not match that of dtypes ({count})")
    for shape in given:
        if shape.rank is None or not (partial or shape.is_fully_defined()):
            raise ValueError(f"All shapes must be {'of known rank' if partial else 'fully defined'}: {shape}")
    return given


def _names(names: Any, count: int) -> list[str] | None:
    if names is None:
        return None
    many = [names] if isinstance(names, str) else list(names)
    if len(many) != count:
        raise ValueError(f"List of queue names must have the same length as the list of dtypes: {many}")
    return many


class FIFOQueue(tf.queue.FIFOQueue):
    """First in, first out; stands for `tf.FIFOQueue`.

    Args:
      capacity: how many elements it holds before `enqueue` waits.
      dtypes: type of each component of an element.
      shapes: shape of each component; without them `enqueue_many` and `dequeue_many` are not allowed.
      names: keys of the components: `enqueue` then takes and `dequeue` gives a dict.

    Raises:
      tf.errors.OutOfRangeError: (when run) a `dequeue` of a queue that is closed and empty.

    Example:
      >>> graph, session = compat.open_graph(), compat.Session()
      >>> queue = FIFOQueue(3, [tf.float32], shapes=[[]])
      >>> session.run(queue.enqueue_many([[1.0, 2.0]]))
      >>> session.run(queue.dequeue())
      np.float32(1.0)
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "fifo_queue",
    ) -> None:
        if current_graph() is None:
            super().__init__(capacity, dtypes, shapes, names, shared_name, name)
            return
        types = _as_list(dtypes)
        known = _as_shapes(shapes, len(types))
        reference = tf.raw_ops.FIFOQueueV2(
            component_types=types, shapes=known or [], capacity=capacity, shared_name=shared_name or "", name=name
        )
        tf.queue.QueueBase.__init__(self, types, known, _names(names, len(types)), reference)


class PaddingFIFOQueue(tf.queue.PaddingFIFOQueue):
    """A `FIFOQueue` whose `dequeue_many` pads with zeros where sizes are None; stands for `tf.PaddingFIFOQueue`."""

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "padding_fifo_queue",
    ) -> None:
        if current_graph() is None:
            super().__init__(capacity, dtypes, shapes, names, shared_name, name)
            return
        types = _as_list(dtypes)
        known = _as_shapes(shapes, len(types), partial=True, required=True)
        reference = tf.raw_ops.PaddingFIFOQueueV2(
            component_types=types, shapes=known, capacity=capacity, shared_name=shared_name or "", name=name
        )
        tf.queue.QueueBase.__init__(self, types, known, _names(names, len(types)), reference)


class RandomShuffleQueue(tf.queue.RandomShuffleQueue):
    """Gives its elements in random order; stands for `tf.RandomShuffleQueue`.

    Args:
      min_after_dequeue: how many elements a `dequeue` leaves behind while the queue is open.
      seed: of the order.
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str | None = "random_shuffle_queue",
    ) -> None:
        if current_graph() is None:
            super().__init__(capacity, min_after_dequeue, dtypes, shapes, names, seed, shared_name, name)
            return
        types = _as_list(dtypes)
        known = _as_shapes(shapes, len(types))
        first, second = get_seed(seed)
        reference = tf.raw_ops.RandomShuffleQueueV2(
            component_types=types,
            shapes=known or [],
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=first or 0,
            seed2=second or 0,
            shared_name=shared_name or "",
            name=name,
        )
        tf.queue.QueueBase.__init__(self, types, known, _names(names, len(types)), reference)


class PriorityQueue(tf.queue.PriorityQueue):
    """Gives the element of the lowest priority first; stands for `tf.PriorityQueue`.

    The first component of an element is its priority, an int64 scalar; `types` and `shapes` are those of the others.
    """

    def __init__(
        self,
        capacity: int,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "priority_queue",
    ) -> None:
        if current_graph() is None:
            super().__init__(capacity, types, shapes, names, shared_name, name)
            return
        payload = _as_list(types)
        known: Sequence[tf.TensorShape] = _as_shapes(shapes, len(payload)) or []
        reference = tf.raw_ops.PriorityQueueV2(
            shapes=known, component_types=payload, capacity=capacity, shared_name=shared_name or "", name=name
        )
        all_types = [tf.int64, *payload]
        all_shapes = [tf.TensorShape([]), *known] if known else None
        tf.queue.QueueBase.__init__(self, all_types, all_shapes, _names(names, len(all_types)), reference)
