"""The configuration of TensorBoard's embedding projector, which programs write beside their checkpoints.

The messages are those of `tf.contrib.tensorboard.plugins.projector` of TF 1.15; the package `tensorboard` has them too,
where it is installed.
"""

from __future__ import annotations

import os
from typing import Any

import tensorflow as tf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

__all__ = ["EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings"]

_FILE = "projector_config.pbtxt"
"""What the projector looks for in the folder of the logs."""
_PACKAGE = "compat.projector"
_FIELDS = {
    "SpriteMetadata": (("image_path", "string"), ("single_image_dim", "uint32", "repeated")),
    "EmbeddingInfo": (
        ("tensor_name", "string"),
        ("metadata_path", "string"),
        ("bookmarks_path", "string"),
        ("tensor_shape", "uint32", "repeated"),
        ("sprite", "SpriteMetadata"),
        ("tensor_path", "string"),
    ),
    "ProjectorConfig": (
        ("model_checkpoint_path", "string"),
        ("embeddings", "EmbeddingInfo", "repeated"),
        ("model_checkpoint_dir", "string"),
    ),
}
"""The fields of each message in the order of their numbers: name, type, label."""


def _messages() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(name=f"{_PACKAGE}.proto", package=_PACKAGE, syntax="proto3")
    kinds = descriptor_pb2.FieldDescriptorProto
    for name, fields in _FIELDS.items():
        message = file.message_type.add(name=name)
        for number, (field, kind, *repeated) in enumerate(fields, 1):
            label = kinds.LABEL_REPEATED if repeated else kinds.LABEL_OPTIONAL
            made = message.field.add(name=field, number=number, label=label)
            if kind in _FIELDS:
                made.type, made.type_name = kinds.TYPE_MESSAGE, f".{_PACKAGE}.{kind}"
            else:
                made.type = kinds.TYPE_STRING if kind == "string" else kinds.TYPE_UINT32
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    find = pool.FindMessageTypeByName
    return {name: message_factory.GetMessageClass(find(f"{_PACKAGE}.{name}")) for name in _FIELDS}


_CLASSES = _messages()
ProjectorConfig: Any = _CLASSES["ProjectorConfig"]
EmbeddingInfo: Any = _CLASSES["EmbeddingInfo"]
SpriteMetadata: Any = _CLASSES["SpriteMetadata"]


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes the configuration where TensorBoard looks for it: into the folder of the summaries.

    Args:
      summary_writer: a `FileWriter`, which has `get_logdir`.
      config: a `ProjectorConfig`.

    Raises:
      ValueError: the writer has no folder.

    Example:
      >>> config = ProjectorConfig()
      >>> config.embeddings.add().tensor_name = "table:0"
      >>> visualize_embeddings(compat.summary.FileWriter("logs"), config)
      >>> tf.io.read_file("logs/projector_config.pbtxt").numpy().decode().split()
      ['embeddings', '{', 'tensor_name:', '"table:0"', '}']
    """
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    with tf.io.gfile.GFile(os.path.join(folder, _FILE), "w") as file:
        file.write(text_format.MessageToString(config))
