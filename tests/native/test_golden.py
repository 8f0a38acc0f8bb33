"""Real shapes of programs before and after; what real TensorFlow 1.15.5 printed is in `output.txt`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.native.native import printed, rewritten

GOLDEN = sorted((Path(__file__).parent / "golden").iterdir())
_NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


def _text(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda folder: folder.name)
def test_before_becomes_after(folder: Path) -> None:
    result = rewritten(_text(folder, "before.py"))
    assert result.text == _text(folder, "after.py")
    assert {site.tier for site in result.sites} == {"native"}


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda folder: folder.name)
def test_after_stays_as_it_is(folder: Path) -> None:
    after = _text(folder, "after.py")
    assert rewritten(after).text == after
    assert "Session" not in after
    assert "compat.v1" not in after


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda folder: folder.name)
def test_after_prints_the_numbers_of_tf1(folder: Path) -> None:
    ours, theirs = printed(_text(folder, "after.py")), _text(folder, "output.txt")
    assert _NUMBER.sub("#", ours).split() == _NUMBER.sub("#", theirs).split()
    numbers = [[float(number) for number in _NUMBER.findall(text)] for text in (ours, theirs)]
    assert numbers[0] == pytest.approx(numbers[1], rel=2e-5, abs=1e-6)
