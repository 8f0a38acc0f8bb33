"""The program of docs/distribution.md, on two devices and in two processes, has TF 1.15.5's losses."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import sys
from pathlib import Path

import numpy as np
import pytest

import compat
from tests import warm

ROOT = Path(__file__).parents[3]
# The mean of the towers' losses is the loss of the whole batch.
WANT = np.mean(json.loads((ROOT / "tests/goldens/towers.json").read_text())["losses"], axis=1)

MODEL = """
import numpy as np
import tensorflow as tf

import compat

BATCH, STEPS = 8, 6


def batches(done):
    random = np.random.RandomState(2)
    x, y = (random.randn(STEPS, BATCH, width).astype(np.float32) for width in (3, 1))
    for number in range(done, STEPS):
        yield x[number], y[number]


def losses_of(rows, wanted):
    hidden = compat.get_variable("hidden", initializer=np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
    out = compat.get_variable("out", initializer=np.linspace(1, -1, 4).reshape(4, 1).astype(np.float32))
    return tf.square(tf.matmul(tf.nn.relu(tf.matmul(rows, hidden)), out) - wanted)
"""

# Two devices of one process, which has to ask for them before it uses the first.
TWO_DEVICES = """
import runpy
import sys

import tensorflow as tf

sys.path.insert(0, "")
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
sys.argv[0] = "train.py"
runpy.run_path("train.py", run_name="__main__")
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    text = (ROOT / "docs/distribution.md").read_text()
    (code,) = re.findall(r"```python\n(# train\.py\n.*?)```", text, re.DOTALL)
    (tmp_path / "train.py").write_text(code)
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


def free_addresses(count: int) -> list[str]:
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("localhost", 0))
        return [f"localhost:{one.getsockname()[1]}" for one in sockets]


def start(program: Path, *arguments: str) -> warm.Program:
    command = [sys.executable, *arguments, f"--train_dir={program / 'trained'}"]
    return warm.Program(command, cwd=program, env={**os.environ, "PYTHONPATH": str(ROOT)})


def start_cluster(program: Path) -> list[warm.Program]:
    """Two workers, started as TF1's were."""
    hosts = [f"--worker_hosts={','.join(free_addresses(2))}", "--ps_hosts=localhost:1"]
    return [start(program, "train.py", f"--task_index={index}", *hosts) for index in range(2)]


def losses_of(process: warm.Program) -> list[float]:
    output, errors = process.communicate(timeout=480)
    assert process.returncode == 0, errors
    return [float(loss) for loss in re.findall(r"^step \d+ loss (.*)$", output, re.MULTILINE)]


def test_two_devices_of_one_process(program: Path) -> None:
    losses = losses_of(start(program, "-c", TWO_DEVICES, "--devices=CPU"))
    np.testing.assert_allclose(losses, WANT, rtol=1e-5)


def test_two_workers(program: Path) -> None:
    first, second = (losses_of(process) for process in start_cluster(program))
    np.testing.assert_allclose([first, second], [WANT, WANT], rtol=1e-5)
    names = {name for name, _ in compat.train.list_variables(str(program / "trained"))}
    assert names == {"global_step", "hidden", "hidden/Momentum", "out", "out/Momentum"}


@pytest.mark.parametrize(
    ("job", "index", "says"),
    [("ps", 0, "nothing to do"), ("worker", 2, "no task 2"), ("evaluator", 0, "no task 0 of a job 'evaluator'")],
)
def test_what_is_no_worker_is_refused(job: str, index: int, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TF_CONFIG", raising=False)
    cluster = {"ps": ["a:1"], "worker": ["b:1", "c:1"]}
    with pytest.raises(ValueError, match=says):
        compat.train.worker_strategy(cluster, job, index)
    assert "TF_CONFIG" not in os.environ


def test_the_configuration_is_made_from_the_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def strategy(communication_options: object) -> str:
        made.append(os.environ["TF_CONFIG"])
        return "the strategy"

    monkeypatch.setenv("TF_CONFIG", "{}")
    monkeypatch.setattr("tensorflow.distribute.MultiWorkerMirroredStrategy", strategy)
    cluster = {"ps": ["a:1"], "master": ["b:1"], "worker": ["c:1", "d:1"]}
    assert compat.train.worker_strategy(cluster, "worker", 1) == "the strategy"
    compat.train.worker_strategy(cluster, "master", 0)
    workers = {"chief": ["b:1"], "worker": ["c:1", "d:1"]}
    assert [json.loads(one) for one in made] == [
        {"cluster": workers, "task": {"type": "worker", "index": 1}},
        {"cluster": workers, "task": {"type": "chief", "index": 0}},
    ]
