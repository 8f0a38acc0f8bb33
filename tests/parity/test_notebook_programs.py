"""A notebook's cells run as a script on both sides, told by the lines of the notebook's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.parity.test_command import run
from tf_migrate.cli import main
from tf_migrate.options import UsageError

CELLS = (
    "%matplotlib inline\nimport tensorflow as tf\nimport numpy as np",
    "x = tf.placeholder(tf.float32, [None])\nw = tf.Variable(2.0, name='w')\nloss = tf.reduce_sum(tf.square(x * w))\n"
    "train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)",
    "%%time\nprint('timed')",
    "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nfor i in range(3):\n"
    "    _, value = sess.run(\n        [train, loss],\n        feed_dict={x: [1.0, float(i)]})\n"
    "    print('loss', value)",
    "display(value)\nvalue",
)


def notebook(*cells: str) -> str:
    listed = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": cell.splitlines(True)}
        for cell in cells
    ]
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1)


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(tmp_path / "none"))
    legacy, new = tmp_path / "legacy", tmp_path / "new"
    legacy.mkdir()
    (legacy / "train.ipynb").write_text(notebook(*CELLS))
    with pytest.raises(SystemExit):
        main(["rewrite", str(legacy), "--output", str(new), "--quiet"])
    return legacy, new


def test_parity(trees: tuple[Path, Path]) -> None:
    status, output = run(*trees, "--verbose", "--", "train.ipynb")
    assert status == 0, output
    assert "cells that begin with `%%` (1) are IPython's, and did not run" in output
    text = (trees[0] / "train.ipynb").read_text().splitlines()
    line = next(number for number, item in enumerate(text, 1) if "sess.run(\\n" in item)
    assert f"train.ipynb:{line} ->" in output and "3 runs, 3 compared" in output


def test_a_difference(trees: tuple[Path, Path]) -> None:
    file = trees[1] / "train.ipynb"
    file.write_text(file.read_text().replace("0.01", "0.02"))
    status, output = run(*trees, "--", "train.ipynb")
    assert status == 1 and "the run of train.ipynb:" in output and "is the first to differ in run 2" in output


def test_what_is_no_notebook(trees: tuple[Path, Path]) -> None:
    (trees[0] / "train.ipynb").write_text("{}")
    with pytest.raises(UsageError, match="no list of cells"):
        run(*trees, "--", "train.ipynb")


def test_a_cell_that_fails(trees: tuple[Path, Path]) -> None:
    (trees[0] / "train.ipynb").write_text(notebook("import tensorflow as tf", "get_ipython().run_line_magic('x', '')"))
    status, output = run(*trees, "--", "train.ipynb")
    assert status == 1 and "original failed: the original program raised NameError at train.ipynb:" in output
