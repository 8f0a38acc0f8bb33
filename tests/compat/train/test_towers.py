"""Towers over two devices, with shared variables and averaged gradients, keep TF 1.15.5's losses."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from tests import warm
from tests.engine import migrated

GOLDENS = Path(__file__).parents[2] / "goldens"

# A process takes its devices once, before it uses the first.
CHILD = """
import runpy
import sys
import tensorflow as tf
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
from tests.goldens import towers_program
towers_program.main(2)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the towers' program prints in a line, and the rewritten program with a queue behind it."""
    script = tmp_path_factory.mktemp("towers") / "train.py"
    script.write_text(migrated((GOLDENS / "tower_queue_program.py").read_text()).text)
    command = [sys.executable, "-c", CHILD, str(script), "/cpu:%d"]
    done = warm.run(command, cwd=GOLDENS.parents[1])
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_both_devices_work_and_the_numbers_are_tf1s(printed: list[str]) -> None:
    got, devices = json.loads(printed[0])
    want = json.loads((GOLDENS / "towers.json").read_text())
    assert {"CPU:0", "CPU:1"} <= set(devices)
    assert got["names"] == want["names"]
    np.testing.assert_allclose(got["losses"], want["losses"], rtol=1e-6)
    for name, value, expected in zip(want["names"], got["values"], want["values"], strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-6, atol=1e-7, err_msg=name)


def test_rewritten_towers_that_share_a_queue_have_tf1s_losses_and_averages(printed: list[str]) -> None:
    want: list[str] = json.loads((GOLDENS / "tower_queue.json").read_text())
    number = re.compile(r"\d+\.\d+")
    assert [number.sub("#", line) for line in printed[1:]] == [number.sub("#", line) for line in want]
    got, expected = (
        [float(found) for line in lines for found in number.findall(line)] for lines in (printed[1:], want)
    )
    np.testing.assert_allclose(got, expected, atol=2e-5)


def test_the_towers_mean_is_the_whole_batchs_loss() -> None:
    from tests.goldens import recovery_program, towers_program

    one, _ = towers_program.run(recovery_program.Shims(), 1)
    want = json.loads((GOLDENS / "towers.json").read_text())
    np.testing.assert_allclose(np.ravel(one["losses"]), np.mean(want["losses"], axis=1), rtol=1e-5)
