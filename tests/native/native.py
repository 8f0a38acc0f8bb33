"""Rewriting a text with the native tier, and running what comes out."""

from __future__ import annotations

import contextlib
import io
import runpy
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.report.model import Finding, Site

STEPS = ("TFM205",)
"""What is left out where the form is tested that moves statements: programs in steps have tests of their own."""


@dataclass(frozen=True)
class Rewritten:
    """The new text of a script, and its part of the report."""

    text: str
    sites: tuple[Site, ...]
    findings: tuple[Finding, ...]


def rewritten(code: str, *, tier: str = "native") -> Rewritten:
    """The rewriting of a script that stands alone, verified as the pipeline verifies it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.py"
        path.write_bytes(code.encode())
        options = Options(paths=(path,), tier="native" if tier == "native" else "bridge", ignore=STEPS)
        outcome = pipeline.run([TreeFile(path, "train.py")], options)
    assert not outcome.report.failed, outcome.report.failed
    reasons = [site.reason for site in outcome.report.sites if (site.reason or "").startswith("its native code failed")]
    assert not reasons, reasons
    text = outcome.contents.get("train.py", code.encode()).decode()
    return Rewritten(text, outcome.report.sites, outcome.report.findings)


def made_native(code: str) -> Rewritten:
    """The rewriting of a script whose runs all become native: rewritten again it stays as it is."""
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"native"}, [site.reason for site in result.sites]
    assert rewritten(result.text).text == result.text
    return result


def refuses(code: str, reason: str) -> None:
    """Asserts that a script stays on the bridge as a whole, and why."""
    sites = rewritten(code).sites
    assert {site.tier for site in sites} == {"bridge"}
    given = next(site.reason for site in sites if site.reason is not None)
    assert reason in given, given


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
        try:
            with contextlib.redirect_stdout(out), np.printoptions():
                runpy.run_path(str(script), run_name="__main__")
        finally:
            close_graph()
    return out.getvalue()


def close_graph() -> None:
    """What the end of a script's own process would do: no later test builds in its graph."""
    import compat
    from compat.bridge.graph import current_graph

    while current_graph() is not None:
        compat.close_graph()
    compat.reset_default_graph()
