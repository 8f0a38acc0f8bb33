"""Runs compute with each output of an operation what was built of it, whatever TensorFlow's optimizer takes it for."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests import warm

ROOT = Path(__file__).parents[3]


def test_outputs_of_one_operation_are_not_taken_for_one_another() -> None:
    environment = {**os.environ, "TF_ENABLE_ONEDNN_OPTS": "1"}  # As where nobody says otherwise.
    done = warm.run([sys.executable, "-m", "tests.compat.bridge.outputs_program"], cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["of_inputs"] == [0.25, -0.25, 1.5]
    assert found["leaky"] == found["leaky_once_more"] == [0.0] * 8
    assert max(found["normalized"]) < 1e-5
