"""What a trace stands for natively: the graph that TF 1.x built."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf

if TYPE_CHECKING:
    from .passes import Pass


class TracedGraph:
    """The graph of a pass over graph-building code within a trace: what ``tf.get_default_graph`` gives there.

    It knows scopes and collections, as the functions of those names do. What nodes it has is not for code to ask.

    >>> @tf.function
    ... def scaled(x):
    ...     with store:
    ...         graph = compat.get_default_graph()
    ...         graph.add_to_collection("inputs", x)
    ...         return x * len(compat.get_collection("inputs"))
    >>> float(scaled(tf.constant(2.0)))
    2.0
    """

    def __init__(self, building: Pass, trace: Any) -> None:
        self._pass = weakref.proxy(building)
        self._trace = weakref.proxy(trace)

    @contextlib.contextmanager
    def as_default(self) -> Iterator[TracedGraph]:
        """Builds outside of the loops and branches of the trace.

        Raises:
            ReferenceError: the trace is over.
        """
        with self._trace.as_default():
            yield self

    def control_dependencies(self, control_inputs: Any) -> Any:
        """Has the operations of the body wait for others, as ``tf.control_dependencies``."""
        return tf.control_dependencies(control_inputs)

    def get_name_scope(self) -> str:
        """The open name scope without a trailing slash; empty at the root."""
        return str(self._pass.name_scope_name())

    def name_scope(self, name: str | None) -> Any:
        """Opens a name scope, as ``tf.name_scope``."""
        return self._pass.name_scope(name)

    def add_to_collection(self, name: Hashable, value: Any) -> None:
        """Adds a value to a collection."""
        self._pass.add_to_collection(name, value)

    def get_collection(self, name: Hashable, scope: str | None = None) -> list[Any]:
        """A copy of a collection, empty when nothing was added."""
        found: list[Any] = self._pass.get_collection(name, scope)
        return found
