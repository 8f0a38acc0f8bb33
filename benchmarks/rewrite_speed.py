"""CPU time and memory of `tf-migrate` against TensorFlow's own `tf_upgrade_v2`, on 159,000 lines of real TF1 code.

    python benchmarks/rewrite_speed.py [--cache DIR] [--repeat N]

Downloads tensor2tensor and stable-baselines from PyPI into the cache once. Needs the environment of `make test`
(TensorFlow 2 for `tf_upgrade_v2`). CPU seconds are user plus system time of a command and all its children, memory is
the largest resident size of any one of its processes, both as the kernel counted them; the least of the repetitions.
Runs on Linux. The exit status is 1 where the claim does not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("tensor2tensor==1.15.7", "stable-baselines==2.10.2")
MOST_CPU = 0.25
MOST_MEGABYTES = 300
_PR_SET_CHILD_SUBREAPER = 36
_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Cost:
    """What one command took."""

    cpu: float
    wall: float
    megabytes: float


def main() -> int:
    """Measure, print the table, and tell whether the claims hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path.home() / ".cache" / "tf-migrate" / "benchmarks"
    parser.add_argument("--cache", type=Path, default=default, help=f"where the packages are kept [{default}]")
    parser.add_argument("--repeat", type=int, default=3, help="repetitions, of which the least counts [3]")
    arguments = parser.parse_args()
    _adopt_descendants()
    tree = _tree(arguments.cache)
    files = sorted(tree.rglob("*.py"))
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    cores = os.cpu_count() or 1
    print(f"{len(files)} files, {lines:,} lines; {cores} cores; Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as scratch:
        costs = _measure_all(tree, Path(scratch), arguments.repeat, cores)
    return _print(costs)


def _measure_all(tree: Path, scratch: Path, repeat: int, cores: int) -> dict[str, Cost]:
    ours = [sys.executable, "-m", "tf_migrate"]
    peer = [sys.executable, "-m", "tensorflow.tools.compatibility.tf_upgrade_v2_main"]
    copy = scratch / "out"
    commands = {
        "tf_upgrade_v2": [*peer, "--intree", tree, "--outtree", copy, "--reportfile", scratch / "peer.txt"],
        "tf-migrate check --jobs 1": [*ours, "check", tree, "--quiet", "--jobs", "1"],
        "tf-migrate rewrite --jobs 1": [*ours, "rewrite", tree, "--output", copy, "--quiet", "--jobs", "1"],
        f"tf-migrate rewrite --jobs {cores}": [
            *ours,
            "rewrite",
            tree,
            "--output",
            copy,
            "--quiet",
            "--jobs",
            str(cores),
        ],
    }
    return {name: _best(list(map(str, command)), copy, repeat) for name, command in commands.items()}


def _best(command: list[str], copy: Path, repeat: int) -> Cost:
    costs = []
    for _ in range(repeat):
        shutil.rmtree(copy, ignore_errors=True)
        costs.append(_measure(command))
    return Cost(
        min(cost.cpu for cost in costs), min(cost.wall for cost in costs), min(cost.megabytes for cost in costs)
    )


def _measure(command: list[str]) -> Cost:
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(_ROOT)}
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **quiet}
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        raise SystemExit(f"status {process.returncode}: {' '.join(command)}")
    usages = [usage, *_left_behind()]
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    return Cost(cpu, wall, max(usage.ru_maxrss for usage in usages) / 1024)


def _adopt_descendants() -> None:
    """Have worker processes that outlive their parent become our children, so that their time is counted too."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _left_behind() -> Iterator[resource.struct_rusage]:
    with contextlib.suppress(ChildProcessError):
        while True:
            yield os.wait4(-1, 0)[2]


def _print(costs: dict[str, Cost]) -> int:
    peer = costs["tf_upgrade_v2"]
    print(f"\n{'':32}{'CPU s':>8}{'ratio':>8}{'wall s':>8}{'MB':>8}")
    held = True
    for name, cost in costs.items():
        ratio = cost.cpu / peer.cpu
        print(f"{name:32}{cost.cpu:8.1f}{ratio:8.2f}{cost.wall:8.1f}{cost.megabytes:8.0f}")
        held &= cost is peer or (ratio <= MOST_CPU and cost.megabytes <= MOST_MEGABYTES)
    verdict = "holds" if held else "DOES NOT HOLD"
    print(f"\nat most {MOST_CPU} of its CPU time and {MOST_MEGABYTES} MB a process: {verdict}")
    return 0 if held else 1


def _tree(cache: Path) -> Path:
    """The packages, unpacked side by side."""
    tree = cache / "tree"
    if not tree.is_dir():
        wheels, half = cache / "wheels", cache / "half"
        shutil.rmtree(half, ignore_errors=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, *PACKAGES], check=True
        )
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(half)
        half.rename(tree)
    return tree


if __name__ == "__main__":
    sys.exit(main())
