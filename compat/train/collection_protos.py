"""Collections whose items a program writes to ``.meta`` files as protocol buffers of its own.

A program says how with ``register_proto_function`` of ``tensorflow.python.framework.ops``, which TensorFlow 2 kept;
TensorFlow's own collections are registered there too, but speak of classes that are not those of ``compat``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tensorflow.core.protobuf.queue_runner_pb2 import QueueRunnerDef

from .. import variables as tf1
from ..private import ops
from .queue_runner import QueueRunner

_OWN_OF_TENSORFLOW = frozenset(value for value in vars(tf1.GraphKeys).values() if isinstance(value, str))


def serialized(key: str, items: Iterable[Any]) -> list[bytes] | None:
    """The items of a collection as the program writes them; None where it did not say how."""
    if key == tf1.GraphKeys.QUEUE_RUNNERS:
        return [item.to_proto().SerializeToString() for item in items]
    write = _registered(ops.get_to_proto_function, key)
    if write is None:
        return None
    protos = [write(item, export_scope=None) for item in items]
    return [proto.SerializeToString() for proto in protos if proto]


def parsed(key: str, contents: Iterable[bytes], scope: str) -> list[Any] | None:
    """The items that the program makes of what is written; None where it did not say how.

    Args:
        key: the collection.
        contents: its items in a file.
        scope: the name scope that the graph is imported under; empty for none.
    """
    import_scope = scope.rstrip("/") or None
    if key == tf1.GraphKeys.QUEUE_RUNNERS:
        return [QueueRunner.from_proto(QueueRunnerDef.FromString(content), import_scope) for content in contents]
    read = _registered(ops.get_from_proto_function, key)
    if read is None:
        return None
    kind = ops.get_collection_proto_type(key)
    return [read(kind.FromString(content), import_scope=import_scope) for content in contents]


def _registered(look_up: Callable[[str], Any], key: str) -> Callable[..., Any] | None:
    found: Callable[..., Any] | None = None if key in _OWN_OF_TENSORFLOW else look_up(key)
    return found
