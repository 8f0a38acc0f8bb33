"""Rewriting a text with the native tier, and running what comes out."""

from __future__ import annotations

import contextlib
import io
import runpy
import tempfile
from pathlib import Path

from tf_migrate.exports import Index, summarize
from tf_migrate.module import load
from tf_migrate.options import Options
from tf_migrate.report.model import Site
from tf_migrate.rewrite import Rewritten, rewrite
from tf_migrate.source import read

PROLOGUE = "import tensorflow as tf\n"


def rewritten(code: str, *, tier: str = "native") -> Rewritten:
    """The rewriting of a script that stands alone."""
    source = read("train.py", code.encode())
    exports = summarize(load(source), Index([("train", False)], {}), "compat")
    index = Index([("train", False)], {"train": exports})
    options = Options(paths=(Path("train.py"),), tier="native" if tier == "native" else "bridge")
    return rewrite(source, index, options)


def tier_of(code: str) -> str:
    """The one tier of a script's runs."""
    (tier,) = {site.tier for site in rewritten(code).sites}
    return tier


def deciding_site(code: str) -> Site:
    """The first run of a script that has a reason for not being native."""
    return next(site for site in rewritten(code).sites if site.reason is not None)


def printed(code: str) -> str:
    """What a script prints. It is a file of its own while it runs: `tf.function` reads the source of functions."""
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.py"
        script.write_text(code, encoding="utf-8")
        with contextlib.redirect_stdout(out):
            runpy.run_path(str(script), run_name="__main__")
    return out.getvalue()
