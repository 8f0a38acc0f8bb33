"""Queues, readers, tables and iterators of a graph that comes from a file."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2, graph_pb2

from ..bridge.graph import HOSTED, Graph
from ..bridge.runtime import HOST


class ImportedResources:
    """The nodes of a graph definition that own something in the runtime, made ready for a graph of the bridge.

    Each gets a name of its own in the runtime, as `Graph` gives to those that it builds. TF1's one-shot iterators take
    no name: they become iterators that a session starts before the first run that reaches them.

    Args:
        graph: the graph that takes them over.
        graph_def: what is going to be imported; its nodes are changed.
    """

    def __init__(self, graph: Graph, graph_def: graph_pb2.GraphDef) -> None:
        self._graph = graph
        self._datasets: dict[str, attr_value_pb2.NameAttrList] = {}
        self.names: list[str] = []
        for node in graph_def.node:
            if node.op == "OneShotIterator":
                self._datasets[node.name] = _without_dataset(node)
            if node.op in HOSTED:
                node.device = HOST
            if "shared_name" not in node.attr or node.input:
                continue
            if not node.attr["shared_name"].s:
                node.attr["shared_name"].s = graph.new_resource_name(node.op).encode()
                self.names.append(node.name)

    def adopt(self, operations: list[tf.Operation]) -> None:
        """Has the graph's sessions end these `operations`, the imported ones of `names`, and start iterators."""
        self._graph.resources += operations
        for name, operation in zip(self.names, operations, strict=True):
            if name in self._datasets:
                (dataset,) = tf.raw_ops.StatefulPartitionedCall(args=[], Tout=[tf.variant], f=self._datasets[name])
                started = tf.raw_ops.MakeIterator(dataset=dataset, iterator=operation.outputs[0])
                self._graph.add_startup(operation, started)


def _without_dataset(node: Any) -> attr_value_pb2.NameAttrList:
    """Makes a one-shot iterator's node that of an iterator to be started; returns the function of its dataset."""
    node.op = "IteratorV2"
    factory: attr_value_pb2.NameAttrList = node.attr.pop("dataset_factory").func
    node.attr["shared_name"].s = b""
    return factory
