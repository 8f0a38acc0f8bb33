"""Files that a program opens to write outside of its folder."""

from __future__ import annotations

import builtins
import io
import os
import sys
import tempfile
from typing import Any


def watch_writes(recorder: Any) -> None:
    """Notes each path outside of the program's tree and of temporary folders that Python code opens to write."""
    plain = builtins.open
    folder = os.path.dirname(os.path.dirname(recorder.root))

    def is_outside(path: str) -> bool:
        if path.startswith((recorder.root + os.sep, recorder.settings["record"] + os.sep, os.devnull)):
            return False
        if path.startswith(folder + os.sep):
            return True  # beside the tree that was copied for this run
        if path.startswith(sys.prefix + os.sep) or "__pycache__" in path:
            return False  # what a library keeps for its next import
        return not (path + os.sep).startswith((tempfile.gettempdir() + os.sep, "/tmp/", "/dev/", "/proc/"))

    def opened(file: Any, mode: Any = "r", *args: Any, **kwargs: Any) -> Any:
        if isinstance(mode, str) and set(mode) & set("wax+") and isinstance(file, (str, bytes, os.PathLike)):
            path = os.path.realpath(os.fsdecode(file))
            if is_outside(path) and recorder.place() is not None:
                recorder.outside.append(path)
        return plain(file, mode, *args, **kwargs)

    builtins.open = opened
    io.open = opened
