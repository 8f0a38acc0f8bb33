"""A map as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TextIO

from rich.console import Console
from rich.text import Text

from tf_migrate.trace.program_map import Element, Place, ProgramMap, RunSet, Variable

_MAYBE = "lines that may build: a condition decides that only the running program knows"


def show(programs: Sequence[ProgramMap], file: TextIO) -> None:
    """Prints maps, one behind the other."""
    console = Console(file=file, highlight=False, markup=False, soft_wrap=True)
    for at, program in enumerate(programs):
        if at:
            console.print()
        _show_program(program, console)


def _show_program(program: ProgramMap, console: Console) -> None:
    console.print(Text(program.entry, style="bold"))
    _section(console, "lines that build", _ranges(program.lines))
    _section(console, _MAYBE, _ranges(program.maybe))
    _section(console, f"variables: {len(program.variables)}", map(_variable, program.variables))
    _section(console, "runs", (line for run in program.runs for line in _run(run)))
    _section(console, "not known", (f"{_at(at)}: {reason}" for at, reason in program.unknown))


def _section(console: Console, title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        console.print(Text(f"  {title}", style="cyan"))
        for line in found:
            console.print(f"    {line}")


def _at(place: Place) -> str:
    return f"{place[0]}:{place[1]}"


def _ranges(places: Sequence[Place]) -> list[str]:
    """`model.py: 4-9, 12`: one text a file."""
    rows = []
    for path, group in groupby(places, key=lambda place: place[0]):
        runs: list[list[int]] = []
        for _, line in group:
            if runs and line == runs[-1][-1] + 1:
                runs[-1].append(line)
            else:
                runs.append([line])
        rows.append(f"{path}: {', '.join(f'{run[0]}-{run[-1]}' if len(run) > 1 else str(run[0]) for run in runs)}")
    return rows


def _variable(variable: Variable) -> str:
    name = variable.name or "? (its name is not known)"
    shape = "" if variable.shape is None else f" [{', '.join('?' if n is None else str(n) for n in variable.shape)}]"
    kind = {True: "", False: ", not trainable", None: ", perhaps trainable"}[variable.trainable]
    return f"{name}{shape}{kind}  {_at(variable.at)}"


def _run(run: RunSet) -> list[str]:
    if run.reason:
        return [f"{_at(run.at)}: not known: {run.reason}"]
    fed = f", feeds {_elements(run.feeds)}" if run.feeds else ""
    return [f"{_at(run.at)}: fetches {_elements(run.fetches) or 'nothing'}{fed}"]


def _elements(elements: Sequence[Element]) -> str:
    return ", ".join(each.name for each in elements)
