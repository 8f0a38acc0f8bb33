"""Compares a map with a recording: what is right, what is wrong (a fault), and what is not known (a gap)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Data = Mapping[str, Any]
PARTS = ("lines", "variables", "runs")


@dataclass
class Share:
    """How much of a part is right, wrong, and not known."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.right + other.right, self.wrong + other.wrong, self.unknown + other.unknown)

    @property
    def found(self) -> float:
        """The share of what TensorFlow made that is known."""
        return self.right / (self.right + self.unknown) if self.right + self.unknown else 1.0

    def __str__(self) -> str:
        return f"{self.right} right, {self.wrong} wrong, {self.unknown} not known ({self.found:.0%} found)"


@dataclass
class Comparison:
    """The shares of each part, and every fault and gap in words."""

    shares: dict[str, Share] = field(default_factory=lambda: {part: Share() for part in PARTS})
    faults: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)


def compare(found: Data, truth: Data) -> Comparison:
    """Holds a map against a recording."""
    result = Comparison()
    _compare_lines(found, truth, result)
    _compare_variables(found, truth, result)
    _compare_runs(found, truth, result)
    return result


def _compare_lines(found: Data, truth: Data, result: Comparison) -> None:
    ours, theirs = (
        {(path, int(line)) for path, lines in each["lines"].items() for line in lines} for each in (found, truth)
    )
    result.shares["lines"] = Share(len(ours & theirs), len(ours - theirs), len(theirs - ours))
    result.faults += [f"line {path}:{line} builds nothing" for path, line in sorted(ours - theirs)]
    result.gaps += [f"line {path}:{line} builds" for path, line in sorted(theirs - ours)]


def _compare_variables(found: Data, truth: Data, result: Comparison) -> None:
    ours = Counter(each["name"] for each in found["variables"] if each["name"] is not None)
    theirs = Counter(each["name"] for each in truth["variables"])
    result.shares["variables"] = Share((ours & theirs).total(), (ours - theirs).total(), (theirs - ours).total())
    result.faults += [f"there is no variable {name}" for name in sorted(ours - theirs)]
    result.gaps += [f"variable {name}" for name in sorted(theirs - ours)]
    both = [name for each in truth["variables"] if (name := each["name"]) in ours]
    if [each["name"] for each in found["variables"] if each["name"] in theirs] != both and ours == theirs:
        result.faults.append("the variables have another order")
    rows = [(each["name"], each["shape"], each["trainable"]) for each in truth["variables"]]
    for each in found["variables"]:
        name, shape, trainable = each["name"], each["shape"], each["trainable"]
        same = [row for row in rows if row[0] == name]  # graphs behind one another may have variables of one name
        if same and not any(shape in (None, row[1]) and trainable in (None, row[2]) for row in same):
            result.shares["variables"].wrong += 1
            result.faults.append(f"variable {name} is {same[0][1:]}, not {(shape, trainable)}")


def _run_key(run: Data) -> tuple[Any, ...]:
    fetches = frozenset((name.partition(":")[0], path, line) for name, _, path, line in run["fetches"])
    return tuple(run["at"]), fetches, frozenset(each[0] for each in run["feeds"])


def _compare_runs(found: Data, truth: Data, result: Comparison) -> None:
    ours = {_run_key(run) for run in found["runs"] if not run.get("unknown")}
    theirs = {_run_key(run) for run in truth["runs"]}
    reached = {key[0] for key in theirs}  # of what this execution never reached, nobody knows what it is
    wrong = {key for key in ours - theirs if key[0] in reached}
    result.shares["runs"] = Share(len(ours & theirs), len(wrong), len(theirs - ours))
    result.faults += sorted(f"run {_shown(key)} is none" for key in wrong)
    result.gaps += sorted(f"run {_shown(key)}" for key in theirs - ours)


def _shown(key: tuple[Any, ...]) -> str:
    (path, line), fetches, feeds = key
    return f"{path}:{line} of {sorted(each[0] for each in fetches)} fed {sorted(feeds)}"
