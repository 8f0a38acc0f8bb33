"""What a program did, on disk: one line for each run, its values beside, variables before and after."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np

_EVERY = 50  # of so many runs at first each is kept, then fewer
_EACH = 10  # so many runs of each place, whenever they come
_LARGEST = 64 * 2**20


class Recorder:
    """Writes the record of one program.

    Attributes:
      settings: what the parent process asked for.
      step: how many runs have begun, initializers left out; aligned random numbers depend on it.
      before_each: called before each run.
      at_end: called when the program has ended.
      state: gives the variables' values by name.
      outside: paths outside of the tree that were opened to write.
      outcome: what is to be told beside how the program ended.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.root: str = settings["root"]
        self.step = 0
        self.before_each: list[Any] = []
        self.at_end: list[Any] = []
        self.state: Any = dict
        self.outside: list[str] = []
        self.outcome: dict[str, Any] = {}
        self._folder: str = settings["record"]
        self._busy = False
        self._counts: dict[str, int] = {}
        os.makedirs(os.path.join(self._folder, "values"), exist_ok=True)
        self._events = open(os.path.join(self._folder, "events.jsonl"), "w", encoding="utf-8")

    def begin(self) -> bool:
        """A run begins; False inside another one, and in threads: nothing says when their runs come."""
        if threading.current_thread() is not threading.main_thread():
            self.outcome["threads"] = True
            return False
        if self._busy:
            return False
        self._busy = True
        for call in self.before_each:
            call()
        self.step += 1
        return True

    def end(self, event: dict[str, Any] | None, values: list[Any], inputs: dict[str, Any], gradients: Any = ()) -> None:
        """The run is over: `values` are what it computed, in order, `inputs` what it was given, by name."""
        if event is not None:
            self._write(event, values, inputs, gradients)
        self._busy = False

    def _write(self, event: dict[str, Any], values: list[Any], inputs: dict[str, Any], gradients: Any) -> None:
        arrays = {f"value_{number}": np.asarray(value) for number, value in enumerate(values)}
        arrays.update({f"input_{number}": np.asarray(value) for number, value in enumerate(inputs.values())})
        arrays.update({f"gradient_{number}": np.asarray(value) for number, (_, value) in enumerate(gradients)})
        kept = self._keeps(str(event.get("name") or event["place"]), arrays)
        event.update(index=self.step - 1, values=len(values), given=list(inputs), kept=kept)
        event["gradients"] = [name for name, _ in gradients]
        self._events.write(json.dumps(event) + "\n")
        self._events.flush()
        if kept:
            save(os.path.join(self._folder, "values", f"{self.step - 1:06}.npz"), arrays)
        first, last = self.settings["variables_after"] or (0, -1)
        if first <= self.step - 1 <= last:
            self.save_variables(f"after-{self.step - 1:06}", self.state())

    @property
    def looks_inside(self) -> bool:
        """Whether all values inside the run that has just begun are asked for."""
        return bool(self.settings["inside"] == self.step - 1)

    def save_inside(self, described: dict[str, Any], arrays: dict[str, Any]) -> None:
        """Keeps what is inside of a run: its operations, and the values of their tensors."""
        with open(os.path.join(self._folder, "inside.json"), "w", encoding="utf-8") as file:
            json.dump(described, file)
        save(os.path.join(self._folder, "inside.npz"), arrays)

    def save_variables(self, moment: str, values: dict[str, Any]) -> None:
        """Keeps the variables' values, by name; `moment` is "initial", "final" or "after-" and a run."""
        save(os.path.join(self._folder, moment + ".npz"), values)

    def finish(self, outcome: dict[str, Any]) -> None:
        """Writes the end of the record."""
        self._busy = True
        for call in self.at_end:
            call()
        self._events.close()
        outcome.update(self.outcome, runs=self.step, outside=sorted(set(self.outside)))
        with open(os.path.join(self._folder, "outcome.json"), "w", encoding="utf-8") as file:
            json.dump(outcome, file)

    def place(self) -> list[Any] | None:
        """File and line of the program that is being executed: the innermost one of the tree."""
        frame = self._frame()
        if frame is None:
            return None
        path = os.path.relpath(os.path.abspath(frame.f_code.co_filename), self.root)
        return [path, frame.f_lineno, frame.f_code.co_name]

    def calling(self) -> tuple[int, int]:
        """What tells the call of the program that is being made from the others on its line."""
        frame = self._frame()
        return (0, 0) if frame is None else (id(frame.f_code), frame.f_lasti)

    def _frame(self) -> Any:
        frame: Any = sys._getframe(1)
        while frame is not None and not self.is_program(frame.f_code.co_filename):
            frame = frame.f_back
        return frame

    def is_program(self, path: str) -> bool:
        """Whether a file is the program's own, and not the shims that were put beside it."""
        path = os.path.abspath(path)  # a script's own is relative
        inside = path.startswith(self.root + os.sep)
        return inside and os.path.relpath(path, self.root).split(os.sep)[0] != self.settings["shims"]

    def _keeps(self, name: str, arrays: dict[str, Any]) -> bool:
        self._counts[name] = self._counts.get(name, 0) + 1
        if self.settings["every_step"] or self._counts[name] <= _EACH:
            return True
        index = self.step - 1
        stride = 1
        while index >= _EVERY * stride:
            stride *= 10
        return index % stride == 0 and sum(array.nbytes for array in arrays.values()) <= _LARGEST


def save(path: str, arrays: dict[str, Any]) -> None:
    """Writes arrays of any type to one file; text becomes bytes objects of fixed length."""
    plain = {}
    for name, value in arrays.items():
        array = np.asarray(value)
        if array.dtype.kind == "O":
            array = np.asarray([_text(item) for item in array.ravel()]).reshape(array.shape)
        elif array.dtype.kind == "V":
            array = array.astype(np.float32)  # bfloat16
        plain[name.replace("/", "|")] = array
    np.savez(path, **plain)  # type: ignore[arg-type]


def _text(item: Any) -> str:
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item)


def flatten(value: Any) -> Iterable[Any]:
    """The arrays inside lists, tuples and dictionaries, in order; what is None is left out."""
    if value is None:
        return
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            for item in flatten(value[key]):
                yield item
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from flatten(item)
    else:
        yield value


def numbers_of(item: Any) -> Any:
    """A serialized summary as its scalars, in order of their tags; all other values as they are."""
    if not isinstance(item, bytes) or not item:
        return item
    from tensorflow.core.framework.summary_pb2 import Summary

    try:
        summary = Summary.FromString(item)
    except Exception:
        return item
    found = [(value.tag, value.simple_value) for value in summary.value if value.HasField("simple_value")]
    return np.asarray([number for _, number in sorted(found)], np.float32) if summary.value else item


def arrays_of(result: Any) -> Iterable[Any]:
    """The arrays of a result; sparse values come as their three parts, summaries as their numbers."""
    for item in flatten(result):
        if isinstance(item, (np.ndarray, np.generic, bytes, str, int, float, bool)):
            yield numbers_of(item)
