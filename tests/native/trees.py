"""Trees of several modules: rewritten where they lie, and run."""

from __future__ import annotations

import contextlib
import importlib
import io
import runpy
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.native.native import STEPS, close_graph
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
    outcome = pipeline.run(files, Options(paths=(folder,), ignore=STEPS))
    assert not outcome.report.failed, outcome.report.failed
    for name, content in outcome.contents.items():
        (folder / name).write_bytes(content)
    return outcome


def printed(folder: Path, script: str) -> str:
    """What a script of the tree prints on this TensorFlow: run here, where that is imported, as by its own process."""
    out, modules = io.StringIO(), dict(sys.modules)
    names = {path.stem for path in folder.iterdir()}
    importlib.invalidate_caches()
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        here.syspath_prepend(str(folder))
        here.setattr(sys, "argv", [script])
        here.setattr(sys, "dont_write_bytecode", True)
        for name in [name for name in modules if name.partition(".")[0] in names]:
            del sys.modules[name]
        try:
            with contextlib.redirect_stdout(out):
                runpy.run_path(str(folder / script), run_name="__main__")
        except SystemExit as end:
            assert not end.code, end.code
        finally:
            for name in [name for name in sys.modules if name.partition(".")[0] in names]:
                del sys.modules[name]
            sys.modules.update({name: module for name, module in modules.items() if name not in sys.modules})
            close_graph()
    return out.getvalue()


def tiers(outcome: pipeline.Outcome) -> set[str]:
    """The tiers of all sites."""
    return {site.tier for site in outcome.report.sites}


def reasons(outcome: pipeline.Outcome) -> list[str]:
    """Why sites are where they are."""
    return [site.reason or "" for site in outcome.report.sites]
