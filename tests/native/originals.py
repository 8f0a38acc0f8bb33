"""Tests as they were written, run by real TensorFlow 1.15.5: all modules in one process, which imports it once."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

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


def pass_in_tensorflow_1(modules: Iterable[str], folder: Path, python: Path) -> None:
    """Checks that the tests of each module pass in TensorFlow 1, and that there are any."""
    paths = []
    for index, text in enumerate(modules):
        paths.append(folder / f"any{index}_test.py")
        paths[-1].write_text(text, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "TF2_BEHAVIOR"}
    command = [str(python), "-c", _RUNNER, *map(str, paths)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert paths
    assert done.stdout.endswith("all passed\n")
