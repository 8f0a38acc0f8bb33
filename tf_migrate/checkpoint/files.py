"""Checkpoints on disk, read and written with TensorFlow."""

from __future__ import annotations

import importlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tf_migrate.checkpoint.model import Checkpoint, Entry
from tf_migrate.options import UsageError

_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
# The checkpoint's own: the graph of objects, and how often it was saved.
_HIDDEN = (_OBJECT_GRAPH, "save_counter/.ATTRIBUTES/VARIABLE_VALUE")


def tensorflow() -> Any:
    """The TensorFlow of this interpreter.

    Raises:
        UsageError: it has none.
    """
    try:
        return importlib.import_module("tensorflow")
    except ImportError as error:
        raise UsageError(
            f"checkpoints are read with TensorFlow, and it cannot be imported ({error}): "
            "pip install 'tf-migrate[tensorflow]'"
        ) from error


def prefix_of(path: Path) -> str:
    """The path without suffix that TensorFlow calls a checkpoint by; of a folder, its latest checkpoint.

    Raises:
        UsageError: there is none.
    """
    if path.is_dir():
        latest = tensorflow().train.latest_checkpoint(str(path))
        if latest is None:
            raise UsageError(f"{path}: no checkpoint is listed in this folder's file `checkpoint`; name one")
        return str(latest)
    if path.suffix == ".index":
        path = path.with_suffix("")
    if not path.with_name(path.name + ".index").exists() and not path.is_file():
        raise UsageError(f"{path}: no such checkpoint (there is no {path.name}.index)")
    return str(path)


def read(path: Path) -> tuple[Checkpoint, Any]:
    """A checkpoint's entries, and the reader for its values.

    Raises:
        UsageError: there is no such checkpoint, or it cannot be read.
    """
    prefix = prefix_of(path)
    try:
        reader = tensorflow().train.load_checkpoint(prefix)
    except Exception as error:  # TensorFlow raises several classes for damaged files
        raise UsageError(f"{path}: cannot be read as a checkpoint: {error}") from error
    shapes, dtypes = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    names = _names(reader) if _OBJECT_GRAPH in shapes else {}
    entries = [
        Entry(names.get(key) or key, key, dtypes[key].name, tuple(shapes[key])) for key in shapes if key not in _HIDDEN
    ]
    hidden = tuple(key for key in _HIDDEN if key in shapes)
    return Checkpoint(prefix, _OBJECT_GRAPH in shapes, tuple(sorted(entries)), hidden), reader


def write(prefix: Path, values: Mapping[str, Any]) -> None:
    """Writes a checkpoint of `values`, by key: all of it, or nothing.

    Raises:
        OSError: the files cannot be written.
    """
    tf = tensorflow()
    prefix.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=prefix.parent, prefix=".tf-migrate-") as folder:
        written = Path(folder) / prefix.name
        tf.raw_ops.SaveV2(
            prefix=str(written),
            tensor_names=list(values),
            shape_and_slices=[""] * len(values),
            tensors=list(values.values()),
        )
        # The index last: without it there is no checkpoint.
        for file in sorted(Path(folder).iterdir(), key=lambda file: file.suffix == ".index"):
            shutil.move(str(file), prefix.parent / file.name)


def _names(reader: Any) -> dict[str, str]:
    """Key -> name of the variable, from the graph of objects that `tf.train.Checkpoint` stores."""
    proto = importlib.import_module("tensorflow.core.protobuf.trackable_object_graph_pb2")
    graph = proto.TrackableObjectGraph()
    graph.ParseFromString(reader.get_tensor(_OBJECT_GRAPH))
    return {item.checkpoint_key: item.full_name for node in graph.nodes for item in node.attributes}
