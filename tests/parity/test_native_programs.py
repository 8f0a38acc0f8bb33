"""Programs whose native form looks different: data that loops hand over, several optimizers, steps that share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parity.test_command import run, trees

GOLDEN = Path(__file__).parents[1] / "native" / "golden"


@pytest.mark.parametrize("name", ["dataset_iterators", "ensemble", "fed_dataset", "saver"])
def test_parity(tmp_path: Path, name: str) -> None:
    legacy, new = trees(tmp_path, (GOLDEN / name / "before.py").read_text())
    assert "Session" not in (new / "train.py").read_text()
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0, output
    assert "parity:" in output
