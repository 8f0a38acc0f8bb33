"""One small model in arrangements that a seed chooses: each is written in steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.arranger import program
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options


@pytest.mark.parametrize("seed", range(30))
def test_no_arrangement_stays_on_the_bridge(seed: int, tmp_path: Path) -> None:
    for name, text in program(seed).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    assert not outcome.report.failed
    assert outcome.report.sites and {site.tier for site in outcome.report.sites} <= {"native", "dynamic"}
    assert outcome.contents and all(b"Session" not in content for content in outcome.contents.values())
