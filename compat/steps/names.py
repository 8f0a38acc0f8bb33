"""The pass over the building code of a store: names, scopes and collections of one graph, and of eager code around."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator
from typing import Any

import tensorflow as tf

from ..bridge.graph import current_graph
from ..variables.passes import GraphPass, Pass

__all__ = ["StorePass"]


class StorePass(GraphPass):
    """The one pass of a store that has a graph.

    What is built, and what eager code makes between two blocks of building code, count their names in one row, open
    one set of variable scopes and fill one set of collections.

    Args:
      store: the store.
      graph: its graph.
      before: the pass that eager code has made in the store until now.
    """

    def __init__(self, store: Any, graph: Any, before: Pass) -> None:
        super().__init__(store, graph)
        self.scopes = before.scopes
        self.variables = before.variables
        self.partitioned = before.partitioned
        self.counters = before.counters
        self.trained = before.trained
        # One row of names: TensorFlow's graph and a pass count them in the same way.
        self._names = graph._names_in_use
        for name, count in before._names.items():
            self._names[name] = max(count, self._names.get(name, 0))
        for key in before.collection_keys():
            for item in before.collection(key):
                graph.add_to_collection(key, item)

    def is_building(self) -> bool:
        """Whether operations are added to the graph here, or to a loop or branch in it."""
        return current_graph() is self.graph

    def unique_name(self, name: str) -> str:
        return super().unique_name(name) if self.is_building() else Pass.unique_name(self, name)

    def name_scope_name(self) -> str:
        return super().name_scope_name() if self.is_building() else Pass.name_scope_name(self)

    @contextlib.contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        scopes = super().name_scope(name) if self.is_building() else Pass.name_scope(self, name)
        with scopes as scope:
            yield scope

    @contextlib.contextmanager
    def variable_name(self, name: str | None, default: str) -> Iterator[str]:
        building = self.is_building()
        scopes = super().variable_name(name, default) if building else Pass.variable_name(self, name, default)
        with scopes as scope:
            yield scope

    def add_to_collection(self, key: Hashable, value: Any) -> None:
        super().add_to_collection(key, value)
        if isinstance(value, tf.Variable):
            self.store.keep(key, value)

    def clear_collection(self, key: Hashable) -> None:
        super().clear_collection(key)
        self.store.forget(key)
