"""What the analysis says of one program, in the schema of a recording of TensorFlow 1.15.5."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.names.exports import Index
from tf_migrate.syntax.module import Module
from tf_migrate.trace.lines import line_of
from tf_migrate.trace.runs import Fetched, Run, Runs
from tf_migrate.trace.ways import Way

Place = tuple[str, int]
MOST_STATEMENTS = 300_000
MOST_TURNS = 100
"""More than a rewrite may take: loops over flags that have their defaults are followed turn by turn."""


@dataclass(frozen=True)
class Variable:
    """A variable. What is not known of it is None; a variable that may never be made has no name."""

    name: str | None
    shape: tuple[int | None, ...] | None
    trainable: bool | None
    at: Place


@dataclass(frozen=True)
class Element:
    """What a run fetched or fed, by its name, and the place that made it."""

    name: str
    at: Place


@dataclass(frozen=True)
class RunSet:
    """One set of what a place fetched and fed; both are empty where they are not known, and `reason` says why."""

    at: Place
    fetches: tuple[Element, ...] = ()
    feeds: tuple[Element, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class ProgramMap:
    """What is known of a program without running it."""

    entry: str
    lines: tuple[Place, ...] = ()
    maybe: tuple[Place, ...] = ()
    """Lines that build on some ways, and nobody knows whether the program goes them."""
    variables: tuple[Variable, ...] = ()
    runs: tuple[RunSet, ...] = ()
    unknown: tuple[tuple[Place, str], ...] = field(default=())
    """Places with what is not known there, and why."""

    def as_data(self) -> dict[str, Any]:
        """The schema of a recording, with `entry`, `maybe` and `unknown` beside it."""
        return {
            "entry": self.entry,
            "lines": _by_path(self.lines),
            "maybe": _by_path(self.maybe),
            "variables": [
                {
                    "name": each.name,
                    "shape": None if each.shape is None else list(each.shape),
                    "dtype": None,
                    "trainable": each.trainable,
                    "at": list(each.at),
                }
                for each in self.variables
            ],
            "runs": [_run_data(each) for each in self.runs],
            "unknown": [{"at": list(at), "reason": reason} for at, reason in self.unknown],
        }


def map_program(index: Index, script: str, compat_module: str = "compat") -> ProgramMap:
    """Executes a script over abstract values, and says what is known of it."""
    machine = Runs(index, Recorder(), compat_module)
    machine.give(MOST_STATEMENTS)
    machine.most_turns = MOST_TURNS
    frame = machine.run_script(script)
    entry = machine.modules[script].module.path if script in machine.modules else script
    certain: set[Place] = set()
    possible: set[Place] = set()
    for built in machine.built:
        known = not built.guessed and goes(built.ways)
        (certain if known else possible).add(_place(built.node, built.module))
    unknown: dict[tuple[Place, str], None] = {}
    for problem in machine.recorder.problems if frame is None else ():
        unknown[_place(problem.node, problem.module), f"{problem.message}; {problem.next_step}"] = None
    for node, module, reason in machine.unknown:
        unknown[_place(node, module), reason] = None
    variables = []
    for made in machine.variables:
        known = not made.guessed and goes(made.ways)
        at = _place(made.place, made.module)
        name = f"{made.name}:0" if known and made.name is not None else None
        variables.append(Variable(name, made.shape, made.trainable, at))
    return ProgramMap(
        entry,
        tuple(sorted(certain)),
        tuple(sorted(possible - certain)),
        tuple(variables),
        _runs(machine.map_runs),
        tuple(sorted(unknown)),
    )


def goes(ways: tuple[Way, ...]) -> bool:
    """Whether the program goes all of these ways for certain."""
    return all(way.certain for way in ways)


def _place(node: ast.AST, module: Module) -> Place:
    return module.path, line_of(node, module)


def _element(fetched: Fetched) -> Element:
    return Element(fetched.name, _place(fetched.node, fetched.module))


def _runs(seen: list[Run]) -> tuple[RunSet, ...]:
    """The sets of each place, those of one place together; guesses count only where nothing else is known."""
    places: defaultdict[Place, dict[RunSet, None]] = defaultdict(dict)
    guessed: dict[Place, RunSet] = {}
    for run in seen:
        at = _place(run.node, run.module)
        if run.guessed:
            guessed.setdefault(at, RunSet(at, reason="nothing shows that the program gets here, and with which values"))
        elif run.fetches is None or run.feeds is None:
            places[at][RunSet(at, reason=run.reason)] = None
        else:
            fetches = tuple(sorted(set(map(_element, run.fetches)), key=lambda each: each.name))
            feeds = tuple(sorted(set(map(_element, run.feeds)), key=lambda each: each.name))
            places[at][RunSet(at, fetches, feeds)] = None
    for at, run_set in guessed.items():
        if at not in places:
            places[at][run_set] = None
    return tuple(run_set for sets in places.values() for run_set in sets)


def _by_path(places: tuple[Place, ...]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for path, line in places:
        found.setdefault(path, []).append(line)
    return found


def _run_data(run: RunSet) -> dict[str, Any]:
    data: dict[str, Any] = {
        "at": list(run.at),
        "fetches": [[each.name, None, *each.at] for each in run.fetches],
        "feeds": [[each.name, *each.at, None] for each in run.feeds],
        "times": None,
    }
    return data | ({"unknown": True, "reason": run.reason} if run.reason else {})
