"""Parity in tests of your own: a whole program, or the values of one function, layer or model.

In a pytest of the migrated project:

    from tf_migrate.parity.api import assert_close, assert_parity

    def test_training():
        assert_parity("legacy/", "migrated/", script="train.py", arguments=["--epochs", "2"])

    def test_encoder():
        recorded = np.load("encoder.npz")  # written by the original
        assert_close({"codes": recorded["codes"]}, {"codes": encode(recorded["images"]).numpy()})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tf_migrate.parity.compare import compare
from tf_migrate.parity.legacy import find_legacy
from tf_migrate.parity.programs import compare_programs
from tf_migrate.parity.reports import text
from tf_migrate.parity.scenario import Pair, Scenario, read_scenario


def assert_parity(
    original: str | Path,
    migrated: str | Path,
    script: str | None = None,
    arguments: Sequence[str] = (),
    *,
    scenario: str | Path | None = None,
    legacy_python: str | Path | None = None,
) -> None:
    """Runs a program before and after its migration, as `tf-migrate parity` does.

    Args:
      original: the original's tree.
      migrated: the migrated tree.
      script: the program's file in both.
      arguments: its command line.
      scenario: a scenario file; `script` and `arguments` win over what it says.
      legacy_python: an interpreter with TensorFlow 1.15.

    Raises:
      AssertionError: something differs, fails or cannot be compared; the message is the report.
      UsageError: there is no such tree or program.
    """
    asked = Scenario() if scenario is None else read_scenario(Path(scenario))
    if script is not None:
        asked = replace(asked, script=script, arguments=tuple(arguments))
    legacy = find_legacy(named=None if legacy_python is None else Path(legacy_python))
    results = compare_programs(Pair(Path(original).absolute(), Path(migrated).absolute()), asked, legacy)
    bad = [result for result in results if not result.verdict.good]
    if bad:
        raise AssertionError("\n".join(line for result in bad for line in text.lines(result, verbose=True)))


def assert_close(
    original: Mapping[str, Any], migrated: Mapping[str, Any], rtol: float | None = None, atol: float | None = None
) -> None:
    """Compares named arrays of the original with the migrated code's; the types' tolerances where none is given.

    >>> assert_close({"loss": np.float32(1.0)}, {"loss": np.float32(1.0000001)})
    >>> assert_close({"loss": np.float32(1.0)}, {"loss": np.float32(1.1)})
    Traceback (most recent call last):
    AssertionError: loss: 1 of 1 values beyond the tolerance (largest difference 0.1 at [])

    Raises:
      AssertionError: names, shapes, types or values differ; the message has a line for each.
    """
    before, after = ({name: np.asarray(value) for name, value in side.items()} for side in (original, migrated))
    wrong = [found for found in compare(before, after, rtol, atol) if found.problem is not None]
    if wrong:
        lines = [
            f"{found.name}: {found.problem} (largest difference {found.absolute:.3g} at {list(found.index)})"
            for found in wrong
        ]
        raise AssertionError("\n".join(lines))
