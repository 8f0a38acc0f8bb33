"""A disk that is full, or a limit on the size of files, as one kind of error."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import tensorflow as tf


@contextlib.contextmanager
def full_disk_raises(what: str, next_step: str) -> Iterator[None]:
    """A block that writes ``what``; where there is no room for it the error says so, and says the next step.

    TensorFlow reports a file that may not grow as ``OutOfRangeError``, which training loops take for the end of the
    input: a run that could not save would look like one that is done.

    Raises:
        tf.errors.ResourceExhaustedError: there is no room.
    """
    try:
        yield
    except (tf.errors.ResourceExhaustedError, tf.errors.OutOfRangeError) as error:
        raise tf.errors.ResourceExhaustedError(
            None, None, f"{what} could not be written: {error.message} {next_step}"
        ) from None
