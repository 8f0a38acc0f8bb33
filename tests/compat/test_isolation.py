"""`compat.run_isolated`: results and errors come back, and no end of the other process is taken for a result."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import compat
from tests.compat import isolated_jobs as jobs


def test_results_come_from_another_process() -> None:
    array = np.arange(1_000_000.0)
    process, result = compat.run_isolated(jobs.whereabouts, array, scale=2.0)
    assert process != os.getpid()
    np.testing.assert_array_equal(result, 2 * array)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("how", "error", "told"),
    [
        ("raise", LookupError, "no such thing"),
        ("raise unpicklable", RuntimeError, "Particular: one and other"),
        ("kill", ChildProcessError, "misbehave was killed by SIGKILL .was there enough memory"),
        ("exit", ChildProcessError, "misbehave ended with status 3 before"),
        ("return", TypeError, "the result, a function, cannot come"),
    ],
)
def test_errors_come_back(how: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told) as caught:
        compat.run_isolated(jobs.misbehave, how)
    if how.startswith("raise"):
        assert "isolated_jobs.py" in str(caught.value.__cause__), "where it was raised is not told"
    assert not multiprocessing.active_children()


def test_a_process_that_takes_too_long_is_ended() -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="misbehave did not end in"):
        compat.run_isolated(jobs.misbehave, "sleep", timeout=0.2)
    assert time.monotonic() - began < 60
    assert not multiprocessing.active_children()


def test_what_cannot_be_imported_or_pickled() -> None:
    with pytest.raises(TypeError, match="lambda"):
        compat.run_isolated(lambda: 1)
    with pytest.raises(TypeError, match="whereabouts or its arguments"):
        compat.run_isolated(jobs.whereabouts, lambda: 1)


def test_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import compat

            def square(x):
                return x * x

            if __name__ == "__main__":
                print(compat.run_isolated(square, 7))
            """
        )
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert done.stdout == "49\n", done.stderr


@pytest.mark.usefixtures("gpu")
def test_the_gpu_is_free_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that used it is gone, and this one holds no more of it than before: a test may have used it here."""
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")  # beside what this process may hold
    before = jobs.held_of_gpus()
    weights, gpus, held, process = compat.run_isolated(jobs.train, 1)
    assert weights.tolist() == [2.0] and gpus and held
    assert jobs.held_of_gpus() == before
    assert not Path(f"/proc/{process}").exists()
