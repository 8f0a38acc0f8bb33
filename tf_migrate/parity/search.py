"""The way from a difference to the operation at which it begins: first the run, then what is inside of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tf_migrate.parity.bisection import bisect
from tf_migrate.parity.compare import compare_arrays, tolerance_of
from tf_migrate.parity.inside import read_inside
from tf_migrate.parity.record import Event, Record
from tf_migrate.parity.result import Bisection, Comparison, Result
from tf_migrate.parity.trial import Look, Trial

_FAR = 200  # so many runs before the first that differs are looked through


def search(
    trial: Trial, result: Result, original: Record, migrated: Record, progress: Callable[[str], None]
) -> Bisection | str:
    """Where the programs part, or why that cannot be said; runs both again, up to two times."""
    first = next((item for item in result.failures if item.kind == "initial value"), None)
    if first is not None:
        return _initial(first, original, migrated)
    steps = [item.step for item in result.failures if item.kind in ("run", "gradient") and item.step is not None]
    inputs = [item.step for item in result.failures if item.kind == "input" and item.step is not None]
    if inputs and (not steps or min(inputs) <= min(steps)):
        return f"the programs are given other data in run {min(inputs) + 1}, which no operation of theirs computes"
    if not steps and not any(item.kind == "final value" for item in result.failures):
        return "no run differs"
    if not original.events or not migrated.events:
        return "no run was recorded that could be looked into"
    last = min(steps) if steps else min(len(original.events), len(migrated.events)) - 1
    return _found(trial, last, progress)


def _initial(first: Comparison, original: Record, migrated: Record) -> Bisection:
    before, after = original.variable_places.get(first.name, "?"), migrated.variable_places.get(first.name, "?")
    return Bisection(first.name, "its initial value", before, after, first.absolute, 0, certain=True)


def _found(trial: Trial, last: int, progress: Callable[[str], None]) -> Bisection | str:
    first = max(0, last - _FAR)
    progress(f"both once more, to look inside of run {last + 1}")
    with trial.folder() as folder:
        both = _recorded(trial, folder, Look(last, (first, last)))
        step, variables = _parted(*both, first, last) or (last, set())
        if step == first > 0:
            return f"the variables differ before run {first + 1}; compare every step to find out where that begins"
        if step == last:
            return _inside(trial, both, step, variables)
    progress(f"both once more, to look inside of run {step + 1}, after which variables differ")
    with trial.folder() as folder:
        return _inside(trial, _recorded(trial, folder, Look(step)), step, variables)


def _recorded(trial: Trial, folder: Path, look: Look) -> tuple[Record, Record]:
    return trial.record("original", folder, look), trial.record("migrated", folder, look)


def _inside(trial: Trial, both: tuple[Record, Record], step: int, variables: set[str]) -> Bisection | str:
    before, after = (read_inside(record.folder) for record in both)
    if before is None or after is None:
        return f"run {step + 1} cannot be looked into: it takes the place of plain code, or its values are no arrays"
    found = bisect(before, after, _differing(trial, *both, step), variables)
    if found is None:
        return f"all values inside of run {step + 1} that both programs compute agree"
    return replace(found, step=step)


def _parted(original: Record, migrated: Record, first: int, last: int) -> tuple[int, set[str]] | None:
    """The first run after which variables differ, and which."""
    for step in range(first, last + 1):
        before, after = original.variables(f"after-{step:06}"), migrated.variables(f"after-{step:06}")
        names = set()
        for name in before.keys() & after.keys():
            allowed = tolerance_of(before[name].dtype, step)
            if compare_arrays(name, before[name], after[name], allowed.rtol, allowed.atol).problem is not None:
                names.add(name)
        if names:
            return step, names
    return None


def _differing(trial: Trial, original: Record, migrated: Record, step: int) -> list[tuple[int, int]]:
    """Positions of the values of a run that differ, in the original and in the migrated program."""
    before, after = _event(original, step), _event(migrated, step)
    if before is None or after is None or not (before.kept and after.kept):
        return []
    site = trial.analysis.site(before.path, before.line, before.call, after.name)
    fetched = site.fetched if site is not None and after.name is not None else None
    want, got = original.arrays(before, "value"), migrated.arrays(after, "value")
    places = before.selected(range(len(want)), fetched)
    allowed = {name: tolerance_of(array.dtype, step) for name, array in enumerate(want)}
    return [
        (position, number)
        for number, position in enumerate(places)
        if number < len(got)
        and compare_arrays("", want[position], got[number], allowed[position].rtol, allowed[position].atol).problem
    ]


def _event(record: Record, step: int) -> Event | None:
    return next((event for event in record.events if event.index == step), None)
