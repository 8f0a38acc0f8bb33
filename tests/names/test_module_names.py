"""The names of modules: those of files that an import finds, and others that no module has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.steps.migration import migrated
from tf_migrate.syntax.module import module_name

SCRIPT = """\
import tensorflow as tf

weights = tf.Variable(tf.zeros([2]), name="weights")
everything = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
with tf.Session() as sess:
    sess.run(tf.variables_initializer(var_list=everything))
    print(sess.run(weights))
"""
LIBRARY = """\
import tensorflow as tf


def build(x):
    return tf.layers.dense(x, 2)
"""
USER = """\
import tensorflow as tf
import model

x = tf.placeholder(tf.float32, [None, 3])
y = model.build(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: [[1.0, 2.0, 3.0]]}).shape)
"""


@pytest.mark.parametrize(
    ("path", "name", "package"),
    [
        ("a/b.py", "a.b", "a"),
        ("b.pyw", "b", ""),
        ("a/b/__init__.py", "a.b", "a.b"),
        ("./__init__.py", "", ""),
        ("a/b.ipynb", "a.b:ipynb", "a"),
        ("v1.0/train", "v1.0.:train", "v1.0"),
    ],
)
def test_names_of_files(path: str, name: str, package: str) -> None:
    assert module_name(path) == (name, package)


def _notebook(text: str) -> str:
    cells = [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}, indent=1)


@pytest.mark.parametrize("other", ["basics.ipynb", "basics"], ids=["a notebook", "a script without a suffix"])
def test_a_file_beside_a_module_of_its_name(other: str, tmp_path: Path) -> None:
    text = _notebook(SCRIPT) if other.endswith(".ipynb") else "#!/usr/bin/env python\n" + SCRIPT
    outcome = migrated({"basics.py": SCRIPT, other: text}, tmp_path)
    assert {(site.path, site.tier) for site in outcome.report.sites} == {("basics.py", "native"), (other, "native")}


def test_an_import_does_not_mean_a_notebook(tmp_path: Path) -> None:
    files = {"main.py": USER, "model.py": LIBRARY, "model.ipynb": _notebook(SCRIPT)}
    outcome = migrated(files, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert b"compat.builder" not in outcome.contents.get("model.ipynb", b"")
