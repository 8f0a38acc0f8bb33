"""Programs of stand-alone Keras, each in a process of its own, which it changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]


def printed(program: str, folder: Path) -> list[str]:
    """The lines that a program prints."""
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
