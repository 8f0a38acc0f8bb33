"""One program in a process of its own, with limits of time and memory."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

End = Literal["ended", "timeout", "memory"]
_LOOKS_EVERY = 0.1


@dataclass(frozen=True)
class Ended:
    """How a process ended, after how many seconds, and with which status (negative: the signal)."""

    how: End
    status: int
    seconds: float


def run(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    out: Path,
    err: Path,
    seconds: float,
    megabytes: int,
) -> Ended:
    """Runs a command in a folder, its output into files; kills it and its children at a limit, or on Ctrl-C."""
    start = time.monotonic()
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        how: End = "ended"
        try:
            while process.poll() is None:
                if time.monotonic() - start > seconds:
                    how = "timeout"
                elif _resident(process.pid) > megabytes * 2**20:
                    how = "memory"
                if how != "ended":
                    break
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_LOOKS_EVERY)
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Ended(how, process.returncode, time.monotonic() - start)


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
