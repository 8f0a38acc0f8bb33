"""Checkpoints on disk, read and written with TensorFlow."""

from __future__ import annotations

import importlib
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tf_migrate.checkpoint.model import Checkpoint, Entry
from tf_migrate.options import UsageError

_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
# The checkpoint's own: the graph of objects, and how often it was saved.
_HIDDEN = (_OBJECT_GRAPH, "save_counter/.ATTRIBUTES/VARIABLE_VALUE")

_HDF5 = b"\x89HDF\r\n\x1a\n"


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
    _check_shards(path, prefix)
    try:
        reader = tensorflow().train.load_checkpoint(prefix)
    except Exception as error:  # TensorFlow raises several classes for damaged files
        raise UsageError(f"{path}: cannot be read as a checkpoint: {_hint(path) or error}") from error
    shapes, dtypes = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    names = _names(reader) if _OBJECT_GRAPH in shapes else {}
    entries = [
        Entry(names.get(key) or key, key, dtypes[key].name, tuple(shapes[key])) for key in shapes if key not in _HIDDEN
    ]
    hidden = tuple(key for key in _HIDDEN if key in shapes)
    return Checkpoint(prefix, _OBJECT_GRAPH in shapes, tuple(sorted(entries)), hidden), reader


def values_of(checkpoint: Checkpoint, reader: Any, keys: Iterable[str]) -> dict[str, Any]:
    """The values of some keys of a checkpoint.

    Raises:
        UsageError: its files are damaged.
    """
    tf = tensorflow()
    names, dtypes = list(keys), reader.get_variable_to_dtype_map()
    try:
        # The reader itself knows no partitioned variables of TF1's first format.
        values = tf.raw_ops.RestoreV2(
            prefix=checkpoint.path,
            tensor_names=names,
            shape_and_slices=[""] * len(names),
            dtypes=[dtypes[name] for name in names],
        )
    except tf.errors.OpError as error:
        raise UsageError(f"{checkpoint.path}: its files are damaged: {error.message}") from error
    return dict(zip(names, values, strict=True))


def write(prefix: Path, values: Mapping[str, Any]) -> None:
    """Writes a checkpoint of `values`, by key: all of it, or nothing.

    Raises:
        UsageError: there is no place for it, or it cannot be written there.
    """
    tf = tensorflow()
    try:
        prefix.parent.mkdir(parents=True, exist_ok=True)
        _write(tf, prefix, values)
    except (OSError, tf.errors.OpError) as error:
        raise UsageError(f"{prefix}: cannot be written: {error}") from error


def _write(tf: Any, prefix: Path, values: Mapping[str, Any]) -> None:
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


def _check_shards(path: Path, prefix: str) -> None:
    """Refuses a checkpoint of which shards are missing: its index alone still lists every variable."""
    whole = Path(prefix)
    if not whole.with_name(whole.name + ".index").exists():
        return
    shard = re.compile(re.escape(whole.name) + r"\.data-\d+-of-(\d+)")
    shards = [int(found[1]) for file in whole.parent.iterdir() if (found := shard.fullmatch(file.name))]
    if not shards or len(shards) != sum(set(shards)):
        of = f"{len(shards)} of {max(shards)}" if shards else "none"
        raise UsageError(f"{path}: {of} of its files {whole.name}.data-… are there; copy all of them beside the index")


def _hint(path: Path) -> str | None:
    """What a file is that was taken for a checkpoint."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        if file.read(len(_HDF5)) == _HDF5:
            return "it is an HDF5 file, as Keras writes; load it with Keras and save a tf.train.Checkpoint"
    part = re.fullmatch(r"(.+)\.(meta|data-\d+-of-\d+)", path.name)
    return f"it is a part of one; name {path.with_name(part[1])}" if part else None


def _names(reader: Any) -> dict[str, str]:
    """Key -> name of the variable, from the graph of objects that `tf.train.Checkpoint` stores."""
    proto = importlib.import_module("tensorflow.core.protobuf.trackable_object_graph_pb2")
    graph = proto.TrackableObjectGraph()
    graph.ParseFromString(reader.get_tensor(_OBJECT_GRAPH))
    return {item.checkpoint_key: item.full_name for node in graph.nodes for item in node.attributes}
