"""GraphDefs as files: read in any of their forms, checked and written whole or not at all."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from tf_migrate.checkpoint.files import tensorflow
from tf_migrate.files.write import replace_file
from tf_migrate.options import UsageError


def read_graph(path: Path) -> tuple[Any, Any]:
    """The `GraphDef` in a file, binary or text, and the `SaverDef` that a `MetaGraphDef` has beside it, else None.

    Raises:
        UsageError: there is no such file, or it holds no graph.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    v1 = tensorflow().compat.v1
    for kind in (v1.MetaGraphDef, v1.GraphDef):
        for parse in (_binary, _text):
            message = parse(kind(), raw)
            graph = getattr(message, "graph_def", message)
            if message is not None and graph.node and all(node.op and node.name for node in graph.node):
                saver = getattr(message, "saver_def", None)
                return graph, saver if saver is not None and saver.restore_op_name else None
    raise UsageError(f"{path}: neither a GraphDef nor a MetaGraphDef; name the graph's file with --graph")


def _binary(message: Any, raw: bytes) -> Any:
    decode_error = importlib.import_module("google.protobuf.message").DecodeError
    try:
        message.ParseFromString(raw)
    except decode_error:
        return None
    return message


def _text(message: Any, raw: bytes) -> Any:
    text_format = importlib.import_module("google.protobuf.text_format")
    try:
        return text_format.Parse(raw.decode("utf-8"), message)
    except (UnicodeDecodeError, text_format.ParseError):
        return None


def write(graph: Any, path: Path, *, clear_devices: bool) -> None:
    """Writes a graph, as text to a `.pbtxt`."""
    if clear_devices:
        for node in graph.node:
            node.device = ""
    strip_defaults(graph)
    if path.suffix == ".pbtxt":
        text_format = importlib.import_module("google.protobuf.text_format")
        content = text_format.MessageToString(graph).encode()
    else:
        content = graph.SerializeToString(deterministic=True)
    replace_file(path, content)


def strip_defaults(graph: Any) -> None:
    """Takes out the attributes that have their default values: an older TensorFlow may not know them."""
    registry = importlib.import_module("tensorflow.python.framework.op_def_registry")
    nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
    for node in nodes:
        definition = registry.get(node.op)
        for attribute in definition.attr if definition is not None else ():
            if attribute.HasField("default_value") and node.attr.get(attribute.name) == attribute.default_value:
                del node.attr[attribute.name]
