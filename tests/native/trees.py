"""Trees of several modules: rewritten where they lie, and run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options


def rewritten(folder: Path, texts: Mapping[str, str], kept: tuple[str, ...] = ()) -> pipeline.Outcome:
    """Writes the files of a tree, rewrites all but those that are kept, and checks that none failed."""
    files = []
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        files.append(TreeFile(path, name, name not in kept))
    outcome = pipeline.run(files, Options(paths=(folder,)))
    assert not outcome.report.failed, outcome.report.failed
    for name, content in outcome.contents.items():
        (folder / name).write_bytes(content)
    return outcome


def printed(folder: Path, script: str) -> str:
    """What a script of the tree prints on this TensorFlow."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, script], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def tiers(outcome: pipeline.Outcome) -> set[str]:
    """The tiers of all sites."""
    return {site.tier for site in outcome.report.sites}


def reasons(outcome: pipeline.Outcome) -> list[str]:
    """Why sites are where they are."""
    return [site.reason or "" for site in outcome.report.sites]
