"""Towers over two devices, with shared variables and averaged gradients, keep TF 1.15.5's losses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

GOLDENS = Path(__file__).parents[2] / "goldens"

# A process takes its devices once, before it uses the first.
CHILD = """
import sys
import tensorflow as tf
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
sys.path.insert(0, sys.argv[1])
import towers_program
towers_program.main(2)
"""


def on_two_devices() -> tuple[Any, list[str]]:
    command = [sys.executable, "-c", CHILD, str(GOLDENS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=GOLDENS.parents[1])
    assert done.returncode == 0, done.stderr
    found, devices = json.loads(done.stdout.splitlines()[-1])
    return found, devices


def test_both_devices_work_and_the_numbers_are_tf1s() -> None:
    got, devices = on_two_devices()
    want = json.loads((GOLDENS / "towers.json").read_text())
    assert {"CPU:0", "CPU:1"} <= set(devices)
    assert got["names"] == want["names"]
    np.testing.assert_allclose(got["losses"], want["losses"], rtol=1e-6)
    for name, value, expected in zip(want["names"], got["values"], want["values"], strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-6, atol=1e-7, err_msg=name)


def test_the_towers_mean_is_the_whole_batchs_loss() -> None:
    sys.path.insert(0, str(GOLDENS))
    import recovery_program
    import towers_program

    one, _ = towers_program.run(recovery_program.Shims(), 1)
    want = json.loads((GOLDENS / "towers.json").read_text())
    np.testing.assert_allclose(np.ravel(one["losses"]), np.mean(want["losses"], axis=1), rtol=1e-5)
