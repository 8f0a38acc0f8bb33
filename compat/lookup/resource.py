"""Where a table lives: in the graph that is being built, else eagerly, outside every trace."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ..bridge.graph import current_graph
from ..variables.collection import add_to_collection, get_collection
from ..variables.graph_keys import GraphKeys

_numbers = itertools.count()


def make_table(kernel: Callable[..., tf.Tensor], shared_name: str | None, name: str, **attributes: Any) -> tf.Tensor:
    """The resource of a table: `kernel` is the raw operation that makes it."""
    if current_graph() is not None:
        return kernel(shared_name=shared_name or "", name=name, **attributes)
    with tf.init_scope():
        unique = shared_name or f"compat_table_{next(_numbers)}"
        return kernel(shared_name=unique, name=name, **attributes)


def initialize_table(initialize: Callable[[], Any]) -> Any:
    """Fills a table: in a graph an operation, kept for `tables_initializer`; natively at once.

    In the graph of a store it is filled before the first run that needs it.
    """
    graph = current_graph()
    if graph is not None:
        operation = initialize()
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, operation)
        if graph.enters_store:
            graph.add_startup(operation.inputs[0].op, operation)
        return operation
    with tf.init_scope():
        return initialize()


def tables_initializer(name: str = "init_all_tables") -> Any:
    """The operation that fills all tables of the graph; stands for `tf.tables_initializer`.

    Natively tables are filled when they are made, and there is nothing to do.
    """
    if current_graph() is None:
        return tf.no_op(name=name) if not tf.executing_eagerly() else None
    initializers = get_collection(GraphKeys.TABLE_INITIALIZERS)
    return tf.group(*initializers, name=name) if initializers else tf.no_op(name=name)


def initialize_all_tables(name: str = "init_all_tables") -> Any:
    """Old name of `tables_initializer`; stands for `tf.initialize_all_tables`."""
    return tables_initializer(name)
