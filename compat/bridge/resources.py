"""Queues, readers, tables and iterators of a graph: they live as long as a session, as in TF1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

__all__ = ["destroy_resources"]


def destroy_resources(operations: Iterable[tf.Operation]) -> None:
    """Ends what `operations` made in the runtime, so that the next session finds them empty and open again.

    Args:
      operations: those that own a resource, each under a `shared_name` of its own.
    """
    with tf.init_scope():
        for operation in operations:
            # The same operation run eagerly finds the resource by its name.
            resource = getattr(tf.raw_ops, operation.type)(**_attributes(operation))
            tf.raw_ops.DestroyResourceOp(resource=resource, ignore_lookup_error=True)


def _attributes(operation: tf.Operation) -> dict[str, Any]:
    return {attribute.name: operation.get_attr(attribute.name) for attribute in operation.op_def.attr}
