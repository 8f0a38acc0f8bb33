"""The variables of a bridge graph: eager, with initial values that are operations of the graph."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..variables.initial_value import InitialValue
from ..variables.passes import GraphPass, Pass
from ..variables.store import VariableStore
from .graph import Graph
from .variable import GraphVariable

__all__ = ["GraphStore"]


class GraphStore(VariableStore):
    """The `VariableStore` of a `compat.Graph`, entered for as long as the graph is the one being built."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self._graph = graph
        self._pass = GraphPass(self, graph)

    def current_pass(self) -> Pass:
        """The one pass of the graph."""
        return self._pass

    @property
    def graph(self) -> Graph:
        """There is none for steps.

        Raises:
          RuntimeError: always.
        """
        raise RuntimeError("steps belong to a compat.VariableStore: enter one in the place of the compat.Graph")

    def create(
        self,
        name: str,
        initial_value: InitialValue,
        *,
        trainable: bool,
        validate_shape: bool,
        constraint: Any,
        caching_device: Any,
        synchronization: tf.VariableSynchronization,
        aggregation: tf.VariableAggregation,
        use_resource: bool | None,
    ) -> GraphVariable:
        """Makes the variable `name`, without a value until its initializer runs."""
        del caching_device
        return GraphVariable(
            graph=self._graph,
            name=name,
            initial_value=initial_value.produce,
            trainable=trainable,
            validate_shape=validate_shape,
            constraint=constraint,
            synchronization=synchronization,
            aggregation=aggregation,
            use_resource=use_resource,
        )
