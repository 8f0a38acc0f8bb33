"""What is planted is found, and nothing is found where nothing was planted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.parity.faults import FAULTS, PROGRAM, Bench, prepare
from tf_migrate.parity.legacy import Legacy


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The original has run in real TF 1.15.5 where that is found, else as a `tf.compat.v1` graph."""
    named = os.environ.get("TF_MIGRATE_LEGACY_PYTHON")
    found = Path(named) if named else Path(__file__).parents[2] / ".legacy" / "bin" / "python"
    bench = prepare(tmp_path_factory.mktemp("bench"), Legacy(found if found.exists() else None))
    assert bench.original.outcome is not None and bench.original.outcome["error"] is None
    return bench


def test_a_faithful_program(bench: Bench) -> None:
    result = bench.migrated("")
    assert result.verdict.kind == "parity", result.verdict
    assert result.runs == (6, 6) and result.values > 300
    assert result.tiers == {"bridge": 2} and [place.compared for place in result.places] == [5, 1]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str, bench: Bench) -> None:
    verdict = bench.migrated(fault).verdict
    assert verdict.kind in ("differs", "structure differs"), verdict


def test_the_first_difference_is_named(bench: Bench) -> None:
    found = bench.migrated("initializer changed")
    assert found.verdict.message.startswith("the initial value of left is the first to differ")
    found = bench.migrated("momentum off")
    assert "in run 3" in found.verdict.message
    assert all(item.step is None or item.step >= 2 for item in found.failures if item.kind == "run")


def test_bisection_names_the_operation_and_both_lines(bench: Bench) -> None:
    found = bench.bisected("epsilon changed")
    assert found is not None and found.certain and found.operation == "Const" and "batchnorm" in found.tensor
    lines = [place.partition(":")[2] for place in (found.original, found.migrated)]
    sources = (PROGRAM.splitlines(), bench.text.splitlines())
    assert all("batch_normalization" in source[int(line) - 1] for line, source in zip(lines, sources, strict=True))


def test_bisection_of_a_run_that_begins_with_other_weights(bench: Bench) -> None:
    found = bench.bisected("momentum off")
    assert found is not None and not found.certain and found.tensor.startswith("Conv2D")
