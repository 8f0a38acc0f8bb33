"""Files that a program writes outside of its folder."""

from __future__ import annotations

import builtins
import functools
import importlib
import io
import os
import sys
import tempfile
from typing import Any, Callable

_SHARED = ("/tmp", "/var/tmp")


def watch_writes(recorder: Any) -> None:
    """Notes each path outside of the program's tree that Python code or TensorFlow's files are opened to write.

    What both programs may find in a shared folder for temporary files is noted apart.
    """

    def note(path: str) -> None:
        path = os.path.realpath(path)
        if recorder.place() is None or not _is_outside(path, recorder):
            return
        shared = path.startswith(tuple(folder + os.sep for folder in _SHARED))
        if not shared or path.startswith(os.path.dirname(os.path.dirname(recorder.root)) + os.sep):
            recorder.outside.append(path)
        else:
            recorder.outcome.setdefault("shared", []).append(path)

    plain = builtins.open

    def opened(file: Any, mode: Any = "r", *args: Any, **kwargs: Any) -> Any:
        if isinstance(mode, str) and set(mode) & set("wax+") and isinstance(file, (str, bytes, os.PathLike)):
            note(os.fsdecode(file))
        return plain(file, mode, *args, **kwargs)

    builtins.open = opened
    io.open = opened
    _watch_tensorflow(note)


def _watch_tensorflow(note: Callable[[str], None]) -> None:
    files: Any = importlib.import_module("tensorflow.python.lib.io.file_io")
    plain = files.FileIO.__init__

    @functools.wraps(plain)
    def opened(self: Any, name: Any, mode: Any = "r", *args: Any, **kwargs: Any) -> None:
        if set(str(mode)) & set("wa+"):
            note(os.fsdecode(name))
        plain(self, name, mode, *args, **kwargs)

    files.FileIO.__init__ = opened


def _is_outside(path: str, recorder: Any) -> bool:
    """Whether a path is none of the program's own, of its folder for temporary files, or of its libraries."""
    own = (recorder.root, recorder.settings["record"], tempfile.gettempdir(), "/dev", "/proc", sys.prefix)
    return not (path + os.sep).startswith(tuple(folder + os.sep for folder in own)) and "__pycache__" not in path
