"""Tests of users that put an object of their own in the place of a function that builds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import warm
from tests.native.test_cases import fails, passes
from tests.native.trees import rewritten

MADE = """import tensorflow as tf


def scaled(x, rate):
    return x * rate


def line(x, rate):
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
    return scaled(w * x, rate)


class Kind(object):
    def scaled(self, x):
        return x
"""
TEST = """from unittest import mock

import tensorflow as tf

import made


class AnyTest(tf.test.TestCase):
    @mock.patch.object(made, "scaled")
    def testScaled(self, mocked):
        mocked.side_effect = lambda x, rate: tf.square(x) - rate
        y = made.line(tf.constant(3.0), 0.5)
        (w,) = tf.all_variables()
        gradients = tf.gradients(y, w)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            found = sess.run([y, gradients[0]])
        self.assertAllClose(found, [35.5, 36.0])
        mocked.assert_called_once()
"""


def tier(folder: Path, test: str = TEST) -> set[str]:
    outcome = rewritten(folder, {"made.py": MADE, "made_test.py": test})
    return {site.tier for site in outcome.report.sites if not site.initializer_only}


def test_a_function_that_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tier(tmp_path) == {"native"}
    text = (tmp_path / "made_test.py").read_text()
    assert "            mocked.side_effect = lambda" in text
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "made", raising=False)
    passes(text, tmp_path, 1)
    fails(text.replace("35.5", "36.5"), tmp_path)
    fails(text.replace("rate: tf.square(x)", "rate: x"), tmp_path)


def test_it_passes_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    (tmp_path / "made.py").write_text(MADE)
    (tmp_path / "made_test.py").write_text(TEST)
    known = {name: value for name, value in os.environ.items() if name != "TF2_BEHAVIOR"}
    command = [str(legacy_python), "-m", "unittest", "made_test.AnyTest.testScaled"]
    done = warm.run(command, cwd=tmp_path, env=known)
    assert done.returncode == 0, done.stderr


REFUSED = {
    "a function of TensorFlow": ('made, "scaled"', 'tf, "square"'),
    "a name that is no function": ('made, "scaled"', 'made, "tf"'),
    "a method": ('made, "scaled"', 'made.Kind, "scaled"'),
    "an object that is written out": ('made, "scaled"', 'made, "scaled", mock.Mock()'),
    "a name that is computed": ('made, "scaled"', 'made, "sca" + "led"'),
    "by its path": ('.object(made, "scaled")', '("made.scaled")'),
    "updates, for which building is repeated": ("y = made", "tf.assign_add(tf.Variable(1.0), 1.0)\n        y = made"),
}


@pytest.mark.parametrize(("old", "new"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(old: str, new: str, tmp_path: Path) -> None:
    assert old in TEST
    assert tier(tmp_path, TEST.replace(old, new)) == {"bridge"}
