"""Random tests of users: after the rewrite they assert of the same values."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.native.random_tests import compared


def test_they_assert_of_the_same_values(tmp_path: Path, legacy_python: Path) -> None:
    found = compared(range(80), tmp_path, legacy_python)
    counts = Counter(found.values())
    assert set(counts) <= {"same", "refused", "invalid"}, found
    assert counts["same"] > 10, counts
