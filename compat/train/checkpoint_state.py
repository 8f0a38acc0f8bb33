"""The ``checkpoint`` file beside saved checkpoints, and the files that one checkpoint consists of."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from ..private import checkpoint_state_pb2
from .message_file import write_message

get_checkpoint_state = tf.train.get_checkpoint_state
latest_checkpoint = tf.train.latest_checkpoint


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """What the ``checkpoint`` file says, as a proto. Stands for ``tf.train.generate_checkpoint_state_proto``.

    Args:
        save_dir: folder of the file; when it is relative, relative paths are made relative to it.
        model_checkpoint_path: the latest checkpoint.
        all_model_checkpoint_paths: all that are kept, oldest first; the latest is added when it is not last.
        all_model_checkpoint_timestamps: seconds since 1970, one for each path.
        last_preserved_timestamp: when a checkpoint was last kept for good.

    Raises:
        ValueError: there are other numbers of paths and timestamps.
    """
    paths = list(all_model_checkpoint_paths or ())
    if not paths or paths[-1] != model_checkpoint_path:
        paths.append(model_checkpoint_path)
    if all_model_checkpoint_timestamps and len(all_model_checkpoint_timestamps) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths "
            f"(got paths {paths} and timestamps {all_model_checkpoint_timestamps})"
        )

    def written(path: str) -> str:
        return path if os.path.isabs(save_dir) or os.path.isabs(path) else os.path.relpath(path, save_dir)

    return checkpoint_state_pb2.CheckpointState(
        model_checkpoint_path=written(model_checkpoint_path),
        all_model_checkpoint_paths=[written(path) for path in paths],
        all_model_checkpoint_timestamps=all_model_checkpoint_timestamps,
        last_preserved_timestamp=last_preserved_timestamp,
    )


def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
    *,
    save_relative_paths: bool = False,
) -> None:
    """Writes the ``checkpoint`` file, atomically. Stands for ``tf.train.update_checkpoint_state``.

    Args:
        latest_filename: the file's name, ``checkpoint`` by default.
        save_relative_paths: write absolute paths relative to ``save_dir`` too.

    Raises:
        RuntimeError: the file would replace the checkpoint itself.
    """
    paths = list(all_model_checkpoint_paths or ())
    if save_relative_paths:
        model_checkpoint_path = _relative(model_checkpoint_path, save_dir)
        paths = [_relative(path, save_dir) for path in paths]
    state = generate_checkpoint_state_proto(
        save_dir, model_checkpoint_path, paths, all_model_checkpoint_timestamps, last_preserved_timestamp
    )
    filename = os.path.join(save_dir, latest_filename or "checkpoint")
    if filename == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state.  "
            "Please use a different save path."
        )
    write_message(filename, state)


def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint of that path, in either format. Stands for ``tf.train.checkpoint_exists``."""
    return bool(tf.io.gfile.glob(checkpoint_prefix + ".index") or tf.io.gfile.glob(checkpoint_prefix))


def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[str]) -> list[float]:
    """When checkpoints were written, in seconds since 1970; those that do not exist are left out.

    Stands for ``tf.train.get_checkpoint_mtimes``.
    """
    times = []
    for prefix in checkpoint_prefixes:
        found = tf.io.gfile.glob(prefix + ".index") or tf.io.gfile.glob(prefix)
        if found:
            times.append(tf.io.gfile.stat(found[0]).mtime_nsec / 1e9)
    return times


def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version: int = 2, meta_graph_suffix: str = "meta"
) -> None:
    """Deletes a checkpoint's files. Stands for ``tf.train.remove_checkpoint``."""
    patterns = [meta_graph_filename(checkpoint_prefix, meta_graph_suffix)]
    if checkpoint_format_version == 2:
        patterns += [checkpoint_prefix + ".index", checkpoint_prefix + ".data-?????-of-?????"]
    else:
        patterns.append(checkpoint_prefix)
    for pattern in patterns:
        for path in tf.io.gfile.glob(pattern):
            tf.io.gfile.remove(path)


def meta_graph_filename(checkpoint_filename: str, meta_graph_suffix: str = "meta") -> str:
    """The name of the graph's file beside a checkpoint; a shard's number is not part of it."""
    return ".".join([re.sub(r"-[\d?]+-of-\d+$", "", checkpoint_filename), meta_graph_suffix])


def _relative(path: str, folder: str) -> str:
    return os.path.relpath(path, folder) if os.path.isabs(path) else path
