"""An interpreter that has imported TensorFlow, and becomes one program in each child that it forks: `warm` starts it.

Only the import is shared, which starts no thread of TensorFlow's, runs no operation and makes no context: a child is as
a process is behind `import tensorflow`. Stands alone and is Python 3.7, as the interpreter of TensorFlow 1.15.5 is.
"""

from __future__ import annotations

import array
import gc
import json
import os
import random
import runpy
import select
import signal
import socket
import sys
import tempfile
import types
import warnings
from typing import Any

_LONGEST = 2**20
"""Bytes of a request; what is longer cannot be sent."""


def serve(requests: socket.socket) -> dict[str, Any] | None:
    """Forks for each request; in a child, gives the program that it has to become.

    Once the other end is closed, the programs that still run are killed, and there is none to become.
    """
    ends: dict[int, int] = {}
    woken, wakes = os.pipe()
    for end in (woken, wakes):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    while True:
        ready, _, _ = select.select([requests, woken], [], [])
        if woken in ready:
            os.read(woken, 1000)
            _tell(ends)
            continue
        message, rights, _, _ = requests.recvmsg(_LONGEST, socket.CMSG_SPACE(4 * array.array("i").itemsize))
        if not message:
            for child in ends:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
            return None
        files = array.array("i", rights[0][2])
        child = os.fork()
        if not child:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            requests.close()
            os.setsid()
            os.write(files[3], b"%d\n" % os.getpid())
            for number, file in enumerate(files[:3]):
                os.dup2(file, number)
            for file in (*files, woken, wakes, *ends.values()):
                os.close(file)
            return json.loads(message)
        for file in files[:3]:
            os.close(file)
        ends[child] = files[3]


def _tell(ends: dict[int, int]) -> None:
    """Writes how each child has ended that has, and forgets it."""
    for child in list(ends):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            killed = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            os.write(ends[child], b"%d\n" % (killed or os.WEXITSTATUS(status)))
            os.close(ends.pop(child))


def become(program: dict[str, Any]) -> None:
    """Runs a program as the interpreter would: its folder, environment and arguments, and no number drawn before."""
    os.chdir(program["folder"])
    os.environ.clear()
    os.environ.update(program["environment"])
    first, *sys.argv = program["arguments"]
    searched = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    folder = "" if first == "-c" else os.getcwd() if first == "-m" else os.path.dirname(os.path.abspath(first))
    sys.path[:1] = [folder, *searched]
    tempfile.tempdir = None
    _filter_warnings(os.environ.get("PYTHONWARNINGS", ""))
    random.seed()
    sys.modules["numpy"].random.seed()
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    if first == "-m":
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return
    if first == "-c":
        text, path, sys.argv[0] = sys.argv[0], "<string>", "-c"
    else:
        sys.argv.insert(0, first)
        path = main.__file__ = first
        with open(path, encoding="utf-8") as file:
            text = file.read()
    exec(compile(text, path, "exec", dont_inherit=True), main.__dict__)


def _filter_warnings(options: str) -> None:
    """Filters by `PYTHONWARNINGS`: in front of Python's own filters, and behind those of what is imported."""
    sys.warnoptions[:] = [option for option in options.split(",") if option]
    place = warnings.filters.index(_FILTERS[0])
    imported = warnings.filters[:place]
    del warnings.filters[:place]  # type: ignore[attr-defined]
    warnings._processoptions(sys.warnoptions)  # type: ignore[attr-defined]
    warnings.filters[:0] = imported  # type: ignore[index]
    warnings._filters_mutated()  # type: ignore[attr-defined]


_FILTERS = list(warnings.filters)
"""Python's own, before anything is imported."""

if __name__ == "__main__":
    before = dict(os.environ)
    import tensorflow  # noqa: F401

    imported = {name: value for name, value in os.environ.items() if before.get(name) != value}
    gc.collect()
    gc.freeze()  # else each child goes through all of TensorFlow's objects as it ends
    asked = serve(socket.socket(fileno=int(sys.argv[1])))
    if asked is not None:
        asked["environment"].update(imported)
        become(asked)
