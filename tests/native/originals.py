"""Tests of users, as they were written or rewritten: all modules in one process, which imports TensorFlow once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests import warm

_RUNNER = """\
import runpy, sys, unittest

for path in sys.argv[1:]:
    found = runpy.run_path(path, run_name="any_test").values()
    own = [item for item in found if isinstance(item, type) and item.__module__ == "any_test"]
    result = unittest.TestResult()
    for case in own:
        if issubclass(case, unittest.TestCase):
            unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.wasSuccessful(), [trace for _, trace in result.failures + result.errors]
    assert result.testsRun > len(result.skipped), path
print("all passed")
"""

_LISTENER = """\
import json, runpy, sys, unittest
import numpy as np
import tensorflow as tf

def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (int, float, np.number, np.ndarray)):
        return np.round(np.asarray(value, float), 4).tolist()
    return str(type(value))

asserted, found = [], []
for name in ("assertAllClose", "assertEqual"):
    setattr(tf.test.TestCase, name, lambda self, value, *others: asserted.append(plain(value)))
for path in sys.argv[2:]:
    del asserted[:]
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(runpy.run_path(path, run_name="any_test")["AnyTest"]).run(result)
    found.append((list(asserted), "".join(trace for _, trace in result.failures + result.errors)))
with open(sys.argv[1], "w") as out:
    json.dump(found, out)
"""


def asserted(modules: Iterable[str], folder: Path, python: Path) -> list[tuple[list[Any], str]]:
    """What the tests of each module's `AnyTest` assert of, in order, with four decimals, and how they failed."""
    paths = _written(modules, folder)
    _run(python, _LISTENER, str(folder / "asserted.json"), *paths)
    return [(values, error) for values, error in json.loads((folder / "asserted.json").read_text())]


def pass_in_tensorflow_1(modules: Iterable[str], folder: Path, python: Path) -> None:
    """Checks that the tests of each module pass in TensorFlow 1, and that there are any."""
    paths = _written(modules, folder)
    assert paths
    assert _run(python, _RUNNER, *paths).endswith("all passed\n")


def _written(modules: Iterable[str], folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    paths = []
    for index, text in enumerate(modules):
        paths.append(folder / f"any{index}_test.py")
        paths[-1].write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


def _run(python: Path, program: str, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "TF2_BEHAVIOR"}
    command = [str(python), "-c", program, *arguments]
    done = warm.run(command, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
