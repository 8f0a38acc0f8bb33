"""One run from inside: the operations that a probe wrote down, and what they computed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tf_migrate.parity.compare import Array

_PASSES_ON = ("Identity", "StopGradient", "PreventGradient", "Snapshot", "EnsureShape", "CheckNumerics")


@dataclass(frozen=True)
class Operation:
    """One operation of a run.

    Attributes:
      number: its place in the order in which the graph was built.
      name: its name in the graph.
      kind: its type, the same in TensorFlow 1 and 2: `ResourceApplyAdam` is `ApplyAdam`, `AddV2` is `Add`.
      inputs: the tensors that it reads.
      outputs: the tensors that it computes.
      place: "file:line" of the program.
      attributes: what it was told when it was built.
      variable: the name of the variable that it is, reads or updates; None where it has nothing to do with one.
    """

    number: int
    name: str
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    place: str
    attributes: Mapping[str, Any]
    variable: str | None

    @property
    def gives_variable(self) -> bool:
        """Whether it is a variable, or reads one."""
        return self.variable is not None and self.kind in ("Variable", "Read")

    @property
    def is_given(self) -> bool:
        """Whether its value comes from outside of the graph, or was written into it."""
        return self.kind in ("Const", "Placeholder", "PlaceholderWithDefault")


@dataclass(frozen=True)
class Inside:
    """A run from inside.

    Attributes:
      operations: in the order in which the graph was built.
      values: name of a tensor -> its value, where it could be had.
      results: the tensors behind the values that the run gave, in order; None where one is not known.
    """

    operations: tuple[Operation, ...]
    values: Mapping[str, Array]
    results: tuple[str | None, ...]

    @cached_property
    def maker(self) -> dict[str, Operation]:
        """Name of a tensor -> the operation that computes it."""
        return {name: operation for operation in self.operations for name in operation.outputs}

    @cached_property
    def updates(self) -> dict[tuple[str, str, int], Operation]:
        """The operations that change variables, by the variable, their kind, and which of several it is."""
        found: dict[tuple[str, str, int], Operation] = {}
        for operation in self.operations:
            if operation.variable is not None and not operation.gives_variable:
                key = (operation.variable, operation.kind, 0)
                while key in found:
                    key = (*key[:2], key[2] + 1)
                found[key] = operation
        return found

    @cached_property
    def by_shape(self) -> dict[tuple[tuple[int, ...], str], list[str]]:
        """(shape, type) -> the tensors that have both, in the order of the graph."""
        found: dict[tuple[tuple[int, ...], str], list[str]] = {}
        for name, value in self.values.items():
            found.setdefault((value.shape, value.dtype.name), []).append(name)
        return found

    def source(self, tensor: str) -> str:
        """The tensor that is passed on under another name, maybe by several operations."""
        while (operation := self.maker.get(tensor)) is not None and operation.kind in _PASSES_ON and operation.inputs:
            tensor = operation.inputs[0]
        return tensor


def read_inside(folder: Path) -> Inside | None:
    """What a probe wrote down of one run; None where it could not look."""
    described, values = folder / "inside.json", folder / "inside.npz"
    if not described.exists() or not values.exists():
        return None
    data = json.loads(described.read_text(encoding="utf-8"))
    operations = tuple(_operation(number, item) for number, item in enumerate(data["operations"]))
    with np.load(values, allow_pickle=False) as arrays:
        found = {name: arrays[f"tensor_{number}"] for name, number in data["values"].items()}
    return Inside(operations, found, tuple(data["results"]))


def _operation(number: int, data: Mapping[str, Any]) -> Operation:
    place = f"{data['place'][0]}:{data['place'][1]}" if data["place"] else "?"
    inputs, variable = tuple(data["inputs"]), data["variable"]
    kind = "Variable" if variable is not None and not inputs else _kind(data["type"])
    return Operation(number, data["name"], kind, inputs, tuple(data["outputs"]), place, data["attributes"], variable)


def _kind(name: str) -> str:
    """The type of an operation without what tells the ages of TensorFlow apart."""
    return re.sub(r"^Resource(?=Apply|Sparse|Scatter)|VariableOp$|V\d$", "", name)
