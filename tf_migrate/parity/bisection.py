"""Where a difference begins: the first operation inside a run whose inputs agree and whose result does not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tf_migrate.parity.compare import Array, compare_arrays, tolerance_of
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Bisection

_SLACK = 10  # a difference that is passed on grows from operation to operation


@dataclass(frozen=True)
class Inside:
    """One tensor of a run: its value, the operation's type and inputs, and the line that built it."""

    name: str
    type: str
    inputs: tuple[str, ...]
    place: str
    value: Array


def bisect(original: Record, migrated: Record) -> Bisection | None:
    """The first operation at which two runs part, by the names that both graphs have; None where none does.

    Graphs that TensorFlow 1 and 2 build differ inside of some layers. An operation is blamed only where both graphs
    have it with the same type and inputs; else the answer is the first value that differs, and says so.
    """
    before, after = _read(original.folder), _read(migrated.folder)
    agreeing = 0
    for name, want in before.items():
        have = after.get(name)
        if have is None or have.type != want.type or want.value.shape != have.value.shape:
            continue
        allowed = tolerance_of(want.value.dtype, _SLACK)
        found = compare_arrays(name, want.value, have.value.astype(want.value.dtype), allowed.rtol, allowed.atol)
        if found.problem is None:
            agreeing += 1
            continue
        certain = want.inputs == have.inputs and all(item in before and item in after for item in want.inputs)
        return Bisection(name, want.type, want.place, have.place, found.absolute, agreeing, certain)
    return None


def _read(folder: Path) -> dict[str, Inside]:
    described, values = folder / "inside.json", folder / "inside.npz"
    if not described.exists() or not values.exists():
        return {}
    found = {}
    with np.load(values, allow_pickle=False) as arrays:
        for number, (name, kind, inputs, place) in enumerate(json.loads(described.read_text())):
            where = f"{place[0]}:{place[1]}" if place else "?"
            found[name] = Inside(name, kind, tuple(inputs), where, arrays[f"tensor_{number}"])
    return found
