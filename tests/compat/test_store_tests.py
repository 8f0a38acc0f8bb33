"""Tests with stores of their own: `compat.test.StoreTestCase`, `with_store` and `with_sessions`."""

from __future__ import annotations

import random
import unittest
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


class _Stores(compat.test.StoreTestCase):
    __test__ = False
    seen: list[Any] = []  # noqa: RUF012 - what the tests leave for the assertions below

    def setUp(self) -> None:
        super().setUp()
        with compat.building():
            self.x = compat.Input(tf.float32, [None], "x")

    def test_numbers(self) -> None:
        with compat.building():
            noise = tf.random.normal([2])
        noise_step = compat.step(noise)
        self.seen.append([noise_step(), np.random.rand(), random.random()])
        self.seen.append(compat.build(compat.get_default_graph))

    def test_what_is_built(self) -> None:
        with compat.building():
            w = compat.get_variable("w", [2], initializer=compat.ones_initializer())
            y = w * self.x
        y_step = compat.step(y, self.x)
        self.assertAllClose(y_step([2.0, 3.0]), [2.0, 3.0])
        self.assertAllEqual(w, [1.0, 1.0])
        self.assertAllEqual(self.evaluate({"sum": compat.build(lambda: w + 1.0)})["sum"], [2.0, 2.0])
        self.seen.append(compat.build(compat.get_default_graph))

    def test_goes_on_behind_errors(self) -> None:
        with self.assertRaisesRegex(ValueError, "too large"), compat.building():
            compat.get_variable("v", [2], initializer=compat.zeros_initializer())
            raise ValueError("too large")
        with compat.building():
            compat.get_variable_scope().reuse_variables()
            again = compat.get_variable("v", [2]) + 3.0
        again_step = compat.step(again)
        self.assertAllEqual(again_step(), [3.0, 3.0])
        assert [v.name for v in compat.global_variables()] == ["v:0"]

    def test_fails(self) -> None:
        self.assertAllClose(compat.build(lambda: tf.ones([2]) * 2.0), [1.0, 2.0])

    @compat.test.with_sessions
    def test_in_sessions(self) -> None:
        w = compat.get_variable("w", [], initializer=compat.ones_initializer())
        y = w * self.x
        with self.cached_session() as sess:
            with self.assertRaises(tf.errors.FailedPreconditionError):
                sess.run(w)
            sess.run(w.assign(3.0))
            self.assertAllClose(sess.run(y, {self.x: [2.0]}), [6.0])
            self.assertAllClose(y.eval({self.x: [1.0]}), [3.0])


class _Base(compat.test.TestCase):
    __test__ = False


@compat.test.with_store
class _Derived(_Base):
    def test_step(self) -> None:
        count_step = compat.step(compat.build(lambda: compat.Variable(4, name="count") + 1))
        assert count_step() == 5


class _WithOne(_Base):
    @compat.test.with_store
    def test_step(self) -> None:
        count_step = compat.step(compat.build(lambda: compat.Variable(4, name="count") + 1))
        assert count_step() == 5

    def test_session(self) -> None:
        self.fail("tests of TF1 have this method of their own: it is no test")

    def test_graph(self) -> None:
        with self.cached_session() as sess:
            assert sess.run(tf.constant(2) * 3) == 6


def _errors(case: type[unittest.TestCase], name: str) -> list[str]:
    result = unittest.TestResult()
    case(name).run(result)
    assert tf.executing_eagerly()
    assert result.testsRun == 1
    return [text for _, text in (*result.errors, *result.failures)]


@pytest.mark.parametrize(
    ("case", "name"),
    [
        (_Stores, "test_what_is_built"),
        (_Stores, "test_goes_on_behind_errors"),
        (_Stores, "test_in_sessions"),
        (_Derived, "test_step"),
        (_WithOne, "test_step"),
        (_WithOne, "test_graph"),
    ],
)
def test_passing(case: type[unittest.TestCase], name: str) -> None:
    assert _errors(case, name) == []


def test_a_failing_assertion_is_reported() -> None:
    (told,) = _errors(_Stores, "test_fails")
    assert "Not equal to tolerance" in told


def test_each_test_begins_anew() -> None:
    _Stores.seen.clear()
    assert _errors(_Stores, "test_numbers") == _errors(_Stores, "test_numbers") == []
    first, graph, second, other = _Stores.seen
    assert graph is not other
    for noise, from_numpy, from_python in (first, second):  # as in TF 1.15.5
        np.testing.assert_allclose(noise, [0.29629603, -0.03141323], rtol=1e-6)
        assert (from_numpy, from_python) == (0.18463433217903202, 0.3499765785632496)


def test_graphs_are_half_built_again_behind_tests() -> None:
    assert _errors(_Stores, "test_goes_on_behind_errors") == []
    with compat.VariableStore():
        with pytest.raises(KeyError), compat.building():
            tf.ones([2])
            raise KeyError
        with pytest.raises(RuntimeError, match="half built"), compat.building():
            tf.ones([2])
