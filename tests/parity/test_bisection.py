"""Two runs from inside: which operation is blamed, and which is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tf_migrate.parity.bisection import bisect
from tf_migrate.parity.inside import Inside, Operation
from tf_migrate.parity.result import Bisection


class Graph:
    """Builds a run from inside; the line of each operation is its number."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.values: dict[str, Any] = {}

    def add(self, name: str, kind: str, inputs: tuple[str, ...] = (), value: Any = None, **more: Any) -> str:
        tensor = f"{name}:0"
        outputs = () if kind.startswith("Apply") else (tensor,)
        place = f"train.py:{len(self.operations) + 1}"
        attributes, variable = more.get("attributes", {}), more.get("variable")
        self.operations.append(
            Operation(len(self.operations), name, kind, inputs, outputs, place, attributes, variable)
        )
        if value is not None:
            self.values[tensor] = np.asarray(value, np.float32)
        return tensor

    def inside(self, *results: str) -> Inside:
        return Inside(tuple(self.operations), self.values, results)


def blamed(before: Inside, after: Inside, **more: Any) -> Bisection:
    found = bisect(before, after, more.get("results", [(0, 0)]), more.get("variables", ()))
    assert found is not None
    return found


X = np.arange(6.0)


def test_an_operation_whose_inputs_agree() -> None:
    def graph(axis: int, value: float) -> Inside:
        made = Graph()
        x = made.add("x", "Placeholder", value=X)
        doubled = made.add("doubled", "Mul", (x, x), X * X)
        total = made.add("total", "Sum", (doubled,), value, attributes={"axis": axis})
        return made.inside(made.add("out", "Exp", (total,), np.exp(value)))

    found = blamed(graph(0, 1.0), graph(1, 2.0))
    assert (found.operation, found.original, found.certain, found.agreeing) == ("Sum", "train.py:3", True, 2)
    assert found.detail == "axis 0 became 1" and found.absolute == 1.0


def test_the_order_of_factors_says_nothing() -> None:
    def graph(swapped: bool, factor: float) -> Inside:
        made = Graph()
        x, y = made.add("x", "Placeholder", value=X), made.add("y", "Const", value=X * factor)
        return made.inside(made.add("out", "Mul", (y, x) if swapped else (x, y), X * X * factor))

    found = blamed(graph(False, 2.0), graph(True, 3.0))
    assert (found.operation, found.tensor) == ("Const", "y:0")


def test_names_that_stand_between_are_passed() -> None:
    before, after = Graph(), Graph()
    x = before.add("x", "Placeholder", value=X)
    one = before.inside(before.add("out", "Exp", (before.add("same", "Identity", (x,), X),), np.exp(X)))
    x = after.add("x", "Placeholder", value=X)
    other = after.inside(after.add("out", "Exp", (x,), np.exp(X) + 1))
    assert blamed(one, other).operation == "Exp"


def test_graphs_that_are_built_in_different_ways() -> None:
    """Division here, multiplication there: both agree, so what comes behind them is to blame."""
    before, after = Graph(), Graph()
    x, two = before.add("x", "Placeholder", value=X), before.add("two", "Const", value=2.0)
    half = before.add("half", "RealDiv", (x, two), X / 2)
    one = before.inside(before.add("out", "Relu", (before.add("log", "Log1p", (half,), np.log1p(X / 2)),), X + 7))
    x, factor = after.add("x", "Placeholder", value=X), after.add("factor", "Const", value=0.5)
    half = after.add("half", "Mul", (x, factor), X / 2)
    wrong = np.expm1(X / 2)
    other = after.inside(after.add("out", "Softplus", (after.add("exp", "Expm1", (half,), wrong),), X + 1))
    found = blamed(one, other)
    assert (found.operation, found.detail, found.certain) == ("Log1p", "Log1p became Expm1", True)
    assert (found.original, found.migrated) == ("train.py:4", "train.py:4")


def test_another_variable_is_read() -> None:
    def graph(name: str, value: Any) -> Inside:
        made = Graph()
        x = made.add("x", "Placeholder", value=X)
        for variable in ("left", "right"):
            made.add(variable, "Variable", variable=variable)
        return made.inside(made.add("out", "Mul", (x, f"{name}:0"), value))

    found = blamed(graph("right", X), graph("left", X + 1))
    assert (found.operation, found.original, found.certain) == ("Mul", "train.py:4", True)


@pytest.mark.parametrize("rate", [0.1, None])
def test_an_update(rate: float | None) -> None:
    def graph(value: float | None) -> Inside:
        made = Graph()
        x = made.add("x", "Placeholder", value=X)
        made.add("w", "Variable", variable="w")
        if value is not None:
            made.add("update", "ApplyGradientDescent", ("w:0", made.add("r", "Const", value=value), x), variable="w")
        return made.inside(x)

    found = blamed(graph(0.5), graph(rate), results=(), variables=["w"])
    if rate is None:
        assert found.detail == "the migrated program does not update `w` by ApplyGradientDescent"
    else:
        assert (found.operation, found.detail) == ("Const", "0.5 became 0.1")


def test_nothing_to_blame() -> None:
    made = Graph()
    whole = made.inside(made.add("x", "Placeholder", value=X))
    assert bisect(whole, whole, [], ["w"]) is None
