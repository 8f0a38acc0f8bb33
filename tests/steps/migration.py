"""What tests do with a program: it is migrated, and what comes out is run."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import HighestTier, Options
from tf_migrate.pipeline import Outcome

NUMBER = re.compile(r"-?\d+\.\d*(?:e-?\d+)?")


def migrated(program: str | Mapping[str, str], folder: Path, tier: HighestTier = "native") -> Outcome:
    """What becomes of a script, `main.py`, or of the files of a program by their paths in a folder."""
    for path, text in ({"main.py": program} if isinstance(program, str) else program).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    options = Options(paths=(folder,), root=folder, tier=tier)
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


def said_by_tests(folder: Path, module: str) -> tuple[str, str]:
    """What the tests of a module print, and what `unittest` says of them."""
    known = dict(os.environ, PYTHONPATH=f"{ROOT}{os.pathsep}{folder}", PYTHONWARNINGS="ignore")
    text = f"import unittest\nunittest.main({module!r}, argv=['tests', '-v'], exit=False)"
    done = warm.run([sys.executable, "-c", text], cwd=folder, env=known)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def assert_alike(said: str, wanted: str) -> None:
    """Asserts that two texts are the same but for the last digits of their numbers."""
    assert NUMBER.sub("#", said).split() == NUMBER.sub("#", wanted).split()
    numbers = [[float(number) for number in NUMBER.findall(each)] for each in (said, wanted)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)
