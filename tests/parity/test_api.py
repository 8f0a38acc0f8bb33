"""What tests of a migrated project call: for one function, layer or module, too."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

from tf_migrate.cli import main
from tf_migrate.options import UsageError
from tf_migrate.parity.api import assert_parity

LAYERS = """\
import tensorflow as tf

def encode(x):
    with tf.variable_scope("encoder"):
        w = tf.get_variable("w", [3, 4], initializer=tf.random_normal_initializer())
        return {"code": tf.tanh(tf.matmul(x, w)), "size": tf.shape(x)[0]}

class Scale(object):
    def __init__(self, factor, name="scale"):
        self.factor = factor
        self.name = name

    def __call__(self, x, y):
        with tf.variable_scope(self.name):
            bias = tf.get_variable("bias", [3], initializer=tf.random_normal_initializer())
            return self.factor * x + y + bias
"""
NATIVE = """\
import tensorflow as tf

w = tf.Variable(tf.random.normal([3, 4]), name="encoder/w")

@tf.function
def encode(x):
    return {"code": tf.tanh(tf.matmul(x, w)), "size": tf.shape(x)[0]}
"""
X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A tree with a module, no program, and its migrated copy."""
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(tmp_path / "none"))
    legacy, new = tmp_path / "legacy", tmp_path / "new"
    legacy.mkdir()
    (legacy / "layers.py").write_text(LAYERS)
    with pytest.raises(SystemExit):
        main(["rewrite", str(legacy), "--output", str(new), "--quiet"])
    return legacy, new


def test_a_function(trees: tuple[Path, Path]) -> None:
    assert_parity(*trees, function="layers.py:encode", inputs=[X])
    file = trees[1] / "layers.py"
    file.write_text(file.read_text().replace("tf.tanh", "tf.sin"))
    with pytest.raises(AssertionError, match="is the first to differ in run 1"):
        assert_parity(*trees, function="layers.py:encode", inputs=[X])


def test_a_function_ported_by_hand(trees: tuple[Path, Path]) -> None:
    (trees[1] / "layers.py").write_text(NATIVE)
    assert_parity(*trees, function="layers.py:encode", inputs=[X])


def test_a_layer(trees: tuple[Path, Path]) -> None:
    assert_parity(*trees, function="layers.py:Scale", inputs=[X, X], made_with=[2.0])
    with pytest.raises(AssertionError, match="has no attribute"):
        assert_parity(*trees, function="layers.py:Scaled", inputs=[X, X], made_with={"factor": 2.0})


def test_what_is_not_there(trees: tuple[Path, Path]) -> None:
    with pytest.raises(UsageError, match=r'"other\.py:encode" names nothing to call'):
        assert_parity(*trees, function="other.py:encode", inputs=[X])


@pytest.mark.usefixtures("own_tensorflow")
def test_the_fixtures(trees: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nparity_original = legacy\nparity_migrated = new\n")
    (tmp_path / "test_port.py").write_text(
        "import numpy as np, pytest\n"
        "def test_encode(assert_parity, assert_close):\n"
        "    assert_parity(function='layers.py:encode', inputs=[np.ones([2, 3], np.float32)])\n"
        "    with pytest.raises(AssertionError):\n"
        "        assert_close({'a': np.float32(1)}, {'a': np.float32(2)})\n"
    )
    # Beside the plugin what forks the programs of all these tests.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.parity.conftest", "test_port.py"]
    if not any(point.name == "tf-migrate" for point in entry_points(group="pytest11")):
        command += ["-p", "tf_migrate.parity.plugin"]  # installed before there was a plugin
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr
