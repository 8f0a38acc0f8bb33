"""What export strategies keep of earlier exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from compat.contrib.learn import export_strategy


@pytest.mark.parametrize(
    ("kept", "left"), [(None, ["9", "10", "200", "notes"]), (2, ["10", "200", "notes"]), (0, ["notes"])]
)
def test_the_newest_exports_stay(kept: int | None, left: list[str], tmp_path: Path) -> None:
    for name in ("9", "10", "200", "notes"):
        (tmp_path / name).mkdir()
    export_strategy.garbage_collect_exports(str(tmp_path), kept)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(left)
