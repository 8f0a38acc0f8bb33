"""What replaces a name of TensorFlow's for a while replaces the one that the code calls after the migration."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine import becomes, migrated, refuses, unchanged
from tests.native.trees import printed, rewritten

HEAD = "import tensorflow as tf\nfrom unittest import mock\n\ndef test(monkeypatch, f):\n    "
AFTER = "import tensorflow as tf\nimport compat\nfrom unittest import mock\n\ndef test(monkeypatch, f):\n    "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("with mock.patch('tensorflow.train.Saver') as saver: saver()", "mock.patch('compat.train.Saver')"),
        ('monkeypatch.setattr("tensorflow.compat.v1.placeholder", f)', 'setattr("compat.placeholder", f)'),
        ("monkeypatch.setattr('tensorflow.log', f)", "setattr('tensorflow.math.log', f)"),
    ],
)
def test_texts(before: str, after: str) -> None:
    result = migrated(HEAD + before + "\n")
    assert after in result.text
    assert [finding.rule for finding in result.findings] == ["TFM107"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "with mock.patch.object(tf.train, 'Saver', f): pass",
            "with mock.patch.object(compat.train, 'Saver', f): pass",
        ),
        ("monkeypatch.setattr(tf, 'get_variable', f)", "monkeypatch.setattr(compat, 'get_variable', f)"),
        ("setattr(tf, 'placeholder', f)", "setattr(compat, 'placeholder', f)"),
    ],
)
def test_names_beside_their_module(before: str, after: str) -> None:
    becomes(f"{HEAD}{before}\n", f"{AFTER}{after}\n")


def test_what_means_the_same_or_is_no_tensorflow_stays() -> None:
    for line in (
        "mock.patch('tensorflow.matmul', f)",
        "mock.patch.object(tf, 'reduce_sum', f)",
        "mock.patch('tensorflow_datasets.load', f)",
        "mock.patch('model.get_variable', f)",
        "f('tensorflow.get_variable')",
        "setattr(f, 'placeholder', f)",
    ):
        unchanged(HEAD + line + "\n")


def test_names_whose_uses_become_something_else_are_told() -> None:
    refuses(HEAD + "mock.patch('tensorflow.to_float', f)\n", "tf.to_float")
    refuses(HEAD + "monkeypatch.setattr(tf, 'log', f)\n", "tf.log")


MODEL = """\
import tensorflow as tf


def build(width):
    return tf.get_variable("w", [width], initializer=tf.ones_initializer())
"""
MAIN = """\
from unittest import mock
import tensorflow as tf
import model

names = []
real = tf.get_variable


def recorded(name, shape, **others):
    names.append((name, shape))
    return real(name, shape, **others)


@mock.patch("{0}", recorded)
def patched():
    return model.build(3)


w = patched()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(names, sess.run(w).tolist())
"""


@pytest.mark.parametrize("name", ["tensorflow.get_variable", "model.tf.get_variable"])
def test_a_program_whose_variables_are_recorded(name: str, tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"model.py": MODEL, "main.py": MAIN.replace("{0}", name)})
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert printed(tmp_path, "main.py") == "[('w', [3])] [1.0, 1.0, 1.0]\n"
