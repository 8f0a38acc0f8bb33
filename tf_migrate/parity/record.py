"""What the probe wrote down of one program."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tf_migrate.parity.process import Ended

Array = np.ndarray[Any, Any]
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Event:
    """One run: a session's, or a call of a function.

    Attributes:
      index: its number, initializers left out.
      name: the function's name, or None for a session.
      path: the file of the program that called.
      line: the line there.
      call: which of the runs on this line it is, in the order in which they are made, counted from 0.
      parts: how many arrays each fetch of a list gave; None where one thing was fetched.
      values: how many arrays were computed.
      kept: whether the arrays were written down.
      given: the names of what was fed or passed.
      gradients: the names of the variables whose gradients were written down.
      library: whether a loop of TensorFlow's own makes it, an estimator's for instance.
      precision: position of a value -> the type that it is computed from, where that is a shorter one.
    """

    index: int
    name: str | None
    path: str
    line: int
    parts: tuple[int, ...] | None
    values: int
    kept: bool
    given: tuple[str, ...] = ()
    gradients: tuple[str, ...] = ()
    library: bool = False
    precision: Mapping[int, str] = field(default_factory=dict)
    call: int = 0

    def selected(self, values: Sequence[_Value], fetched: tuple[int, ...] | None) -> Sequence[_Value]:
        """Those of the run's `values` that the code in its place gives back: the fetches `fetched`, None for all."""
        if fetched is None or self.parts is None:
            return values if fetched != () else []
        starts = np.cumsum([0, *self.parts])
        return [value for position in fetched for value in values[starts[position] : starts[position + 1]]]


@dataclass(frozen=True)
class Record:
    """One program's run: how it ended, and a folder with its values."""

    folder: Path
    ended: Ended

    @cached_property
    def outcome(self) -> Mapping[str, Any] | None:
        """What the probe said last; None where the program was killed before."""
        path = self.folder / "outcome.json"
        data: Mapping[str, Any] | None = json.loads(path.read_text()) if path.exists() else None
        return data

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The runs in order."""
        path = self.folder / "events.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return tuple(_event(json.loads(line)) for line in lines if line.endswith("}"))

    @property
    def variable_places(self) -> Mapping[str, str]:
        """Variable -> "file:line" that made it."""
        places = (self.outcome or {}).get("variables", {})
        return {name: f"{place[0]}:{place[1]}" for name, place in places.items() if place}

    @property
    def local_variables(self) -> frozenset[str]:
        """Variables that no checkpoint holds: counters of metrics and of input."""
        return frozenset((self.outcome or {}).get("local", ()))

    @property
    def races(self) -> tuple[str, ...]:
        """What the program reads and updates in one run without saying in which order."""
        return tuple(
            f"the original reads `{name}` ({_told(read)}) and updates it ({_told(update)}) in one run without an order "
            "between the two, so that TensorFlow 1 takes either; here the read comes first"
            for name, read, update in (self.outcome or {}).get("races", ())
        )

    @property
    def gpus(self) -> tuple[str, ...]:
        """The GPUs that its TensorFlow saw, where it was asked to compute on one."""
        return tuple((self.outcome or {}).get("gpus", ()))

    @property
    def refused(self) -> str | None:
        """What of the program TensorFlow would not do: an operation, where it is known; None where it did all."""
        outcome = self.outcome or {}
        error = outcome.get("error")
        if error is None:
            return "something that the program does" if outcome.get("status") else None
        if not error.get("of_tensorflow"):
            return None
        place = f" ({error['place'][0]}:{error['place'][1]})" if error["place"] else ""
        what = f"`{error['operation']}`" if error["operation"] else f'what fails with "{error["message"]}"'
        return f"{what}{place}"

    @property
    def in_threads(self) -> bool:
        """Whether threads of the program made runs, too: those are not among the events."""
        return bool((self.outcome or {}).get("threads"))

    @property
    def shared(self) -> frozenset[str]:
        """Where it wrote among the temporary files of all programs: folders, and files at the top."""
        paths = (Path(path) for path in (self.outcome or {}).get("shared", ()))
        return frozenset(str(path if path.parent.parent == Path("/") else path.parent) for path in paths)

    @property
    def without_value(self) -> frozenset[str]:
        """The variables that the last session gave no value; what they held last, an earlier one gave them."""
        return frozenset((self.outcome or {}).get("without", ()))

    @property
    def output(self) -> str:
        """What the program printed."""
        return (self.folder / "stdout.txt").read_text(encoding="utf-8", errors="replace")

    @property
    def errors(self) -> str:
        """What it wrote to standard error."""
        return (self.folder / "stderr.txt").read_text(encoding="utf-8", errors="replace")

    def arrays(self, event: Event, kind: str) -> list[Array]:
        """The values ("value"), inputs ("input") or gradients ("gradient") of a run that was kept."""
        found = _load(self.folder / "values" / f"{event.index:06}.npz")
        count = sum(name.startswith(f"{kind}_") for name in found)
        return [found[f"{kind}_{number}"] for number in range(count)]

    def gradients(self, event: Event) -> dict[str, Array]:
        """The gradients of a run that was kept, by the names of their variables."""
        return dict(zip(event.gradients, self.arrays(event, "gradient"), strict=True))

    def variables(self, moment: str) -> dict[str, Array]:
        """The variables by name: "initial", "final", "restarted" (before the last restart) or "after-" and a run."""
        path = self.folder / f"{moment}.npz"
        return _load(path) if path.exists() else {}


def _told(place: Sequence[Any] | None) -> str:
    return f"{place[0]}:{place[1]}" if place else "in TensorFlow"


def _load(path: Path) -> dict[str, Array]:
    with np.load(path, allow_pickle=False) as file:
        return {name.replace("|", "/"): file[name] for name in file.files}


def _event(data: Mapping[str, Any]) -> Event:
    place = data["place"] or ["?", 0]
    parts = data.get("parts")
    return Event(
        data["index"],
        data.get("name"),
        place[0],
        place[1],
        None if parts is None else tuple(parts),
        data["values"],
        data["kept"],
        tuple(data.get("given", map(str, range(data.get("inputs", 0))))),
        tuple(data.get("gradients", ())),
        data.get("library", False),
        {int(number): name for number, name in data.get("precision", {}).items()},
        data.get("call", 0),
    )
