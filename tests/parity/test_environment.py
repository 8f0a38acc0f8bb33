"""The environment of both programs: what the user's says, and what is not for one of them."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

from tests.parity.test_command import run, trees
from tf_migrate.cli import main
from tf_migrate.parity.api import assert_parity
from tf_migrate.parity.environment import PROJECT, environment
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.scenario import Pair, Scenario

pytestmark = pytest.mark.usefixtures("as_v1_graph")


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Two trees with a folder of modules in each, in a folder from which they are compared."""
    for tree in ("legacy", "new"):
        (tmp_path / "work" / tree / "lib").mkdir(parents=True)
    (tmp_path / "work" / "shared").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("PYTHONPATH", "")
    return Pair(tmp_path / "work" / "legacy", tmp_path / "work" / "new")


def variables(
    side: str,
    pair: Pair,
    scenario: Scenario | None = None,
    python: Path | None = None,
    device: str = "cpu",
    deterministic: bool = True,
) -> dict[str, str]:
    """Those of a side that runs in a copy of its tree, /copy/tree for the test's folder "copy"."""
    tree = pair.legacy.parent.parent / "copy" / side / "tree"
    (tree / "lib").mkdir(parents=True, exist_ok=True)
    return environment(side, tree, pair, scenario or Scenario(), Legacy(python), device, deterministic)


def path(side: str, pair: Pair, scenario: Scenario | None = None, python: Path | None = None) -> list[str]:
    """The search path of a side, short: what lies in the test's folder counts from there."""
    top = str(pair.legacy.parent.parent) + os.sep
    found = variables(side, pair, scenario, python)["PYTHONPATH"].split(os.pathsep)
    return [item.removeprefix(top) for item in found if item]


@pytest.mark.parametrize(
    ("given", "original", "migrated"),
    [
        ("", [], []),
        ("shared", ["work/shared"], ["work/shared"]),
        # A place of either tree is that of the side's own copy.
        ("legacy", ["copy/original/tree"], ["copy/migrated/tree"]),
        (
            "legacy/lib:new/lib:shared",
            ["copy/original/tree/lib", "work/shared"],
            ["copy/migrated/tree/lib", "work/shared"],
        ),
        ("./new/../legacy/lib", ["copy/original/tree/lib"], ["copy/migrated/tree/lib"]),
        # By hand a relative one counts from where the program runs.
        ("lib", ["copy/original/tree/lib", "work/lib"], ["copy/migrated/tree/lib", "work/lib"]),
        (":shared", ["copy/original/tree", "work/shared"], ["copy/migrated/tree", "work/shared"]),
        # What is not copied is where it was.
        ("legacy/.venv/lib", ["work/legacy/.venv/lib"], ["work/legacy/.venv/lib"]),
    ],
)
def test_the_users_search_path(
    given: str, original: list[str], migrated: list[str], pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", given)
    assert path("original", pair) == original
    assert path("migrated", pair) == [str(PROJECT), *migrated]


def test_absolute_places_and_links(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    (pair.legacy.parent / "link").symlink_to(pair.legacy / "lib")
    places = [pair.migrated / "lib", pair.legacy.parent / "link", pair.legacy.parent / "shared"]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, places)))
    assert path("original", pair) == ["copy/original/tree/lib", "work/shared"]


def test_a_scenarios_search_path_takes_the_place_of_the_users(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "shared")
    scenario = Scenario(environment={"PYTHONPATH": f"lib:{pair.legacy / 'other'}"})
    assert path("original", pair, scenario) == ["copy/original/tree/lib", "copy/original/tree/other"]
    assert path("migrated", pair, scenario)[1:] == ["copy/migrated/tree/lib", "copy/migrated/tree/other"]


def test_what_is_not_for_an_original(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own project never is; to a Python of its own the packages of this one are not."""
    packages = tmp_path / "packages"
    (packages / "numpy").mkdir(parents=True)
    (packages / "numpy" / "__init__.py").write_text("")
    own = sysconfig.get_path("purelib")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PROJECT), own, str(packages), "shared"]))
    assert path("original", pair) == [own, "packages", "work/shared"]
    assert path("original", pair, python=tmp_path / "python3.7") == ["work/shared"]
    assert path("migrated", pair) == [str(PROJECT), own, "packages", "work/shared"]


@pytest.mark.parametrize(
    ("device", "deterministic", "asked", "demand"),
    [
        ("cpu", True, {}, None),
        ("gpu", True, {}, "1"),
        ("gpu", False, {}, None),
        ("gpu", True, {"TF_DETERMINISTIC_OPS": "0"}, "0"),
    ],
)
def test_deterministic_kernels(
    device: str,
    deterministic: bool,
    asked: dict[str, str],
    demand: str | None,
    pair: Pair,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TF_DETERMINISTIC_OPS", raising=False)
    for side in ("original", "migrated"):
        found = variables(side, pair, Scenario(environment=asked), device=device, deterministic=deterministic)
        assert found.get("TF_DETERMINISTIC_OPS") == demand
        assert (found["TF_CUDNN_DETERMINISTIC"], found["NVIDIA_TF32_OVERRIDE"]) == ("1", "0")
    monkeypatch.setenv("TF_DETERMINISTIC_OPS", "1")
    assert "TF_DETERMINISTIC_OPS" not in variables("original", pair, device="gpu", deterministic=False)


USES = """\
import tensorflow as tf
import factors
x = tf.placeholder(tf.float32, [])
with tf.Session() as sess:
    print("y", sess.run(x * factors.FACTOR, {x: 2.0}))
"""


def test_each_side_imports_from_its_own_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`PYTHONPATH=legacy/lib` of the original's runs means the migrated tree's modules for the migrated program."""
    (tmp_path / "legacy" / "lib").mkdir(parents=True)
    (tmp_path / "legacy" / "lib" / "factors.py").write_text("FACTOR = 3.0\n")
    legacy, new = trees(tmp_path, USES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "legacy/lib")
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0, output
    (new / "lib" / "factors.py").write_text("FACTOR = 4.0\n")
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "differs" in output, output


MODEL = "import tensorflow as tf\nfrom factors import FACTOR\n\n\ndef scaled(x):\n    return x * FACTOR\n"


def test_a_function_of_each_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "legacy" / "lib").mkdir(parents=True)
    (tmp_path / "legacy" / "lib" / "factors.py").write_text("FACTOR = 3.0\n")
    (tmp_path / "legacy" / "model.py").write_text(MODEL)
    with pytest.raises(SystemExit):
        main(["rewrite", str(tmp_path / "legacy"), "--output", str(tmp_path / "new"), "--quiet"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "legacy" / "lib"))
    assert_parity("legacy", "new", function="model.py:scaled", inputs=[[1.0, 2.0]])
    (tmp_path / "new" / "lib" / "factors.py").write_text("FACTOR = 4.0\n")
    with pytest.raises(AssertionError, match="is the first to differ"):
        assert_parity("legacy", "new", function="model.py:scaled", inputs=[[1.0, 2.0]])


OWN_NAMES = """\
import tensorflow as tf
import errors
import functions
x = tf.placeholder(tf.float32, [])
with tf.Session() as sess:
    print("y", sess.run(functions.double(x), {x: 2.0}))
assert errors.KNOWN == "the program's"
"""


def test_modules_of_the_program_that_are_called_as_those_of_the_probe(tmp_path: Path) -> None:
    (tmp_path / "legacy").mkdir()
    (tmp_path / "legacy" / "functions.py").write_text("def double(x):\n    return x * 2.0\n")
    (tmp_path / "legacy" / "errors.py").write_text('KNOWN = "the program\'s"\n')
    legacy, new = trees(tmp_path, OWN_NAMES)
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0, output
