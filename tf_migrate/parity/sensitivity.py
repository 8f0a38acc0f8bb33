"""How far the original parts from itself: when its initial values change in the last places, or when it runs again.

Some programs carry the smallest difference on until it is large: an optimizer that divides by the size of its
gradients, a choice between two values that are nearly equal. No migration keeps such numbers, and no fixed bound fits
them all. Where values differ, the original therefore runs once more, each of its initial values changed by two units in
the last place. A difference up to ten times as large as its own is none of the migration's.

TensorFlow 1 also leaves open in which order a run reads and updates variables that are memory: such an original is run
again as it is, and held against itself in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from tf_migrate.parity.compare import Array, compare_arrays, tolerance_of
from tf_migrate.parity.printed import compare_output
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Comparison

DISTURBED = "when its initial values change in the last place"
_TIMES = 10


def excused(failures: Iterable[Comparison], original: Record, others: Iterable[Record]) -> Iterator[Comparison]:
    """The comparisons that fail by no more than ten times what the original's other runs do.

    A gradient is held against the gradients of its variable in those runs: what they lead to, an optimizer may have
    evened out or made a full step of. What is printed may say by chance how far the original parts, or with other words
    around it: it is then held against how far its runs do.
    """
    own = _own(original, others)
    every = max((far for _, _, far in own["run"]), default=0.0)
    for item in failures:
        kind = item.kind if item.kind in ("gradient", "final value", "file", "printed") else "run"
        name = "" if kind == "run" else item.variable if kind == "gradient" else item.name
        last = item.step or 0
        parted = max((far for label, step, far in own[kind] if label == name and step <= last), default=0.0)
        if item.kind in ("initial value", "input"):
            continue
        if item.excess <= _TIMES * parted or (
            item.kind == "printed" and 0 < _as_run(item, len(original.events)) <= _TIMES * every
        ):
            yield item


def excuse(item: Comparison) -> Comparison:
    """The comparison as one that agrees."""
    return replace(item, problem=None, bound=f"{item.bound}; the original itself parts so far")


def _own(original: Record, others: Iterable[Record]) -> dict[str, list[tuple[str, int, float]]]:
    """Kind -> (name or variable, run or line, difference in units of the tolerance)."""
    found: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
    for other in others:
        for before, after in zip(original.events, other.events, strict=False):
            if before.kept and after.kept:
                values = zip(original.arrays(before, "value"), other.arrays(after, "value"), strict=False)
                found["run"] += [("", before.index, _excess(want, have, before.index)) for want, have in values]
                slopes, theirs = original.gradients(before), other.gradients(after)
                found["gradient"] += [
                    (name, before.index, _excess(slopes[name], theirs[name], before.index))
                    for name in slopes.keys() & theirs.keys()
                ]
        for kind, moment in (("final value", "final"), ("file", "files")):
            kept, theirs = original.variables(moment), other.variables(moment)
            for name in kept.keys() & theirs.keys():
                found[kind].append((name, 0, _excess(kept[name], theirs[name], len(original.events))))
        printed = compare_output(original.output, other.output)
        found["printed"] += [(item.name, item.step or 0, item.excess) for item in printed]
    return found


def _as_run(item: Comparison, steps: int) -> float:
    """How far a printed number differs, in units of what is allowed for a number that so many runs lead to."""
    allowed = tolerance_of(np.dtype(np.float32), steps)
    scale = item.absolute / item.relative if item.relative and np.isfinite(item.relative) else 0.0
    return item.absolute / (allowed.atol + allowed.rtol * scale)


def _excess(want: Array, have: Array, steps: int) -> float:
    allowed = tolerance_of(want.dtype, steps)
    return compare_arrays("", want, have, allowed.rtol, allowed.atol).excess
