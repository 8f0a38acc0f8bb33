"""Programs of stand-alone Keras, each in a process of its own, which it changes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests import warm

EXAMPLES = tuple(
    f"compat.keras2.{name}"
    for name in ("old_arguments", "old_sequential", "old_trainable", "old_updates", "standalone")
)
"""Modules whose examples import the stand-alone package, which changes all of a process."""

_ROOT = Path(__file__).resolve().parents[3]


def printed(program: str, folder: Path) -> list[str]:
    """The lines that a program prints."""
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "PYTHONWARNINGS": "ignore"}
    done = warm.run([sys.executable, "-c", program], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
