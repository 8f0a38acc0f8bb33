"""A program that is forked from an interpreter that has imported TensorFlow is as one that is started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm

pytestmark = pytest.mark.skipif(not warm.AVAILABLE, reason="programs are started where Linux is not")
ROOT = Path(__file__).parents[1]
# The sequence of numbers that no seed began, too, is each program's own.
TOLD = """\
import json, os, random, signal, sys, threading, warnings
import numpy as np

told = {
    "name": __name__,
    "arguments": sys.argv,
    "folder": os.getcwd(),
    "found": sys.path[0],
    "environment": dict(os.environ),
    "leads": os.getsid(0) == os.getpid(),
    "files": os.listdir("/proc/self/fd"),
    "threads": threading.active_count(),
    "asked of warnings": sys.warnoptions,
    "warnings": [
        (action, kind.__name__)
        for action, text, kind, *_ in warnings.filters
        if text is None and kind.__module__ == "builtins"
    ],
    "signals": [str(action) for action in map(signal.getsignal, (2, 15, 17))],
}
random_numbers = [random.random(), np.random.rand()]
"""
PROGRAM = TOLD + "print(json.dumps([told, random_numbers]))\nprint('said', file=sys.stderr)\nsys.exit(3)\n"
WAYS = ("a text", "a file", "a module")
BEHIND_THE_IMPORT = """\
import os
import tensorflow as tf

threads = len(os.listdir(f"/proc/{os.getppid()}/task"))
if tf.__version__ < "2":
    assert tf.get_default_graph().version == 0 and tf.get_default_session() is None
    from tensorflow.python.eager.context import _context
    assert _context is None
else:
    from tensorflow.python.eager.context import context
    assert not context()._initialized
print(threads)
"""


@pytest.fixture
def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TF2_BEHAVIOR")}


def is_as_one_that_is_started(given: str, python: str, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "told.py").write_text(PROGRAM)
    arguments = {"a text": ["-c", PROGRAM], "a file": ["folder/told.py"], "a module": ["-m", "folder.told"]}[given]
    command = [python, *arguments, "an argument"]
    environment |= {"PYTHONPATH": str(tmp_path / "nothing"), "OF_ITS_OWN": "1"}
    environment["PYTHONWARNINGS"] = "ignore::UserWarning,error::RuntimeWarning"
    started = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    forked = [warm.run(command, cwd=tmp_path, env=environment) for _ in range(2)]
    (expected, numbers), *others = (json.loads(done.stdout) for done in (started, *forked))
    expected["leads"] = True
    assert all(told["environment"].items() >= environment.items() for told in (expected, *(told for told, _ in others)))
    for told, _ in others:
        told["environment"] = expected["environment"]  # and what importing TensorFlow sets
    assert [told for told, _ in others] == [expected, expected]
    assert len({*numbers, *others[0][1], *others[1][1]}) == 6
    assert {done.returncode for done in (started, *forked)} == {3}
    assert {done.stderr for done in forked} == {"said\n"} and started.stderr.endswith("said\n")


@pytest.mark.parametrize("given", WAYS)
def test_it_is_as_one_that_is_started(given: str, environment: dict[str, str], tmp_path: Path) -> None:
    is_as_one_that_is_started(given, sys.executable, environment, tmp_path)


@pytest.mark.parametrize("given", WAYS)
def test_so_it_is_in_tensorflow_1(given: str, legacy_python: Path, environment: dict[str, str], tmp_path: Path) -> None:
    is_as_one_that_is_started(given, str(legacy_python), environment, tmp_path)


def only_the_import_is_shared(python: str, environment: dict[str, str]) -> None:
    environment["OPENBLAS_NUM_THREADS"] = "1"  # NumPy's threads, which outlive a fork
    done = warm.run([python, "-c", BEHIND_THE_IMPORT], env=environment)
    assert done.stdout == "1\n", done.stderr


def test_only_the_import_is_shared(environment: dict[str, str]) -> None:
    only_the_import_is_shared(sys.executable, environment)


def test_only_the_import_of_tensorflow_1_is_shared(legacy_python: Path, environment: dict[str, str]) -> None:
    only_the_import_is_shared(str(legacy_python), environment)


def test_one_interpreter_for_programs_that_warn_in_other_ways(environment: dict[str, str]) -> None:
    program = "import os; print(os.getppid(), os.environ['TF2_BEHAVIOR'])"
    ways: list[dict[str, str]] = [{}, {"PYTHONWARNINGS": "ignore"}, {"TF2_BEHAVIOR": "1"}]
    told = {warm.run([sys.executable, "-c", program], env={**environment, **way}).stdout for way in ways}
    assert len(told) == 1 and told.pop().endswith(" 1\n")


def test_how_programs_end(environment: dict[str, str]) -> None:
    failed = warm.run([sys.executable, "-c", "raise ValueError('no')"], env=environment)
    assert failed.returncode == 1 and failed.stderr.endswith("ValueError: no\n")
    killed = warm.run([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], env=environment)
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run([sys.executable, "-c", "while True: pass"], env=environment, timeout=0.5)
    late = "import atexit, threading, time; atexit.register(print, 'end')\n"
    late += "threading.Thread(target=lambda: [time.sleep(0.2), print('thread')]).start()\n"
    assert warm.run([sys.executable, "-c", late], env=environment).stdout == "thread\nend\n"


@pytest.mark.usefixtures("own_tensorflow")
def test_what_is_left_behind_is_killed(environment: dict[str, str]) -> None:
    leaves = """\
import os, sys
from tests import warm
with open(os.devnull, "w") as out:
    print(warm.Popen([sys.executable, "-c", "while True: pass"], env=os.environ, stdout=out, stderr=out).pid)
"""
    left = subprocess.run(
        [sys.executable, "-c", leaves], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    with pytest.raises(ProcessLookupError):
        os.kill(int(left.stdout), 0)
