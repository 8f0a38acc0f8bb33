"""What tests do with a program: it is migrated, and what comes out is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome


def migrated(program: str | Mapping[str, str], folder: Path) -> Outcome:
    """What becomes of a script, `main.py`, or of the files of a program by their paths in a folder."""
    for path, text in ({"main.py": program} if isinstance(program, str) else program).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    options = Options(paths=(folder,), root=folder)
    return pipeline.run(discover(options).code, options)


def before_and_after(files: Mapping[str, str], folder: Path) -> tuple[Outcome, Path, Path]:
    """What becomes of the files of a program, a folder with them as they were, and one with what they became."""
    old, new = folder / "old", folder / "new"
    outcome = migrated(files, old)
    for name, text in files.items():
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_bytes(outcome.contents.get(name, text.encode()))
    return outcome, old, new


def said_by(text: str, folder: Path, *arguments: str, **environment: str) -> str:
    """What a script of TensorFlow 2 prints in a folder."""
    known = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore", **environment)
    done = warm.run([sys.executable, "-c", text, *arguments], cwd=folder, env=known)
    assert done.returncode == 0, done.stderr
    return done.stdout
