"""Data in the order in which it comes: what shuffles it draws other orders in TensorFlow 1 and 2.

Queues and datasets that shuffle give what they are given, in its own order, in both programs.
"""

from __future__ import annotations

import importlib
from typing import Any


def keep_order() -> None:
    """Puts what keeps the order in the place of what shuffles."""
    data = _module("tensorflow.python.ops.gen_dataset_ops")
    queues = _module("tensorflow.python.ops.gen_data_flow_ops")
    feeding = _module("tensorflow_estimator.python.estimator.inputs.queues.feeding_functions")
    for name in ("shuffle_dataset", "shuffle_dataset_v2", "shuffle_dataset_v3"):
        if hasattr(data, name):
            setattr(data, name, _same)
    for name in ("shuffle_and_repeat_dataset", "shuffle_and_repeat_dataset_v2"):
        if hasattr(data, name):
            setattr(data, name, _repeated(data))
    raw = getattr(_module("tensorflow"), "raw_ops", None)
    for name, camel in (
        ("random_shuffle_queue", "RandomShuffleQueue"),
        ("random_shuffle_queue_v2", "RandomShuffleQueueV2"),
    ):
        made = _in_order(getattr(queues, name.replace("random_shuffle", "fifo")))
        setattr(queues, name, made)
        # `tf.raw_ops` has functions of its own, which the migrated program's queues call.
        if hasattr(raw, camel):
            setattr(raw, camel, made)
    if feeding is not None:
        feeding._enqueue_data = _unshuffled(feeding._enqueue_data)


def _same(input_dataset: Any, *args: Any, **kwargs: Any) -> Any:
    return input_dataset


def _repeated(data: Any) -> Any:
    def repeated(
        input_dataset: Any, buffer_size: Any, seed: Any, seed2: Any, count: Any, *args: Any, **kwargs: Any
    ) -> Any:
        shapes = {name: kwargs[name] for name in ("output_types", "output_shapes")}
        return data.repeat_dataset(input_dataset, count, **shapes)

    return repeated


def _in_order(queue: Any) -> Any:
    def made(component_types: Any, shapes: Any = (), capacity: int = -1, *args: Any, **kwargs: Any) -> Any:
        kept = {name: kwargs[name] for name in ("container", "shared_name", "name") if name in kwargs}
        return queue(component_types, shapes, capacity, **kept)

    return made


def _unshuffled(enqueue: Any) -> Any:
    def enqueued(*args: Any, **kwargs: Any) -> Any:
        return enqueue(*args, **dict(kwargs, shuffle=False))

    return enqueued


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
