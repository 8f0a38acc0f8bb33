"""The interpreter of originals: real TensorFlow 1.15.5 where it is found, else a `tf.compat.v1` graph in this one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tf_migrate.options import UsageError

_REQUIREMENTS = ("tensorflow==1.15.5", "protobuf<3.21", "numpy<1.19")


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

    @property
    def executable(self) -> str:
        return str(self.python) if self.python else sys.executable


def find_legacy(root: Path | None = None, named: Path | None = None) -> Legacy:
    """The interpreter named, or by `TF_MIGRATE_LEGACY_PYTHON`, or `.legacy` below `root`; else none.

    Raises:
      UsageError: the one that is named has no TensorFlow 1.
    """
    if named is not None:
        found = shutil.which(str(named)) or str(named)
        version = [found, "-c", "import tensorflow as tf; print(tf.__version__)"]
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # the other Python's packages
        done = subprocess.run(version, capture_output=True, text=True, check=False, env=own)
        if done.returncode or not done.stdout.strip().startswith("1."):
            said = done.stdout.strip() or (done.stderr.strip().splitlines() or ["it does not run"])[-1]
            raise UsageError(f"{named}: has no TensorFlow 1 ({said}); make one with --setup-legacy DIR")
        return Legacy(Path(found))
    variable = os.environ.get("TF_MIGRATE_LEGACY_PYTHON")
    candidate = Path(variable) if variable else (root or Path.cwd()) / ".legacy" / "bin" / "python"
    return Legacy(candidate if candidate.exists() else None)


def set_up(folder: Path) -> Path:
    """Makes an environment with TensorFlow 1.15.5; gives its interpreter.

    Raises:
      UsageError: the folder is taken, there is no Python 3.7, or the packages cannot be installed.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder}: is not empty; name another folder for the environment")
    base = shutil.which("python3.7") or _from_pyenv()
    if base is None:
        raise UsageError("TensorFlow 1.15.5 needs Python 3.7, and none is found: install it (pyenv install 3.7.17)")
    python = folder / "bin" / "python"
    for command in ([base, "-m", "venv", str(folder)], [str(python), "-m", "pip", "install", *_REQUIREMENTS]):
        _require(command)
    return python


def _from_pyenv() -> str | None:
    found = sorted(Path.home().glob(".pyenv/versions/3.7.*/bin/python3.7"))
    return str(found[-1]) if found else None


def _require(command: Sequence[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise UsageError(f"`{' '.join(command)}` failed: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")
