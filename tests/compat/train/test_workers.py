"""What is advised for several workers keeps TF 1.15.5's losses, also when a worker dies and the cluster comes back."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[3]
# The mean of the towers' losses is the loss of the whole batch.
WANT = np.mean(json.loads((ROOT / "tests/goldens/towers.json").read_text())["losses"], axis=1)


def free_addresses(count: int) -> list[str]:
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("localhost", 0))
        return [f"localhost:{one.getsockname()[1]}" for one in sockets]


def start(folder: Path, *, dying: str = "") -> list[subprocess.Popen[str]]:
    """Two workers; the second is gone before the step `dying`."""
    cluster = {"worker": free_addresses(2)}
    workers = []
    for index in range(2):
        config = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}})
        command = [sys.executable, str(Path(__file__).with_name("replica_program.py")), str(folder)]
        workers.append(
            subprocess.Popen(
                [*command, dying] if dying and index == 1 else command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=ROOT,
                env={**os.environ, "TF_CONFIG": config, "PYTHONPATH": str(ROOT)},
            )
        )
    return workers


def losses_of(workers: list[subprocess.Popen[str]]) -> list[float]:
    """What both say; they must agree."""
    said = []
    for worker in workers:
        output, errors = worker.communicate(timeout=240)
        assert worker.returncode == 0, errors
        said.append(json.loads(output.splitlines()[-1]))
    assert said[0] == said[1]
    return said[0]


def test_two_workers_train_as_one_did_and_survive_a_death(tmp_path: Path) -> None:
    np.testing.assert_allclose(losses_of(start(tmp_path / "whole")), WANT, rtol=1e-5)

    survivor, victim = start(tmp_path / "torn", dying="3")
    victim.communicate(timeout=240)
    assert victim.returncode == -signal.SIGKILL
    survivor.kill()
    survivor.communicate(timeout=60)
    rest = losses_of(start(tmp_path / "torn"))
    # The survivor may have been ended while it wrote the third checkpoint.
    assert len(rest) in (3, 4)
    np.testing.assert_allclose(rest, WANT[-len(rest) :], rtol=1e-5)
