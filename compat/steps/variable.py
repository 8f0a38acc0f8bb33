"""Variables of a store that has a graph: made by its building code, or by eager code beside it."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from ..bridge.variable import GraphVariable

__all__ = ["EagerVariable", "StoreVariable"]


class StoreVariable(GraphVariable):
    """A variable that building code makes: it gets its first value where that code ends, or when it is asked for."""

    def numpy(self) -> Any:
        """The value now, also while a graph is being built."""
        self._start()
        return super().numpy()

    def value(self) -> tf.Tensor:
        """The value: at once in eager code, as a tensor of the graph in building code."""
        if tf.executing_eagerly():
            self._start()
        return super().value()

    def read_value(self) -> tf.Tensor:
        """As :meth:`value`, behind what is built around."""
        if tf.executing_eagerly():
            self._start()
        return super().read_value()

    def set_initial_value(self, value: tf.Tensor) -> None:
        """Makes `value`, a tensor of the graph, the variable's first value."""
        super().set_initial_value(value)
        self._graph.start_again(self)

    def _start(self) -> None:
        if self._graph.starting:
            self._graph.start_variables()
        self._graph.start_needed([self])


class EagerVariable:
    """What the graph of a store knows of a variable that eager code made.

    Args:
      graph: the store's graph.
      name: the variable's name.
      variable: the variable.
      shares_memory: as for `GraphVariable`.
    """

    def __init__(self, graph: Any, name: str, variable: tf.Variable, shares_memory: bool) -> None:
        self.variable, self.shares_memory = variable, shares_memory
        self.handle, self.dtype, self.shape = variable.handle, variable.dtype, variable.shape
        self.trainable = variable.trainable
        self._graph = graph
        graph.add_variable(self)
        with graph.as_default(), graph.name_scope(None), tf.control_dependencies(None):
            graph.capture(self.handle, name=f"{name}/handle")
            self.element = tf.raw_ops.ReadVariableOp(resource=self.handle, dtype=self.dtype, name=name + "/")
            self.element.set_shape(variable.shape)

    @property
    def op(self) -> tf.Operation:
        """The operation that carries the variable's name and gives its value."""
        return self.element.op

    @functools.cached_property
    def initial_value(self) -> tf.Tensor:
        """A tensor of the graph with the variable's first value."""
        name, graph = self.op.name, self._graph
        value = graph.store.initial_value_of(name)
        with graph.as_default(), graph.name_scope(None), tf.control_dependencies(None):
            return tf.identity(value, name=f"{name}/initial_value")

    @functools.cached_property
    def initializer(self) -> tf.Operation:
        """The operation of the graph that sets the first value."""
        name, graph, value = self.op.name, self._graph, self.initial_value
        with graph.as_default(), graph.name_scope(None), tf.control_dependencies(None):
            return tf.raw_ops.AssignVariableOp(resource=self.handle, value=value, name=f"{name}/Assign")

    @property
    def name(self) -> str:
        """The variable's name."""
        return str(self.variable.name)

    def numpy(self) -> Any:
        """The value now."""
        return self.variable.numpy()

    def is_initialized(self) -> bool:
        """Whether it has a value: from the start."""
        return True

    def read_value(self) -> tf.Tensor:
        """The value as a tensor."""
        return self.variable.read_value()

    def assign(self, value: Any) -> Any:
        """Sets the variable."""
        return self.variable.assign(value)
