"""What went wrong in a program, where, and what it has to do with TensorFlow."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Iterator
from typing import Any

_PACKAGES = ("tensorflow", "tensorflow_core", "keras", "tf_keras")
# How TensorFlow marks, in the text of an error, the node of a function or the operation of eager code that raised it.
_NODE = re.compile(r"\{\{node ([^}\s]+)\}\}")
_EAGER = re.compile(r"\[Op:(?!__)([^\]\s]+)\]")


def told(error: BaseException, root: str) -> dict[str, Any]:
    """An error as the record keeps it; `root` is the program's tree."""
    place = None
    for frame in traceback.extract_tb(error.__traceback__):
        if os.path.abspath(frame.filename).startswith(root + os.sep):
            place = [os.path.relpath(frame.filename, root), frame.lineno]
    return {
        "type": type(error).__name__,
        "message": str(error)[:2000],
        "place": place,
        "missing": error.name if isinstance(error, ModuleNotFoundError) else None,
        "of_tensorflow": is_of_tensorflow(error),
        "lacks_name": lacks_name(error),
        "operation": operation_of(error),
    }


def is_of_tensorflow(error: BaseException) -> bool:
    """Whether TensorFlow, or Keras, raised the error or the one that led to it."""
    return any(_raised_in_tensorflow(item) for item in _chain(error))


def lacks_name(error: BaseException) -> bool:
    """Whether the program asks TensorFlow, or Keras, for a name that this one does not have."""
    if isinstance(error, ModuleNotFoundError):
        return _is_ours(error.name or "") and error.name not in _PACKAGES
    if isinstance(error, ImportError):
        return _is_ours(error.name or "")
    if not isinstance(error, AttributeError):
        return False
    owner = getattr(error, "obj", None)
    return _is_ours(getattr(owner, "__name__", None) or type(owner).__module__) or _raised_in_tensorflow(error)


def operation_of(error: BaseException) -> str | None:
    """The operation that raised the error: its type, or its name where that alone is known."""
    for item in _chain(error):
        kind = getattr(getattr(item, "op", None), "type", None)
        if kind:
            return str(kind)
        for mark in (_EAGER, _NODE):
            found = mark.search(str(item))
            if found:
                return found.group(1)
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _raised_in_tensorflow(error: BaseException) -> bool:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and _is_ours(trace.tb_frame.f_globals.get("__name__") or "")


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in _PACKAGES
