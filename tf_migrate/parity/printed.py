"""Numbers that both programs print, line by line: further evidence beside what they compute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from tf_migrate.parity.result import Comparison

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan|inf)(?!\w)")
# Lines that tell of the run rather than of the program's numbers.
_PASSING = re.compile(
    r"\b(?:sec(?:ond)?s?|time|elapsed|took|duration|eta|ms|speed|examples/sec|date|pid)\b|\d\d:\d\d|0x[0-9a-f]+|/tmp/",
    re.IGNORECASE,
)
_RTOL, _ATOL = 1e-4, 1e-5


def compare_output(original: str, migrated: str) -> Iterator[Comparison]:
    """Compares the numbers of lines by their other text: the k-th line of a text with the k-th of the same text.

    Lines of times, dates and addresses are left out, and texts that one program prints more often than the other.
    """
    before, after = _by_text(original), _by_text(migrated)
    for text, lines in before.items():
        others = after.get(text, [])
        if len(lines) != len(others):
            continue
        for (line, want), (_, got) in zip(lines, others, strict=True):
            yield _compared(text, line, want, got)


def same_text(original: str, migrated: str) -> Comparison | None:
    """Compares print-outs without any number by their lines; None where there is nothing to compare."""
    before, after = ([line for line in text.splitlines() if line.strip()] for text in (original, migrated))
    before, after = ([line for line in lines if not _PASSING.search(line)] for lines in (before, after))
    if not before or _NUMBER.search("\n".join(before)):
        return None
    wrong = next((want for want, got in zip_longest(before, after) if want != got), None)
    problem = None if before == after else f"`{wrong}` is not printed" if wrong is not None else "more is printed"
    return Comparison("printed", "all lines", None, len(before), 0.0, 0.0, None, (), "equal", problem, float("inf"))


def _by_text(output: str) -> dict[str, list[tuple[int, list[str]]]]:
    """Text without numbers, brackets and spaces -> number of the line, and its numbers."""
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for number, line in enumerate(output.splitlines()):
        numbers = _NUMBER.findall(line)
        if numbers and not _PASSING.search(line):
            text = re.sub(r"[\s\[\]]+", " ", _NUMBER.sub("#", line)).strip()
            found.setdefault(text, []).append((number, numbers))
    return found


def _compared(text: str, line: int, want: list[str], got: list[str]) -> Comparison:
    pairs = [(_distance(a, b), a, b) for a, b in zip(want, got, strict=True)]
    worst = max(pairs, key=lambda item: item[0])
    allowed = all(far == 0 or far <= _ATOL + _RTOL * abs(float(a)) + _last_digit(a) for far, a, _ in pairs)
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
        max(far / (_ATOL + _RTOL * abs(float(a)) + _last_digit(a)) if far else 0.0 for far, a, _ in pairs),
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
