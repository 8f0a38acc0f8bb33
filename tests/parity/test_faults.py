"""What is planted is found, and nothing is found where nothing was planted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from tests.parity.faults import FAULTS, Bench, Tier, misnamed, prepare
from tf_migrate.parity.judge import Judge
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.programs import reconsidered
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Bisection
from tf_migrate.parity.trial import Look, Trial

Benches = Callable[[Tier], Bench]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, legacy: Legacy) -> Benches:
    """The original has run."""
    made: dict[Tier, Bench] = {}

    def of(tier: Tier) -> Bench:
        if tier not in made:
            made[tier] = prepare(tmp_path_factory.mktemp("bench"), legacy, tier)
            assert made[tier].original.outcome is not None and made[tier].original.outcome["error"] is None
        return made[tier]

    return of


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_a_faithful_program(tier: Tier, bench: Benches) -> None:
    result = bench(tier).compared("")
    assert result.verdict.kind == "parity", result.verdict
    assert result.runs == (6, 6) and result.values > 250
    assert [place.compared for place in result.places] == [5, 1]
    assert ("def train_step" in bench(tier).text) == (tier == "native")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, bench: Benches) -> None:
    verdict = bench("native").compared(fault).verdict
    assert verdict.kind in ("differs", "structure differs"), verdict


def test_the_first_difference_is_named(bench: Benches) -> None:
    found = bench("bridge").compared("initializer changed")
    assert found.verdict.message.startswith("the initial value of left is the first to differ")
    found = bench("bridge").compared("momentum off")
    assert "in run 3" in found.verdict.message
    assert all(item.step is None or item.step >= 2 for item in found.failures if item.kind == "run")


@pytest.mark.parametrize(
    ("tier", "fault", "operation", "detail"),
    [
        (
            "native",
            "wrong padding",
            "AvgPool",
            "padding 'SAME' became 'VALID'; shape [8, 12, 12, 4] became [8, 10, 10, 4]",
        ),
        ("native", "momentum off", "Const", "0.9 became 0.8"),
        ("bridge", "transposed kernel", "MatMul", "transpose_b False became True"),
    ],
)
def test_bisection_names_the_operation(tier: Tier, fault: str, operation: str, detail: str, bench: Benches) -> None:
    found = bench(tier).bisected(fault)
    assert isinstance(found, Bisection) and found.certain and found.agreeing > 20
    assert misnamed(fault, found) is None
    assert (found.operation, found.detail) == (operation, detail)
    line = bench(tier).with_fault(fault).splitlines()[int(found.migrated.partition(":")[2]) - 1]
    assert FAULTS[fault].changes[0][1] in line or "apply_gradients(" in line


def test_data_is_not_blamed_on_an_operation(bench: Benches) -> None:
    assert bench("native").bisected("two feeds swapped") == (
        "the programs are given other data in run 1, which no operation of theirs computes"
    )


@dataclass(frozen=True, kw_only=True)
class Wavering(Trial):
    """An original that gives the same when its initial values are disturbed, and something else when it runs again."""

    first: Record
    again: Record

    def record(self, side: str, folder: Path, look: Look | None = None) -> Record:
        assert side == "original" and look is not None
        return self.first if look.disturbed else self.again


@pytest.mark.parametrize(("python", "verdict"), [(Path("python3.7"), "parity"), (None, "differs")])
def test_an_original_that_parts_from_itself(python: Path | None, verdict: str, bench: Benches) -> None:
    made, trial = bench("bridge"), bench("bridge").trial
    result, record = made.judged("epsilon changed")
    roots = (trial.pair.legacy, trial.pair.migrated)
    judge = Judge(made.original, record, trial.analysis, trial.scenario, roots, Legacy(python))
    assert judge.result("train.py", "cpu").verdict.kind == result.verdict.kind == "differs"
    parts = {field.name: getattr(trial, field.name) for field in fields(trial)} | {"legacy": Legacy(python)}
    wavering, said = Wavering(**parts, first=made.original, again=record), []
    found = reconsidered(wavering, judge, result, said.append)
    assert found.verdict.kind == verdict and len(said) == (2 if python else 1)
    assert any("ten times as far as the original does when it runs again" in note for note in found.notes) == bool(
        python
    )
