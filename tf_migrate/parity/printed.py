"""Numbers that both programs print, line by line: further evidence beside what they compute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from tf_migrate.parity.result import Comparison

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan|inf)(?!\w)")
# Lines that tell of the run rather than of the program's numbers.
_PASSING = re.compile(
    r"\b(?:sec(?:ond)?s?|time|elapsed|took|duration|eta|ms|speed|examples/sec|date|pid)\b|\d\d:\d\d|0x[0-9a-f]+|/tmp/",
    re.IGNORECASE,
)
_RTOL, _ATOL = 1e-4, 1e-5


def compare_output(original: str, migrated: str) -> Iterator[Comparison]:
    """Compares the numbers of lines whose other text is the same; lines of times, dates and addresses are left out."""
    before, after = list(_lines(original)), list(_lines(migrated))
    matcher = SequenceMatcher(None, [text for text, _ in before], [text for text, _ in after], autojunk=False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            text, want = before[block.a + offset]
            got = after[block.b + offset][1]
            if want:
                yield _compared(text, block.a + offset, want, got)


def _lines(output: str) -> Iterator[tuple[str, list[str]]]:
    """Each line with its numbers blanked, and the numbers."""
    for line in output.splitlines():
        if not _PASSING.search(line):
            yield _NUMBER.sub("#", line).strip(), _NUMBER.findall(line)


def _compared(text: str, line: int, want: list[str], got: list[str]) -> Comparison:
    pairs = [(_distance(a, b), a, b) for a, b in zip(want, got, strict=True)]
    worst = max(pairs, key=lambda item: item[0])
    allowed = all(far <= _ATOL + _RTOL * abs(float(a)) + _last_digit(a) for far, a, _ in pairs)
    scale = abs(float(worst[1]))
    return Comparison(
        "printed",
        text[:80],
        line,
        len(want),
        worst[0],
        worst[0] / scale if scale else 0.0,
        None,
        (),
        f"rtol {_RTOL:g}, atol {_ATOL:g} and one unit of the last digit",
        None if allowed else f"{worst[1]} became {worst[2]}",
    )


def _distance(want: str, got: str) -> float:
    a, b = float(want), float(got)
    if a == b or (a != a and b != b):
        return 0.0
    return abs(a - b) if abs(a - b) == abs(a - b) else float("inf")


def _last_digit(number: str) -> float:
    """What one unit of the last printed digit is worth; a whole number is exact."""
    mantissa, _, exponent = number.lower().partition("e")
    _, point, digits = mantissa.partition(".")
    return 10.0 ** (int(exponent or 0) - len(digits)) if point and digits.isdigit() else 0.0
