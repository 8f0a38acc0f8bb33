"""compat needs TensorFlow and NumPy alone, under any name, and `tf.compat.v1` in the bridge only."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import warm
from tf_migrate.files.vendor import SHIMS, vendor

# What TensorFlow itself requires comes with it.
_ALLOWED = {"numpy", "tensorflow", "absl", "google"} | set(sys.stdlib_module_names)
_FILES = sorted(SHIMS.rglob("*.py"))

_PROGRAM = """
import importlib, pkgutil, sys
import numpy, tensorflow as tf
from absl import app
tf.keras.layers.Layer
before = {name.partition(".")[0] for name in sys.modules}
import shims.tf1 as shims
sys.modules["shims.tf1.keras2"] = None  # as where its package is not installed
for found in pkgutil.walk_packages(shims.__path__, "shims.tf1."):
    if found.name != "shims.tf1.keras2":
        importlib.import_module(found.name)
new = {name.partition(".")[0] for name in sys.modules} - before - set(sys.stdlib_module_names)
store = shims.VariableStore()
with store:
    y = shims.layers.dense(tf.ones([1, 2]), 3, kernel_initializer=shims.ones_initializer())
with shims.Graph().as_default(), shims.Session() as session:
    print(sorted(new), y.numpy().tolist(), session.run(tf.constant(2) * 3), store.variables[0].name)
"""


def _imported(tree: ast.Module) -> Iterator[str]:
    """The packages that a module imports when it is imported; its own, by relative names, aside."""
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            yield str(statement.module).partition(".")[0]


@pytest.mark.parametrize("package", sorted({path.parent for path in _FILES}), ids=lambda path: path.name)
def test_a_package_imports_what_tensorflow_brings_along(package: Path) -> None:
    for path in package.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # What a function imports is asked for by who calls it (SciPy's optimizers).
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.body = []
        # Keras 2 is a package of its own, which programs that need it install.
        assert set(_imported(tree)) <= _ALLOWED | ({"tf_keras"} if package.name == "keras2" else set()), path


def test_tensorflows_old_interface_is_in_the_bridge_only() -> None:
    for path in _FILES:
        if path.is_relative_to(SHIMS / "bridge"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            old = isinstance(node, ast.Attribute) and ast.unparse(node).startswith("tf.compat.v1")
            old |= isinstance(node, ast.ImportFrom) and "tensorflow.compat.v1" in str(node.module)
            old |= isinstance(node, ast.Import) and any("compat.v1" in alias.name for alias in node.names)
            assert not old, f"{path}:{getattr(node, 'lineno', 0)}"


def test_a_copy_of_another_name_imports_and_works(tmp_path: Path) -> None:
    vendor(tmp_path, "shims.tf1", "1.0")
    done = warm.run([sys.executable, "-c", _PROGRAM], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "['shims'] [[2.0, 2.0, 2.0]] 6 dense/kernel:0"
