"""Tests that a library decorates are what a runner of tests calls: patches, marks, rows of parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import assert_alike, migrated, said_by_tests

# What TensorFlow 1.15.5 prints of these two.
PATCHED = """\
import os
from unittest import mock

import pytest
import tensorflow as tf


def scaled(x):
    return x * float(os.environ.get("SCALE", "2"))


class ScaledTest(tf.test.TestCase):
    @mock.patch.dict(os.environ, {"SCALE": "3"})
    @mock.patch("os.getcwd", return_value="here")
    def test_patched(self, getcwd):
        x = tf.placeholder(tf.float32, [2])
        y = scaled(x)
        with self.test_session() as sess:
            print(os.getcwd(), sess.run(y, {x: [1.0, 2.0]}))
        self.assertEqual(getcwd.call_count, 1)

    @pytest.mark.slow
    def test_marked(self):
        with self.cached_session():
            print(scaled(tf.constant([1.0, 2.0])).eval())


if __name__ == "__main__":
    tf.test.main()
"""
PATCHED_PRINTED = "[2. 4.]\nhere [3. 6.]\n"
# Another class of tests below, whose own decorator calls each test twice: in one graph, as TensorFlow 1 did.
TWICE = """\
import functools

import numpy as np
import tensorflow as tf
from numpy.testing import suppress_warnings


def twice(test):
    @functools.wraps(test)
    def run(self):
        test(self)
        test(self)
    return run


class Counted(tf.test.TestCase):
    def setUp(self):
        super(Counted, self).setUp()
        self.step = tf.Variable(0.0, name="step", trainable=False)

    def count(self, sess, by):
        return sess.run(tf.assign_add(self.step, by))


class CountedTest(Counted):
    @twice
    @suppress_warnings()
    def test_count(self):
        with self.session() as sess:
            sess.run(self.step.initializer)
            print([float(self.count(sess, by)) for by in np.arange(1.0, 4.0)])


if __name__ == "__main__":
    tf.test.main()
"""
TWICE_PRINTED = "[1.0, 3.0, 6.0]\n[1.0, 3.0, 6.0]\n"

ROWS = """\
import tensorflow as tf
{statement}


class DoubledTest(tf.test.TestCase):
    @{decorator}
    def test_doubled(self, value, wanted):
        x = tf.placeholder(tf.float32, [])
        y = 2.0 * x
        with self.test_session() as sess:
            self.assertEqual(sess.run(y, {{x: value}}), wanted)
"""


@pytest.mark.parametrize(("program", "wanted"), [(PATCHED, PATCHED_PRINTED), (TWICE, TWICE_PRINTED)])
def test_decorated_tests_are_run(program: str, wanted: str, tmp_path: Path) -> None:
    outcome = migrated({"test_it.py": program}, tmp_path)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    (tmp_path / "test_it.py").write_bytes(outcome.contents["test_it.py"])
    said, told = said_by_tests(tmp_path, "test_it")
    assert_alike(said, wanted)
    assert "FAILED" not in told


@pytest.mark.parametrize(
    ("statement", "decorator"),
    [
        ("from parameterized import parameterized", "parameterized.expand([(1.0, 2.0), (2.0, 4.0)])"),
        ("from nose_parameterized import parameterized as p", "p.expand([(1.0, 2.0), (2.0, 4.0)])"),
        ("import ddt", "ddt.data((1.0, 2.0), (2.0, 4.0))"),
    ],
)
def test_rows_of_parameters(statement: str, decorator: str, tmp_path: Path) -> None:
    program = ROWS.format(statement=statement, decorator=decorator)
    (site,) = migrated({"test_it.py": program}, tmp_path).report.sites
    assert (site.form, site.tier) == ("steps", "native")
