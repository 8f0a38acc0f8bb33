"""Reading checkpoints by name."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"

load_checkpoint = tf.train.load_checkpoint
load_variable = tf.train.load_variable
list_variables = tf.train.list_variables
checkpoints_iterator = tf.train.checkpoints_iterator


def NewCheckpointReader(filepattern: str) -> Any:
    """A reader of the checkpoint ``filepattern``. Stands for ``tf.train.NewCheckpointReader``.

    It has ``get_variable_to_shape_map()``, ``get_variable_to_dtype_map()``, ``get_tensor(name)`` and
    ``has_tensor(name)``.

    Raises:
        tf.errors.NotFoundError: there is no such checkpoint.
    """
    return tf.train.load_checkpoint(filepattern)


def object_graph(reader: Any) -> Any:
    """What a checkpoint of ``tf.train.Checkpoint`` says of its objects; without nodes for one by names."""
    from tensorflow.core.protobuf import trackable_object_graph_pb2

    graph = trackable_object_graph_pb2.TrackableObjectGraph()
    if reader.has_tensor(_OBJECT_GRAPH):
        graph.ParseFromString(reader.get_tensor(_OBJECT_GRAPH))
    return graph


def object_graph_names(reader: Any) -> dict[str, str] | None:
    """For a checkpoint of ``tf.train.Checkpoint``: variables' names to the keys that hold them; else None."""
    nodes = object_graph(reader).nodes
    return {each.full_name: each.checkpoint_key for node in nodes for each in node.attributes} if nodes else None
