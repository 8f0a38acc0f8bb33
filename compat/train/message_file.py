"""Files of protocol messages, which other processes never see half written."""

from __future__ import annotations

import os
from typing import Any

import tensorflow as tf
from google.protobuf import text_format

__all__ = ["write_graph_file", "write_message"]


def write_message(path: str, message: Any, *, as_text: bool = True) -> None:
    """Writes a message beside `path`, and moves it there.

    Args:
      path: of the file, which is replaced where there is one.
      message: any protocol message.
      as_text: writes the message for people, else in bytes.
    """
    temporary = f"{path}.tmp{os.getpid():x}"
    with tf.io.gfile.GFile(temporary, "wb") as file:
        file.write(text_format.MessageToString(message).encode() if as_text else message.SerializeToString())
    tf.io.gfile.rename(temporary, path, overwrite=True)


def write_graph_file(graph: Any, folder: str) -> None:
    """Writes `graph.pbtxt`, as `tf.io.write_graph` does.

    That of TensorFlow 2.20 raises with protobuf 7, which took back an argument that it gives.

    Args:
      graph: a graph of the bridge, or of a store.
      folder: where; it is made where there is none.
    """
    tf.io.gfile.makedirs(folder)
    write_message(os.path.join(folder, "graph.pbtxt"), graph.as_graph_def(add_shapes=True))
