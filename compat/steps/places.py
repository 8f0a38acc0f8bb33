"""Where in the program something was made, for errors."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import tensorflow as tf

__all__ = ["note_place", "place_of_caller"]

_PACKAGES = (str(Path(tf.__file__).parent), str(Path(__file__).parents[1]))
_NODE = re.compile(r"\{\{node ([^}]+)\}\}")
"""How TensorFlow marks the name of an operation in an error, for others to say more of it."""


def place_of_caller() -> str:
    """File and line of the program's code that calls into here."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGES):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def note_place(error: tf.errors.OpError, graph: tf.Graph, what: str) -> None:
    """Adds to an error where the operations that it names were built; where Python has notes, from 3.11 on.

    Args:
      error: what a run raised.
      graph: the graph that the operations are of.
      what: what was run.
    """
    add_note = getattr(error, "add_note", None)
    if add_note is None:
        return
    for name in dict.fromkeys(_NODE.findall(error.message)):
        place = _place_of(graph, name)
        if place is not None:
            add_note(f"{name} was built in {place}; it was run by {what}")


def _place_of(graph: tf.Graph, name: str) -> str | None:
    try:
        operation: Any = graph.get_operation_by_name(name)
    except KeyError:
        return None
    frames = [frame for frame in operation.traceback if not frame.filename.startswith(_PACKAGES)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None
