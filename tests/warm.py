"""Programs as processes of their own that need not import TensorFlow: they are forked from one that has.

Importing it takes two to five seconds, which is more than most programs of the tests do. `run` and `Popen` are used as
those of `subprocess` are. Linux alone has what it takes; elsewhere programs are started.
"""

from __future__ import annotations

import array
import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

_INTERPRETER = Path(__file__).with_name("warm_interpreter.py")
# What is read before a program begins, by Python or as TensorFlow is imported: it has to be the same in both.
_READ_BEFORE = ("PYTHON", "TF_", "TF2_", "CUDA_", "NVIDIA_", "OMP_", "OPENBLAS_", "LD_")
# But for what `warm_interpreter` reads again for each program, or what is read later.
_NOT_READ = ("PYTHONPATH", "PYTHONWARNINGS", "TF_MIGRATE_LEGACY_PYTHON", "TMPDIR")
AVAILABLE = sys.platform == "linux"
DEVNULL = subprocess.DEVNULL
TimeoutExpired = subprocess.TimeoutExpired
_started: dict[tuple[object, ...], tuple[socket.socket, subprocess.Popen[bytes]]] = {}
_starts = threading.Lock()


class Popen:
    """A program in an interpreter that has imported TensorFlow; what `subprocess.Popen` has for one, as far as used."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str],
        stdin: int = DEVNULL,
        stdout: IO[Any],
        stderr: IO[Any],
        start_new_session: bool = True,
    ) -> None:
        assert stdin == DEVNULL and start_new_session
        program = {"arguments": command[1:], "folder": str(cwd or Path.cwd()), "environment": dict(env)}
        self._told, told = os.pipe()
        with open(os.devnull, "rb") as nothing:
            files = array.array("i", [nothing.fileno(), stdout.fileno(), stderr.fileno(), told])
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)]
            with _starts:
                way = _interpreter(command[0], env)
            way.sendmsg([json.dumps(program).encode()], rights)
        os.close(told)
        self._said = b""
        self.returncode: int | None = None
        while b"\n" not in self._said:
            self._hear()
        self.pid = int(self._said.splitlines()[0])

    def poll(self) -> int | None:
        """The status, or None while the program runs."""
        return self.returncode if self.returncode is not None else self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        """The status, once the program has ended."""
        status = self.returncode if self.returncode is not None else self._wait(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("a program", timeout or 0)
        return status

    def _wait(self, timeout: float | None) -> int | None:
        if self._said.count(b"\n") < 2 and select.select([self._told], [], [], timeout)[0]:
            self._hear()
        if self._said.count(b"\n") == 2:
            self.returncode = int(self._said.splitlines()[1])
            os.close(self._told)
        return self.returncode

    def _hear(self) -> None:
        heard = os.read(self._told, 100)
        assert heard, "the interpreter that had imported TensorFlow has ended"
        self._said += heard


class Program:
    """A program whose output is read once it has ended: what `subprocess.Popen` with pipes has for it."""

    def __init__(self, command: Sequence[str], *, cwd: Path | None, env: Mapping[str, str]) -> None:
        self._out, self._errors = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._said: tuple[str, str] | None = None
        self._process: Any = (Popen if AVAILABLE else subprocess.Popen)(  # type: ignore[operator]
            command, cwd=cwd, env=env, stdin=DEVNULL, stdout=self._out, stderr=self._errors, start_new_session=True
        )

    @property
    def pid(self) -> int:
        """The number of its process, and of its group."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The status, None while it runs."""
        return self._process.poll()

    @property
    def said(self) -> str:
        """What it has written so far."""
        return os.pread(self._out.fileno(), 2**16, 0).decode()

    def kill(self) -> None:
        """Ends it, and what it has started; nothing where it has ended."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it wrote until its end, and what of errors."""
        self._process.wait(timeout)
        if self._said is None:
            with self._out, self._errors:
                self._out.seek(0)
                self._errors.seek(0)
                self._said = self._out.read(), self._errors.read()
        return self._said


def run(
    command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """Runs a program, in the environment of the tests and on the CPU where none is given, and gives what it wrote."""
    if env is None:  # importing TensorFlow 2 has set TF2_BEHAVIOR here, and does so there
        env = {name: value for name, value in os.environ.items() if name != "TF2_BEHAVIOR"}
        env["CUDA_VISIBLE_DEVICES"] = ""
    program = Program(command, cwd=cwd, env=env)
    try:
        out, errors = program.communicate(timeout)
    except BaseException:
        program.kill()
        program.communicate()
        raise
    assert program.returncode is not None
    return subprocess.CompletedProcess(command, program.returncode, out, errors)


def _interpreter(python: str, environment: Mapping[str, str]) -> socket.socket:
    """The way to an interpreter that was started with what this environment says of the beginning."""
    # TensorFlow 2 itself sets TF2_BEHAVIOR as the first thing; TensorFlow 1 obeys it.
    left_out = (*_NOT_READ, "TF2_BEHAVIOR") if python == sys.executable else _NOT_READ
    first = {name: value for name, value in environment.items() if name not in left_out}
    key = (python, *sorted(item for item in first.items() if item[0].startswith(_READ_BEFORE)))
    if key not in _started:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [python, str(_INTERPRETER), str(theirs.fileno())]
        with theirs:
            # A session of its own: Ctrl-C in a terminal is for the tests, and what they leave behind is killed.
            process = subprocess.Popen(
                command, env=first, pass_fds=[theirs.fileno()], cwd="/", stdin=DEVNULL, start_new_session=True
            )
        _started[key] = ours, process
    return _started[key][0]


@atexit.register
def _end() -> None:
    for way, process in _started.values():
        way.close()
        process.wait()
