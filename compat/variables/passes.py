"""One pass over graph-building code, and what belongs to it rather than to the variables.

TF 1.x kept scope counters, the "already exists" check and collections in the graph. In TF2 the same code may run many
times: once for each trace of each ``tf.function``. Each run is a :class:`Pass` of its own that starts counting anew,
over the one set of variables of the store. Under the bridge there is a graph again, and it is the pass.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from .traced_graph import TracedGraph

if TYPE_CHECKING:
    from .needed import Updates
    from .scope import VariableScope
    from .store import VariableStore


class ScopeState(threading.local):
    """The current variable scope, its counters and the open name scope; each thread has its own, as in TF1."""

    def __init__(self) -> None:
        from .scope import VariableScope

        self.current: VariableScope = VariableScope(False)
        self.opened: dict[str, int] = {}
        self.name_scope = ""

    def open(self, name: str) -> None:
        """Counts one more entry of the variable scope ``name``."""
        self.opened[name] = self.opened.get(name, 0) + 1

    def close_below(self, name: str) -> None:
        """Forgets the entries of all scopes below ``name``: they count per entry of the enclosing scope."""
        for key in self.opened:
            if key.startswith(name + "/"):
                self.opened[key] = 0

    def unique(self, prefix: str) -> str:
        """``prefix``, with the number that TF1 appends when the current scope has opened it before."""
        parent = self.current.name
        full = f"{parent}/{prefix}" if parent else prefix
        if not self.opened.get(full):
            return prefix
        index = 1
        while self.opened.get(f"{full}_{index}"):
            index += 1
        return f"{prefix}_{index}"


class Pass:
    """One pass in plain TF2, eager or within one trace.

    Attributes:
        scopes: the current variable scope and its counters.
        variables: what ``get_variable`` has returned in this pass, by the name it was asked for.
        partitioned: the same for partitioned variables.
        trained: the trainable variables that this pass has asked to make, whether an earlier pass had or not.
        counters: numbers of unnamed layers and the like, by whatever key their owner chooses.
        always_new: whether ``get_variable`` makes a variable at each call, as in TF1's eager execution.
        defers_updates: whether updates of layers are made by who asks for them, as in a graph, and not at once.
        updates: those that :meth:`VariableStore.compute` tells apart; None elsewhere, where all are made.
    """

    always_new = False
    defers_updates = False
    updates: Updates | None = None
    any_begun = False
    """Whether a program has begun one: until then its graph was an empty one in TF 1.x."""

    def __init__(self, store: VariableStore) -> None:
        Pass.any_begun = True
        self.store = store
        self.defers_updates = store.defers_updates
        self.scopes = ScopeState()
        self.variables: dict[str, Any] = {}
        self.partitioned: dict[str, Any] = {}
        self.counters: dict[Hashable, Any] = {}
        self.trained: list[Any] = []
        self._collections: dict[Hashable, list[Any]] = {}
        self._merged: dict[Hashable, set[int]] = {}
        self._names: dict[str, int] = {}
        self._graph: TracedGraph | None = None

    def unique_name(self, name: str) -> str:
        """Marks ``name`` (below the open name scope) as used and returns it, numbered where it was used before."""
        scope = self.scopes.name_scope
        full = f"{scope}/{name}" if scope else name
        key = full.lower()
        count = self._names.get(key, 0)
        self._names[key] = count + 1
        if not count:
            return full
        candidate = key
        while candidate in self._names:
            candidate = f"{key}_{count}"
            count += 1
        self._names[candidate] = 1
        return f"{full}_{count - 1}"

    def name_scope_name(self) -> str:
        """The open name scope without a trailing slash; empty at the root."""
        return self.scopes.name_scope

    @contextlib.contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Opens the name scope ``name`` as ``tf.name_scope`` of TF 1.x did and yields its full name with a slash.

        ``None`` or an empty name return to the root; a name that ends with a slash is absolute and not numbered.
        """
        before = self.scopes.name_scope
        if not name:
            opened = ""
        elif name.endswith("/"):
            opened = name[:-1]
        else:
            opened = self.unique_name(name)
        self.scopes.name_scope = opened
        try:
            if opened:
                with tf.name_scope(opened + "/"):
                    yield opened + "/"
            else:
                yield ""
        finally:
            self.scopes.name_scope = before

    @contextlib.contextmanager
    def variable_name(self, name: str | None, default: str) -> Iterator[str]:
        """Yields the name of a new variable: a uniquified name scope, as TF1 named them."""
        with self.name_scope(name or default) as scope:
            yield scope[:-1]

    def graph_of(self, trace: Any) -> TracedGraph:
        """The graph that the pass builds in `trace`: one for all who ask."""
        if self._graph is None:
            self._graph = TracedGraph(self, trace)
        return self._graph

    def collection(self, key: Hashable) -> list[Any]:
        """The live list of a collection, the store's variables first."""
        items = self._collections.setdefault(key, [])
        merged = self._merged.setdefault(key, set())
        for variable in self.store.members(key):
            if id(variable) not in merged:
                merged.add(id(variable))
                items.append(variable)
        return items

    def add_to_collection(self, key: Hashable, value: Any) -> None:
        """Adds a value; a variable stays in the collection for all passes, anything else for this one."""
        items = self.collection(key)
        if isinstance(value, tf.Variable):
            self.store.keep(key, value)
            self.collection(key)
        else:
            items.append(value)

    def get_collection(self, key: Hashable, scope: str | None = None) -> list[Any]:
        """A copy of a collection; with ``scope`` only items whose name matches that regular expression."""
        items = list(self.collection(key))
        if scope is None:
            return items
        matches = re.compile(scope).match
        return [item for item in items if hasattr(item, "name") and matches(item.name)]

    def collection_keys(self) -> list[Hashable]:
        """The keys of all collections in use."""
        return list(dict.fromkeys([*self.store.member_keys(), *self._collections]))

    def clear_collection(self, key: Hashable) -> None:
        """Empties a collection, for all passes."""
        self.store.forget(key)
        self._collections.pop(key, None)
        self._merged.pop(key, None)


class GraphPass(Pass):
    """The one pass of a bridge graph: names, name scopes and collections are the graph's own."""

    def __init__(self, store: VariableStore, graph: Any) -> None:
        super().__init__(store)
        self.graph = graph

    def unique_name(self, name: str) -> str:
        return str(self.graph.unique_name(name))

    def name_scope_name(self) -> str:
        from .tracing import innermost_graph

        return str(innermost_graph().get_name_scope())

    @contextlib.contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        from .tracing import innermost_graph

        innermost = innermost_graph()
        with contextlib.ExitStack() as scopes:
            if not name and innermost is not self.graph:
                # Variables of a loop's body live in the graph around it: its root is meant too.
                scopes.enter_context(self.graph.name_scope(None))
            yield scopes.enter_context(innermost.name_scope(name)) or ""

    @contextlib.contextmanager
    def variable_name(self, name: str | None, default: str) -> Iterator[str]:
        # Inside a loop's body the innermost graph is another one, but variables live in the outermost.
        with self.graph.name_scope(name or default) as scope:
            yield scope[:-1]

    def collection(self, key: Hashable) -> list[Any]:
        items: list[Any] = self.graph.get_collection_ref(key)
        return items

    def add_to_collection(self, key: Hashable, value: Any) -> None:
        self.graph.add_to_collection(key, value)

    def collection_keys(self) -> list[Hashable]:
        return list(self.graph.collections)

    def clear_collection(self, key: Hashable) -> None:
        self.graph.clear_collection(key)
