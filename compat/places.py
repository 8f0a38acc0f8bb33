"""Where in the program something is made, for errors."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import tensorflow as tf

__all__ = ["Place", "note_operation", "note_place", "place_in_program", "place_of_caller"]

Place = tuple[str, int]
"""File and line."""
_PACKAGES = tuple(str(Path(file).parent) + os.sep for file in (tf.__file__, __file__))
_NODE = re.compile(r"\{\{node ([^}]+)\}\}")
"""How TensorFlow marks the name of an operation in an error, for others to say more of it."""
_FAILED = re.compile(r"\[\[(?:\{\{function_node ([^}]+)\}\})?\{\{node ([^}]+)\}\}")
"""The operation that failed, and the body of a loop or branch that it stands in."""

_FUNCTION = re.compile(r"\{\{function_node [^}]+\}\} ")
"""TensorFlow 2 begins a message with the function that ran; TensorFlow 1 began with what went wrong."""


def place_of_caller() -> str:
    """File and line of the program's code that calls into here, as `file:line`."""
    file, line = _caller()
    return f"{file}:{line}"


def place_in_program() -> Place | None:
    """The same as a pair; None in what AutoGraph wrote of the program."""
    place = _caller()
    return None if "__autograph_generated_file" in place[0] else place


def _caller() -> Place:
    """The innermost frame outside of `compat` and TensorFlow."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGES):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


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


def note_operation(error: tf.errors.OpError, graph: Any) -> None:
    """Gives an error the operation that failed, as `error.op` and `error.node_def`, where it has none.

    Its message begins as TensorFlow 1's did.

    Args:
      error: what a run raised.
      graph: the graph that was run.
    """
    if begin := _FUNCTION.match(error.message):
        error._message = error.message[begin.end() :]
    found = _FAILED.search(error.message) if error.op is None else None
    if found is None:
        return
    try:
        operation: Any = graph.get_operation_by_name(found[2])
    except KeyError:
        body = graph._get_function(found[1]) if found[1] else None
        if body is None:
            return
        inside = {each.name: each for each in body.graph.get_operations()}
        operation = inside.get(found[2])
    if operation is not None:
        error._op, error._node_def = operation, operation.node_def


def _place_of(graph: tf.Graph, name: str) -> str | None:
    try:
        operation: Any = graph.get_operation_by_name(name)
    except KeyError:
        return None
    frames = [frame for frame in operation.traceback if not frame.filename.startswith(_PACKAGES)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None
