"""Two records side by side: first how the programs ended, then structure, inputs, values, variables, print-outs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tf_migrate.parity import printed
from tf_migrate.parity.analysis import Analysis
from tf_migrate.parity.compare import Array, compare_arrays, tolerance_of
from tf_migrate.parity.failure import failure
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.record import Event, Record
from tf_migrate.parity.result import Comparison, Kind, Place, Result, Verdict
from tf_migrate.parity.scenario import Scenario
from tf_migrate.parity.sensitivity import excuse, excused
from tf_migrate.report.model import Site

_SHOWN = 5
_COMPUTED = ("run", "gradient", "initial value", "final value", "regularization loss")


@dataclass
class Judge:
    """Compares one pair of records, the original's a good one; what it finds is collected in its attributes."""

    original: Record
    migrated: Record
    analysis: Analysis
    scenario: Scenario
    roots: tuple[Path, Path]
    legacy: Legacy
    structure: list[str] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    losses: dict[str, list[tuple[int, float, float]]] = field(default_factory=lambda: defaultdict(list))
    notes: list[str] = field(default_factory=list)
    compared: bool = False
    runs: dict[tuple[str, int, int], list[Event]] = field(default_factory=lambda: defaultdict(list))

    def result(self, program: str, device: str) -> Result:
        """The whole comparison."""
        verdict = failure("migrated", self.migrated, self.scenario, self.legacy)
        if verdict is None and not self.compared:
            self.compared = True
            self._initial_values()
            self._runs()
            self._regularization()
            self._final_values()
            self._files()
            self._printed()
        return self._told(verdict or self._verdict(), program, device)

    def reconsider(self, how: str, *others: Record) -> None:
        """Lets pass what differs no more than the original does from itself.

        All or nothing: what is magnified behind a true difference is no excuse for it.

        Args:
          how: when the original parts from itself, for the reader.
          others: other records of it, the one made that way at the end.
        """
        runs, again = len(self.original.events), len(others[-1].events)
        if runs != again:
            self.notes.append(
                f"the original makes {runs} runs, and {again} {how}: so small a thing decides where it goes; compare a "
                "shorter run"
            )
        wrong = [item for item in self.comparisons if item.problem is not None]
        passed = {id(item) for item in excused(wrong, self.original, others)}
        if wrong and len(passed) == len(wrong):
            self.comparisons = [excuse(item) if id(item) in passed else item for item in self.comparisons]
            self.notes.append(
                f"{len(passed)} comparisons pass the tolerance, and no more than ten times as far as the original "
                f"does {how}"
            )

    def _told(self, verdict: Verdict, program: str, device: str) -> Result:
        return Result(
            program,
            device,
            self.legacy.name,
            verdict,
            self.analysis.tiers,
            tuple(self.structure),
            tuple(self.comparisons),
            tuple(self._places()),
            {name: tuple(points) for name, points in self.losses.items() if len(points) > 1},
            (*self.original.races, *self._left_open(), *self.notes),
            (self.original.ended.seconds, self.migrated.ended.seconds),
            (len(self.original.events), len(self.migrated.events)),
        )

    def _left_open(self) -> Iterator[str]:
        """What no comparison can tell: when threads run, what one program found because the other one left it there."""
        both = sorted(self.original.shared & self.migrated.shared)
        if self.original.in_threads:
            yield "runs that threads of the program make are not compared: nothing says when they come"
        if both:
            more = f" and {len(both) - 1} more" if len(both) > 1 else ""
            yield f"both write to {both[0]}{more}: what the original left there, the migrated program may have read"

    def _initial_values(self) -> None:
        before, after = self.original.variables("initial"), self.migrated.variables("initial")
        for name in sorted(set(before) & set(after)):
            if self.scenario.checkpoint is None:
                self._compare("initial value", name, None, before[name], after[name])
            elif before[name].shape != after[name].shape:
                self.structure.append(_shapes(name, before[name], after[name]))

    def _final_values(self) -> None:
        before, after = self.original.variables("final"), self.migrated.variables("final")
        restarted = self.migrated.variables("restarted")
        after.update({name: restarted[name] for name in self.original.without_value & set(restarted)})
        for name in sorted(before):
            if name not in after and name in self.original.local_variables:
                self.notes.append(f"the local variable `{name}` is not there after the migration")
            elif name not in after:
                self.structure.append(
                    f"the variable `{name}` {list(before[name].shape)} is missing after the migration"
                )
            else:
                self._compare("final value", name, None, before[name], after[name], steps=len(self.original.events))
        added = sorted(set(after) - set(before))
        if added:
            more = f" and {len(added) - _SHOWN} more" if len(added) > _SHOWN else ""
            self.notes.append(f"only the migrated program has: {', '.join(added[:_SHOWN])}{more}")

    def _runs(self) -> None:
        originals, migrated = self.original.events, self.migrated.events
        for event in originals:
            self.runs[event.path, event.line, event.call].append(event)
        if len(originals) != len(migrated):
            made = f"{len(originals)} run{'s' * (len(originals) != 1)}"
            self.structure.append(f"the original makes {made}, the migrated program {len(migrated)}")
        for before, after in zip(originals, migrated, strict=False):
            site = self.analysis.site(before.path, before.line, before.call, after.name)
            expected = site.function if site is not None and site.tier == "native" else None
            if after.name is not None and expected is not None and after.name != expected:
                self.structure.append(
                    f"run {before.index + 1}: the original runs {before.path}:{before.line} (`{expected}`), "
                    f"the migrated program calls `{after.name}` ({after.path}:{after.line})"
                )
                return
            if before.kept and after.kept:
                self._run(before, after, site if after.name is not None else None)

    def _run(self, before: Event, after: Event, site: Site | None) -> None:
        """`site` tells what a function gives back and takes; None for a session's run."""
        fetched, elements = (None, ()) if site is None else (site.fetched, site.elements)
        name = self.analysis.name(before.path, before.line, before.call) + (f" {after.name}" if after.name else "")
        self._inputs(name, before, after, elements)
        self._gradients(name, before, after)
        wanted = before.selected(self.original.arrays(before, "value"), fetched)
        got = self.migrated.arrays(after, "value") if fetched != () else []
        if site is not None and site.kind == "MonitoredSession.run":
            got = got[: len(wanted)]  # what hooks ask for comes behind what the program does
        if len(wanted) != len(got) and before.library:
            return  # what an estimator fetches beside the loss is its own affair
        if not got and (before.path, before.line) in self.analysis.dropped:
            return  # nobody takes what the original computes
        if len(wanted) != len(got):
            self.structure.append(
                f"run {before.index + 1} at {name}: the original computes {len(wanted)} values, "
                f"the migrated program {len(got)}"
            )
            return
        places = before.selected(range(before.values), fetched)
        for number, (want, have) in enumerate(zip(wanted, got, strict=True)):
            label = name if len(wanted) == 1 else f"{name} [{number}]"
            precision = before.precision.get(places[number])
            self._compare("run", label, before.index, want, have, steps=before.index, precision=precision)
            if want.size == 1 and have.size == 1 and want.dtype.kind == "f":
                self.losses[label].append((before.index, float(want.ravel()[0]), float(have.ravel()[0])))

    def _inputs(self, name: str, before: Event, after: Event, elements: tuple[str, ...]) -> None:
        """Every value that the migrated program is given was fed to the original: a run may need fewer.

        Not so `elements`, which the original's graph took from its data itself: what is computed of them is compared.
        Where both name what they are given alike, as two sessions do, names decide; else any value of that shape.
        """
        given = dict(zip(before.given, self.original.arrays(before, "input"), strict=True))
        taken = dict(zip(after.given, self.migrated.arrays(after, "input"), strict=True))
        given = {label.removesuffix(":0"): value for label, value in given.items()}
        taken = {label.removesuffix(":0"): value for label, value in taken.items()}
        taken = {label: value for label, value in taken.items() if label.partition("/")[0] not in elements}
        by_name = set(taken) <= set(given)
        for label, have in taken.items():
            like = [given[label]] if by_name else [want for want in given.values() if want.shape == have.shape]
            if any(want.dtype == have.dtype and np.array_equal(want, have) for want in like):
                continue
            what, others = f"{name} input {label}", like or list(given.values())
            if not others:
                self.structure.append(f"run {before.index + 1} at {name}: nothing was fed, and `{label}` is given")
                continue
            nearest = min(others, key=lambda want: _far(want, have))
            self._compare("input", what, before.index, nearest, have, steps=before.index)

    def _gradients(self, name: str, before: Event, after: Event) -> None:
        want, have = self.original.gradients(before), self.migrated.gradients(after)
        for variable in sorted(want):
            if variable in have:
                label = f"{name} gradient of {variable}"
                pair = want[variable], have[variable]
                self._compare("gradient", label, before.index, *pair, steps=before.index, variable=variable)
            else:
                self.structure.append(f"run {before.index + 1} at {name}: `{variable}` has no gradient any more")

    def _regularization(self) -> None:
        """After the first run; native code has no collection of them, they are part of its losses."""
        before, after = self.original.variables("regularization"), self.migrated.variables("regularization")
        for name in sorted(before.keys() & after.keys()):
            self._compare("regularization loss", name, 0, before[name], after[name], steps=1)
        missing = sorted(before.keys() - after.keys())
        if missing and not after:
            self.notes.append(
                f"the original's losses of regularizers ({len(missing)}) are compared as part of its losses: "
                "the migrated program keeps no collection of them"
            )
        elif missing:
            self.structure.append(f"the regularization loss `{missing[0]}` is missing after the migration")

    def _files(self) -> None:
        """What both wrote under the same names; a saved object names its variables in ways of its own."""
        before, after = self.original.variables("files"), self.migrated.variables("files")
        names = set(after)
        places = {name.partition(": ")[0] for name in names}
        for name in sorted(before):
            place = name.partition(": ")[0]
            if name in names:
                self._compare("file", name, None, before[name], after[name], steps=len(self.original.events))
            elif place not in places or not any("/.ATTRIBUTES/" in item for item in names if item.startswith(place)):
                self.notes.append(f"the original writes `{name}`, the migrated program does not")

    def _printed(self) -> None:
        for difference in printed.compare_output(self.original.output, self.migrated.output):
            self.comparisons.append(difference)
        text = printed.same_text(self.original.output, self.migrated.output)
        if text is not None and self.analysis.sites and not any(item.values for item in self.comparisons):
            self.comparisons.append(text)

    def _compare(
        self,
        kind: Kind,
        name: str,
        step: int | None,
        want: Array,
        got: Array,
        steps: int = 0,
        precision: str | None = None,
        variable: str | None = None,
    ) -> None:
        asked = self.scenario.tolerance(name)
        if asked is None and kind == "file":  # a checkpoint: what is said of a variable holds for what is saved of it
            asked = self.scenario.tolerance(name.partition(": ")[2])
        allowed = asked or tolerance_of(want.dtype if precision is None else np.dtype(precision), steps)
        found = compare_arrays(name, want, got, allowed.rtol, allowed.atol)
        bound = f"rtol {allowed.rtol:g}, atol {allowed.atol:g}"
        numbers = (found.values, found.absolute, found.relative, found.ulps, found.index)
        told = (found.problem, found.excess, found.lost, variable)
        self.comparisons.append(Comparison(kind, name, step, *numbers, bound, *told))

    def _verdict(self) -> Verdict:
        wrong = [item for item in self.comparisons if item.problem is not None]
        if wrong and not self.structure:
            return self._difference(wrong)
        if self.structure:
            more = f" (and {len(self.structure) - 1} more)" if len(self.structure) > 1 else ""
            return Verdict("structure differs", f"{self.structure[0]}{more}", "look at this place in both programs")
        if not any(item.values for item in self.comparisons):
            return Verdict(
                "nothing to compare",
                "the programs ended well, and computed, kept and printed no number that could be compared",
                "print a result, or run a script that does",
            )
        lost = next((item for item in self.comparisons if item.lost and item.kind in _COMPUTED), None)
        if lost is not None:
            where = f" in run {lost.step + 1}" if lost.step is not None else ""
            return Verdict(
                "not a number",
                f"both programs compute NaN, at first the {lost.kind} of {lost.name}{where} "
                f"({lost.lost} of {lost.values} values); all else agrees",
                "what follows from NaN says nothing: compare a run in which the original computes numbers",
            )
        values = sum(item.values for item in self.comparisons)
        return Verdict("parity", f"{values} values agree in {len(self.comparisons)} comparisons")

    def _difference(self, wrong: Sequence[Comparison]) -> Verdict:
        first = min(wrong, key=when)
        where = f" in run {first.step + 1}" if first.step is not None else ""
        at = f" at index {list(first.index)}" if first.index else ""
        message = f"the {first.kind} of {first.name} is the first to differ{where}: {first.absolute:.3g}{at}"
        more = f"; {len(wrong) - 1} more differ" if len(wrong) > 1 else ""
        next_step = "look at what this value is computed from"
        if first.kind == "input":
            next_step = "they are given other data: sort sets, seed what is drawn, compare versions of libraries"
        return Verdict("differs", f"{message} ({first.bound}){more}", next_step)

    def _places(self) -> Iterator[Place]:
        """The sites that ran, with their source on both sides."""
        for (path, line, call), events in sorted(self.runs.items()):
            site = self.analysis.site(path, line, call)
            prefix = self.analysis.name(path, line, call)
            found = [
                item
                for item in self.comparisons
                if item.kind in ("run", "input") and (item.name == prefix or item.name.startswith(f"{prefix} "))
            ]
            function = site.function if site is not None and site.tier == "native" else None
            after = next((event for event in self.migrated.events if function and event.name == function), None)
            yield Place(
                prefix,
                path,
                line,
                function,
                site.tier if site is not None else "unknown",
                _lines(self.roots[0] / path, line),
                "" if after is None else _lines(self.roots[1] / after.path, after.line),
                len(events),
                len({item.step for item in found}),
                max(found, key=lambda item: item.absolute, default=None),
            )


def when(item: Comparison) -> tuple[int, int, int]:
    """The order in which differences are told: what is there before the runs, the runs, what is left at the end."""
    moment: dict[Kind, int] = {"initial value": 0, "input": 1, "run": 1, "gradient": 1, "printed": 2}
    within: dict[Kind, int] = {"input": 0, "run": 1, "gradient": 2}
    return moment.get(item.kind, 3), item.step or 0, within.get(item.kind, 0)


def _far(want: Array, have: Array) -> tuple[bool, float]:
    """How far an input is from another; of another shape or type is farther than any."""
    return want.shape != have.shape or want.dtype != have.dtype, compare_arrays("", want, have).absolute


def _shapes(name: str, before: Array, after: Array) -> str:
    return f"the variable `{name}` is {list(before.shape)} in the original and {list(after.shape)} after the migration"


def _lines(path: Path, line: int, around: int = 2) -> str:
    """The lines of a file around one, which is marked."""
    if not path.is_file():
        return ""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    first = max(1, line - around)
    shown = enumerate(lines[first - 1 : line + around], start=first)
    return "\n".join(f"{'>' if number == line else ' '} {number:4} {text}" for number, text in shown)
