"""Runs the original in real TF 1.15.5, or as a `tf.compat.v1` graph, and the migrated program in this TensorFlow."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# What the original finds under the name `tensorflow` when there is no TF 1.15.5 to run it.
_AS_V1_GRAPH = """
import runpy, sys
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
sys.modules["tensorflow"] = tf
sys.argv = sys.argv[1:]
sys.path.insert(0, __import__("os").path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@dataclass(frozen=True)
class Legacy:
    """How originals are run.

    Attributes:
      python: the interpreter with TF 1.15.5, or None: then they run as `tf.compat.v1` graphs.
    """

    python: Path | None

    @property
    def name(self) -> str:
        return "TensorFlow 1.15.5" if self.python else "tf.compat.v1 graph"

    def command(self, program: Path, arguments: Sequence[str]) -> list[str]:
        if self.python:
            return [str(self.python), str(program), *arguments]
        return [sys.executable, "-c", _AS_V1_GRAPH, str(program), *arguments]


def find_legacy(root: Path) -> Legacy:
    """The interpreter named by `TF_MIGRATE_LEGACY_PYTHON`, or `.legacy` below `root`; else none."""
    named = os.environ.get("TF_MIGRATE_LEGACY_PYTHON")
    candidate = Path(named) if named else root / ".legacy" / "bin" / "python"
    return Legacy(candidate if candidate.exists() else None)


def run(command: Sequence[str], folder: Path, seconds: float = 300, path: Sequence[Path] = ()) -> str | None:
    """Runs `command` in `folder` on the CPU; gives None, or why it failed.

    Args:
      command: the command line.
      folder: the working directory.
      seconds: the time limit.
      path: folders that the program may import from.
    """
    settings = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": ""}
    environment = {**os.environ, **settings, "PYTHONWARNINGS": "ignore"}
    environment.pop("PYTHONPATH", None)
    if path:
        environment["PYTHONPATH"] = os.pathsep.join(map(str, path))
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"did not end within {seconds:.0f} s"
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        return lines[-1]
    return None
