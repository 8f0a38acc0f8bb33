"""A TF1 program for several machines, rewritten, has TF 1.15.5's losses in two workers of which one is killed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.compat.train.test_distribution import free_addresses
from tests.engine import migrated

ROOT = Path(__file__).parents[3]
WANT = json.loads((ROOT / "tests/goldens/cluster.json").read_text())
LIMIT = 240


class Cluster:
    """The processes of one run, which the test outlives."""

    def __init__(self, folder: Path, hosts: str) -> None:
        self.folder = folder
        self.flags = ["--ps_hosts=localhost:1", f"--worker_hosts={hosts}", f"--train_dir={folder / 'trained'}"]
        self.started: list[subprocess.Popen[str]] = []

    def start(self, job: str, index: int, dies: str = "") -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "train.py", f"--job_name={job}", f"--task_index={index}", *self.flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "DIES_BEFORE": dies, "CUDA_VISIBLE_DEVICES": ""},
        )
        self.started.append(process)
        return process


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    program = (ROOT / "tests/goldens/cluster_program.py").read_text()
    (tmp_path / "train.py").write_text(migrated(program).text)
    made = Cluster(tmp_path, ",".join(free_addresses(2)))
    try:
        yield made
    finally:
        for process in made.started:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.communicate()


def losses_of(process: subprocess.Popen[str], status: int = 0) -> list[float]:
    output, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == status, errors
    return [float(loss) for loss in re.findall(r"^step \d+ loss (.*)$", output, re.MULTILINE)]


def test_a_killed_worker_is_started_again_and_nothing_is_lost(cluster: Cluster) -> None:
    survivor, victim = cluster.start("worker", 0), cluster.start("worker", 1, dies="3")
    before = losses_of(victim, -signal.SIGKILL)
    after = losses_of(cluster.start("worker", 1))
    chief = losses_of(survivor)
    # The chief goes on by itself, in the same process, and no step is done twice.
    np.testing.assert_allclose([chief, before + after], WANT["two"], rtol=1e-5)
    np.testing.assert_allclose(np.mean([chief, before + after], axis=0), WANT["one"][0], rtol=1e-5)
    assert (cluster.folder / "trained/model.ckpt-6.index").exists()
