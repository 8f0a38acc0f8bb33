"""The text of a graph in a folder of checkpoints, for people and tools to read."""

from __future__ import annotations

import os
from typing import Any

import tensorflow as tf
from google.protobuf import text_format

__all__ = ["write_graph_file"]


def write_graph_file(graph: Any, folder: str) -> None:
    """Writes `graph.pbtxt`, atomically, as `tf.io.write_graph` does.

    That of TensorFlow 2.20 raises with protobuf 7, which took back an argument that it gives.

    Args:
      graph: a graph of the bridge, or of a store.
      folder: where; it is made where there is none.
    """
    tf.io.gfile.makedirs(folder)
    path = os.path.join(folder, "graph.pbtxt")
    temporary = f"{path}.tmp{os.getpid():x}"
    with tf.io.gfile.GFile(temporary, "w") as file:
        file.write(text_format.MessageToString(graph.as_graph_def(add_shapes=True)))
    tf.io.gfile.rename(temporary, path, overwrite=True)
