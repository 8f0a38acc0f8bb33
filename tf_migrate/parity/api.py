"""Parity in tests of your own: a whole program, one function, layer or module of it, or values that you have.

In a pytest of the migrated project (the plugin gives both functions as fixtures, too):

    from tf_migrate.parity.api import assert_close, assert_parity

    def test_training():
        assert_parity("legacy/", "migrated/", "train.py", ["--epochs", "2"])

    def test_encoder():  # while the rest of the program is not ported yet
        assert_parity("legacy/", "migrated/", function="model.py:encode", inputs=[images])

    def test_against_recorded_values():
        recorded = np.load("encoder.npz")  # written by the original
        assert_close({"codes": recorded["codes"]}, {"codes": encode(recorded["images"]).numpy()})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tf_migrate.parity.calls import SCRIPT, Call, trees_that_call
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
    function: str | None = None,
    inputs: Sequence[Any] = (),
    made_with: Sequence[Any] | Mapping[str, Any] = (),
    scenario: str | Path | None = None,
    legacy_python: str | Path | None = None,
    compat_module: str = "compat",
) -> None:
    """Runs a program, or calls a function of it, before and after its migration, as `tf-migrate parity` does.

    A function is called with the same inputs on both sides, its variables beginning with the same values; what it
    gives, the gradients with regard to its inputs and its variables are compared. On the migrated side it is called
    while a graph is built, as code on the bridge is; functions of the native tier work there, too.

    Args:
      original: the original's tree.
      migrated: the migrated tree.
      script: the program's file in both.
      arguments: its command line.
      function: in place of a script "file.py:name" of a function, or of a class that is made and then called.
      inputs: arrays that are passed to the function, in their order.
      made_with: what a class is made with: values in their order, or by name; numbers, text and lists of them.
      scenario: a scenario file; `script` and `arguments` win over what it says.
      legacy_python: an interpreter with TensorFlow 1.15.
      compat_module: the name under which migrated code imports the shims.

    Raises:
      AssertionError: something differs, fails or cannot be compared; the message is the report.
      UsageError: there is no such tree, program or function.
    """
    asked = Scenario() if scenario is None else read_scenario(Path(scenario))
    if script is not None:
        asked = replace(asked, script=script, arguments=tuple(arguments))
    legacy = find_legacy(named=None if legacy_python is None else Path(legacy_python))
    pair = Pair(Path(original).absolute(), Path(migrated).absolute(), compat_module)
    if function is None:
        results = compare_programs(pair, asked, legacy)
    else:
        named = isinstance(made_with, Mapping)
        call = Call(function, inputs, () if named else tuple(made_with), dict(made_with) if named else {})
        with trees_that_call(pair, call) as trees:
            results = compare_programs(trees, replace(asked, script=SCRIPT, arguments=(), folder="."), legacy)
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
