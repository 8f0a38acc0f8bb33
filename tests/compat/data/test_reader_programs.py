"""Readers of TFRecord, CSV and raw bytes give, migrated, the elements that they give in TF 1.15.5."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import warm
from tests.engine import migrated

GOLDENS = Path(__file__).parents[2] / "goldens"
EXPECTED = json.loads((GOLDENS / "readers.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def elements(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    result = migrated((GOLDENS / "readers_program.py").read_text(encoding="utf-8"))
    assert not [finding for finding in result.findings if finding.action == "manual"]
    program = tmp_path_factory.mktemp("readers") / "program.py"
    program.write_text(result.text, encoding="utf-8")
    done = warm.run([sys.executable, str(program)])
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_all_readers_were_read(elements: dict[str, Any]) -> None:
    assert set(elements) == set(EXPECTED)
    assert all(len(seen) >= 2 for seen in EXPECTED.values())


@pytest.mark.parametrize("reader", sorted(EXPECTED))
def test_elements_of_tensorflow_1(reader: str, elements: dict[str, Any]) -> None:
    assert len(elements[reader]) == len(EXPECTED[reader])
    for seen, expected in zip(elements[reader], EXPECTED[reader], strict=True):
        _same(seen, expected)


def _same(seen: Any, expected: Any) -> None:
    if isinstance(expected, list):
        assert len(seen) == len(expected)
        for one, other in zip(seen, expected, strict=True):
            _same(one, other)
    elif isinstance(expected, float):
        np.testing.assert_allclose(seen, expected, rtol=1e-7)
    else:
        assert seen == expected and type(seen) is type(expected)
