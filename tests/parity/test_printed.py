"""Numbers in print-outs: which lines belong together, and which differences count."""

from __future__ import annotations

import pytest

from tf_migrate.parity.printed import compare_output


def problems(original: str, migrated: str) -> list[str | None]:
    return [item.problem for item in compare_output(original, migrated)]


@pytest.mark.parametrize(
    ("original", "migrated", "found"),
    [
        ("loss 0.51\n", "loss 0.51\n", [None]),
        ("loss 0.51\n", "loss 0.52\n", [None]),  # one unit of the last digit
        ("loss 0.51\n", "loss 0.54\n", ["0.51 became 0.54"]),
        ("step 3 of 4\n", "step 2 of 4\n", ["3 became 2"]),
        ("[ 1.5  2. ]\n", "[1.5 2. ]\n", [None]),
        ("nan 1.0\n", "nan 1.0\n", [None]),
        ("loss nan\n", "loss 1.0\n", ["nan became 1.0"]),
        ("took 3.1 s, 12:00:01\n", "took 9.9 s, 12:44:01\n", []),
        ("first\nloss 1.0\n", "loss 1.0\nsecond\n", [None]),
        ("loss 1.0\nloss 2.0\n", "loss 1.0\n", []),
        ("w 1e-05\n", "w 1.00001e-05\n", [None]),
        ("conv2d layer_1\n", "conv2d layer_1\n", []),
    ],
)
def test_lines(original: str, migrated: str, found: list[str | None]) -> None:
    assert problems(original, migrated) == found
