"""Checkpoints that cannot be read or written as a whole: what is said of them, and which one to go on from."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from .. import logging
from ..io.full_disk import full_disk_raises
from .checkpoint_state import checkpoint_exists, get_checkpoint_state

_DAMAGE = (tf.errors.DataLossError, tf.errors.OutOfRangeError, tf.errors.NotFoundError)


@contextlib.contextmanager
def reading(prefix: str) -> Iterator[None]:
    """A block that reads a checkpoint; what shows that a file is short, missing or altered becomes one kind of error.

    TensorFlow reports a short file as the end of a sequence, which training loops take for the end of the input.

    Raises:
        tf.errors.DataLossError: the checkpoint is damaged; the message names the files and what to do.
    """
    try:
        yield
    except tf.errors.OpError as error:
        if isinstance(error, _DAMAGE) or type(error) is tf.errors.OpError:
            raise damaged(prefix, error.message) from None
        raise


def writing(prefix: str) -> contextlib.AbstractContextManager[None]:
    """A block that writes a checkpoint, and leaves the earlier ones alone when there is no room for it.

    Raises:
        tf.errors.ResourceExhaustedError: the files could not be written; the message names them and what to do.
    """
    return full_disk_raises(
        f"Checkpoint {prefix}",
        "Earlier checkpoints are as they were. Make room on the disk (or raise the limit on the size of files), then "
        "run again: training goes on from the last of them.",
    )


def damaged(prefix: str, reason: str) -> tf.errors.DataLossError:
    """The error that says that a checkpoint cannot be read, and what to do."""
    return tf.errors.DataLossError(
        None,
        None,
        f"Checkpoint {prefix} is damaged: {reason} Nothing was restored. {_ways_out(prefix)}",
    )


def restore_last_whole(folder: str, restore: Callable[[str], Any]) -> list[str]:
    """Restores the latest checkpoint that the folder's ``checkpoint`` file lists and that is whole.

    Args:
        folder: where the ``checkpoint`` file is.
        restore: restores one checkpoint; raises ``tf.errors.DataLossError`` when it is damaged.

    Returns:
        The listed paths that end with the restored one; empty where the folder has no checkpoints.

    Raises:
        tf.errors.DataLossError: none is whole, or the ``checkpoint`` file cannot be read.
    """
    state = get_checkpoint_state(folder)
    if state is None or not state.model_checkpoint_path:
        _check_state_file(folder)
        return []
    latest = state.model_checkpoint_path
    paths = [path for path in state.all_model_checkpoint_paths if path != latest] + [latest]
    first: tf.errors.DataLossError | None = None
    while paths:
        try:
            restore(_existing(paths[-1]))
        except tf.errors.DataLossError as error:
            first = first or error
            logging.warning("Not resumed from %s: %s", paths.pop(), error.message)
        else:
            if first is not None:
                logging.warning("Resumed from %s, the last whole checkpoint.", paths[-1])
            return paths
    assert first is not None
    raise first


def _existing(prefix: str) -> str:
    if not checkpoint_exists(prefix):
        raise damaged(prefix, f"{prefix}.index is missing.")
    return prefix


def _check_state_file(folder: str) -> None:
    # Beginning anew would in time delete the checkpoints that the file listed.
    path = os.path.join(folder, "checkpoint")
    if tf.io.gfile.exists(path):
        raise tf.errors.DataLossError(
            None,
            None,
            f"{path} is damaged: it names no checkpoint. Write it anew with "
            f"compat.train.update_checkpoint_state({folder!r}, 'path of a checkpoint'), or move the folder away to "
            "begin anew.",
        )


def _ways_out(prefix: str) -> str:
    state = get_checkpoint_state(os.path.dirname(prefix) or ".")
    others = [path for path in (state.all_model_checkpoint_paths if state else ()) if path != prefix]
    if others:
        return f"Restore another one, such as {others[-1]}, or copy the files {prefix}.* here once more."
    return f"Copy the files {prefix}.* here once more, or move them away to begin anew."
