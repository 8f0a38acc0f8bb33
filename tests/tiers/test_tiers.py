"""A test is of the tier that has what it uses, and `make check` does without TensorFlow whatever its tests do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers.record import commit, with_record
from tests.tiers.uses import ROOT, TESTS, imports_tensorflow, runs_tensorflow

MODULE = """\
import sys

import pytest
from tests import warm
from tests.native import native, trees
from tests.native.native import printed as told
from tf_migrate.checkpoint.files import read
from tf_migrate.parity.compare import compare

CODE = "import tensorflow as tf"
CASES = {"rewritten": CODE, "run": lambda: told(CODE)}


def _run():
    return told(CODE)


@pytest.fixture
def output():
    return _run()


@pytest.fixture
def text():
    return native.rewritten(CODE)


def test_rewrites(text):
    assert "tensorflow" in CODE


def test_rewrites_a_tree(tmp_path):
    assert trees.tiers(trees.rewritten(tmp_path, {"train.py": CODE})) == set()


def test_compares():
    assert compare


def test_runs():
    assert _run() == ""


def test_runs_by_a_fixture(output):
    assert output == ""


def test_runs_a_tree(tmp_path):
    assert trees.printed(tmp_path, "train.py") == ""


def test_runs_a_process():
    assert warm.run([sys.executable, "-c", CODE]).stdout == ""


def test_reads_a_checkpoint(tmp_path):
    assert read(tmp_path)


@pytest.mark.parametrize("case", CASES)
def test_runs_by_a_table(case):
    assert CASES[case]


def test_imports():
    from compat import train

    assert train


def test_may_import():
    assert pytest.importorskip("tensorflow")


@pytest.mark.usefixtures("own_tensorflow")
def test_says_so():
    assert __import__("tensor" + "flow")


def test_asks_the_original(run_legacy):
    assert run_legacy("print(1)") == "1\\n"
"""
CHECK = {"test_rewrites", "test_rewrites_a_tree", "test_compares"}
HIDDEN = """\
import subprocess
import sys

import pytest


def test_here():
    try:
        __import__("tensor" + "flow")
    except Exception:
        pass


@pytest.mark.parametrize("environment", [None, {}])
def test_in_a_process(environment):
    subprocess.run([sys.executable, "-c", "import tensorflow"], env=environment, check=True)


def test_without():
    assert "tensorflow" not in sys.modules
"""


SEES = """\
import os

import pytest


@pytest.mark.gpu
def test_any():
    print(os.environ.get("CUDA_VISIBLE_DEVICES"))
"""
RECORD = """\
# Tests

## The last run of `make test-all`

| | |
| --- | --- |
| date | 2026-11-26 |
| tests | 3 passed |
"""


def ran(path: Path, *arguments: str) -> str:
    """What pytest says of a test module, with the hooks of tests/conftest.py."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml"), "-n", "0"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    return subprocess.run(
        [*command, *arguments, str(path)], cwd=ROOT, env=environment, capture_output=True, text=True
    ).stdout


def collected(path: Path, *arguments: str) -> set[str]:
    """The names of the tests that are chosen."""
    told = ran(path, *arguments, "--collect-only")
    return {line.split("::")[1].partition("[")[0] for line in told.splitlines() if "::" in line}


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "test_any.py").write_text(MODULE)
    return tmp_path / "test_any.py"


@pytest.mark.parametrize("tier", ["check", "test"])
def test_membership_follows_from_what_is_used(module: Path, tier: str) -> None:
    names = {line.split("(")[0].removeprefix("def ") for line in MODULE.splitlines() if line.startswith("def test_")}
    found = collected(module, "--tier", tier)
    assert found == (CHECK if tier == "check" else names - {"test_asks_the_original"})


def test_marks_follow_from_fixtures(module: Path) -> None:
    assert collected(module, "-m", "tf1") == {"test_asks_the_original"}


def test_a_module_that_imports_it_has_no_test_of_the_first_tier(tmp_path: Path) -> None:
    lines = {"compat": "import compat", "part": "from tensorflow import float32", "numpy": "import numpy"}
    for name, line in lines.items():
        (tmp_path / f"helper_{name}.py").write_text(line)
        text = f"import helper_{name}\n\n\ndef test_{name}():\n    assert helper_{name}\n"
        (tmp_path / f"test_{name}.py").write_text(text)
    files = [str(tmp_path / f"test_{name}.py") for name in lines]
    assert collected(tmp_path / "test_numpy.py", *files[:2], "--tier", "check") == {"test_numpy"}


def test_one_that_imports_it_all_the_same_fails(tmp_path: Path) -> None:
    (tmp_path / "test_any.py").write_text(HIDDEN)
    told = ran(tmp_path / "test_any.py", "--tier", "check")
    assert "3 failed, 1 passed" in told
    assert "a test of `make check` imports TensorFlow" in told


def test_the_helpers_of_the_tests_are_told_apart() -> None:
    native = TESTS / "native" / "native.py"
    assert not imports_tensorflow(native) and imports_tensorflow(TESTS / "compat" / "test_fed.py")
    assert {name: runs_tensorflow(native, name) for name in ("rewritten", "refuses", "printed", "close_graph")} == {
        "rewritten": False,
        "refuses": False,
        "printed": True,
        "close_graph": True,
    }


def test_only_tests_that_need_a_gpu_see_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    (tmp_path / "test_any.py").write_text(SEES)
    for expression, seen in (("gpu and not tf1", "None"), ("not tf1", "")):
        told = ran(tmp_path / "test_any.py", "-s", "-m", expression)
        assert told.splitlines()[0].removesuffix(".") == seen, told


def test_a_run_is_recorded(tmp_path: Path) -> None:
    page = tmp_path / "tests.md"
    page.write_text(RECORD)
    (tmp_path / "test_any.py").write_text(
        "import pytest\n\n\n"
        "@pytest.mark.parametrize('value', [1, 2, 3])\ndef test_any(value):\n    assert value < 3\n\n\n"
        "@pytest.mark.tf1\ndef test_in_tensorflow_1():\n    pytest.skip('none')\n"
    )
    (tmp_path / "test_broken.py").write_text("import no_such_module\n")
    told = ran(tmp_path, "--record", str(page), "--continue-on-collection-errors")
    assert "| tests | 2 passed, 2 failed, 1 skipped |" in page.read_text(), told
    assert "| of these in TensorFlow 1.15.5 | 0 passed, 0 failed, 1 skipped |" in page.read_text()


def test_a_record_takes_the_place_of_the_last() -> None:
    rows = {"date": "2026-11-26", "tests": "3 passed"}
    assert with_record("# Tests\n\n## The last run of `make test-all`\n\nold\n", rows) == RECORD
    assert with_record(RECORD, rows) == RECORD
    with pytest.raises(AssertionError, match="no place for the record"):
        with_record("# Tests\n", rows)


def test_the_commit_says_what_is_not_in_it(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=any", "-c", "user.email=any@example.org"]
        subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True)

    git("init")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "-m", "one")
    name = commit(tmp_path)
    assert len(name) == 12
    (tmp_path / "file").write_text("two")
    assert commit(tmp_path) == f"{name}, and changes that are not committed"


@pytest.mark.parametrize("target", ["check", "test", "test-all"])
def test_each_command_starts(target: str) -> None:
    """Pytest reads `tests/conftest.py`, which knows `--tier`, only where no argument looks like another test file."""
    (line,) = re.findall(rf"^{target}:.*\n\t\$\(PYTEST\) (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    command = [sys.executable, "-m", "pytest", *line.split(), "--collect-only", "--ignore-glob=*/test_*"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stderr
