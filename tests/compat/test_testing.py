"""`compat.test.TestCase`: a graph for each test, sessions, evaluation."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.contrib.eager import run_test_in_graph_and_eager_modes


def _outcome(case: type[unittest.TestCase], name: str) -> unittest.TestResult:
    result = unittest.TestResult()
    case(name).run(result)
    return result


def _passes(case: type[unittest.TestCase], name: str) -> None:
    result = _outcome(case, name)
    assert not result.errors and not result.failures, result.errors + result.failures
    assert tf.executing_eagerly()


class _Graphs(compat.test.TestCase):
    __test__ = False
    seen: list[Any] = []  # noqa: RUF012 - what the two tests leave for the assertions below

    def test_builds(self) -> None:
        self.seen.append(compat.get_default_graph())
        constant = tf.constant(3.0)
        assert not tf.executing_eagerly()
        assert constant.name == "Const:0"
        with self.test_session() as session:
            assert session.run(constant) == 3.0
            assert constant.eval() == 3.0
        self.assertAllClose(self.evaluate(constant * 2), 6.0)
        self.assertAllEqual(tf.constant([1, 2]), np.array([1, 2]))

    def test_keeps_its_session(self) -> None:
        variable = compat.Variable(1.0)
        with self.cached_session() as session:
            session.run(variable.initializer)
        with self.cached_session() as again:
            assert again is session
            assert again.run(variable) == 1.0
        with self.session() as other:
            assert other is not session

    def test_fails(self) -> None:
        self.assertAllEqual(tf.constant([1]), [2])

    def test_fails_close(self) -> None:
        self.assertAllClose({"a": [tf.constant([1.0])]}, {"a": [[1.1]]})

    def test_raises_at_run_time(self) -> None:
        placeholder = compat.placeholder(tf.float32, [])
        with self.test_session(), self.assertRaisesOpError("You must feed a value"):
            (placeholder + 1).eval()


class _WithoutSetUp(compat.test.TestCase):
    __test__ = False

    def setUp(self) -> None:
        self.value = tf.constant(5)

    def test_still_has_a_graph(self) -> None:
        with self.test_session():
            assert self.value.eval() == 5


class _BothModes(compat.test.TestCase):
    __test__ = False
    modes: list[bool] = []  # noqa: RUF012 - what the test leaves for the assertion below

    @run_test_in_graph_and_eager_modes
    def test_mode(self) -> None:
        self.modes.append(tf.executing_eagerly())
        self.assertAllEqual(self.evaluate(tf.constant([1, 2]) * 2), [2, 4])


class _Variables(compat.test.TestCase):
    """TF 1.15.5's eager half: variables are made anew, objects keep theirs, collections hold templates'."""

    __test__ = False

    @run_test_in_graph_and_eager_modes
    def test_layers_and_variables(self) -> None:
        x = tf.ones([1, 2])
        dense = compat.layers.Dense(3, name="d")
        optimizer = compat.train.MomentumOptimizer(0.5, 0.5)
        with compat.variable_scope("s"):
            w = compat.get_variable("w", [2], initializer=compat.ones_initializer())
            scaled = compat.layers.dense(x, 3) + dense(x) + dense(x)
        step = optimizer.apply_gradients([(tf.constant([1.0, 2.0]), w)])
        self.evaluate(compat.global_variables_initializer())
        self.assertEqual(self.evaluate(scaled).shape, (1, 3))
        self.evaluate(step)
        self.assertEqual(len(dense.weights), 2)
        if tf.executing_eagerly():
            optimizer.apply_gradients([(tf.constant([1.0, 2.0]), w)])
        else:
            self.evaluate(step)
        self.assertAllClose(self.evaluate(w), [1 - 0.5 - 0.75, 1 - 1 - 1.5])

    @run_test_in_graph_and_eager_modes
    def test_eager_half(self) -> None:
        if not tf.executing_eagerly():
            self.skipTest("The graph half has other rules.")
        with compat.variable_scope("s"):
            first = compat.get_variable("w", [2])
        for reuse in (None, True, compat.AUTO_REUSE):
            with compat.variable_scope("s", reuse=reuse):
                assert compat.get_variable("w", [2]) is not first
        template = compat.make_template("t", lambda: compat.get_variable("v", [1]))
        assert template() is template()
        assert [variable.name for variable in template.variables] == ["t/v:0"]
        assert compat.trainable_variables() == compat.global_variables() == [template()]
        raise AssertionError("the eager half has run")


def test_variables_in_both_halves() -> None:
    _passes(_Variables, "test_layers_and_variables")


def test_a_skipped_graph_half_leaves_the_eager_one() -> None:
    result = _outcome(_Variables, "test_eager_half")
    assert not result.errors and not result.skipped
    assert "the eager half has run" in result.failures[0][1]


@pytest.mark.parametrize("name", ["test_builds", "test_keeps_its_session", "test_raises_at_run_time"])
def test_passing(name: str) -> None:
    _passes(_Graphs, name)


def test_every_test_has_a_fresh_graph() -> None:
    _Graphs.seen.clear()
    _passes(_Graphs, "test_builds")
    _passes(_Graphs, "test_builds")
    first, second = _Graphs.seen
    assert first is not second


@pytest.mark.parametrize("name", ["test_fails", "test_fails_close"])
def test_failing_assertion_is_reported(name: str) -> None:
    assert len(_outcome(_Graphs, name).failures) == 1
    assert tf.executing_eagerly()


def test_own_set_up_without_super() -> None:
    _passes(_WithoutSetUp, "test_still_has_a_graph")


def test_inside_an_open_program_graph() -> None:
    compat.reset_default_graph()
    outer = compat.open_graph()
    try:
        result = _outcome(_Graphs, "test_builds")
        assert not result.errors and not result.failures, result.errors + result.failures
        assert not tf.executing_eagerly()
    finally:
        compat.close_graph()
    assert outer is not compat.get_default_graph()


def test_both_modes() -> None:
    _BothModes.modes.clear()
    _passes(_BothModes, "test_mode")
    assert _BothModes.modes == [False, True]


def test_temp_dir_is_there_and_stays_the_same() -> None:
    import os

    assert os.path.isdir(compat.test.get_temp_dir())
    assert compat.test.get_temp_dir() == compat.test.get_temp_dir()


def test_no_gpu_here() -> None:
    assert compat.test.is_gpu_available(cuda_only=True) is bool(tf.config.list_physical_devices("GPU"))


class _WithoutGraph(compat.test.TestCase):
    __test__ = False

    def setUp(self) -> None:
        super().setUp()
        self.value = tf.constant(5)

    @compat.test.without_graph
    def test_runs_at_once(self) -> None:
        assert tf.executing_eagerly()
        assert self.value.numpy() == 5
        self.assertAllEqual(self.value + 1, 6)
        self.assertAllEqual(self.evaluate(self.value), 5)
        np.testing.assert_allclose(np.random.rand(), 0.18463433)

    @compat.test.without_graph
    def test_fails(self) -> None:
        self.assertAllEqual(self.value, 6)

    def test_builds(self) -> None:
        assert not tf.executing_eagerly()
        with self.test_session():
            assert self.value.eval() == 5


def test_a_test_that_needs_no_graph() -> None:
    """Beside others that do, and with the seed of NumPy that TF 1.15.5's `setUp` gives."""
    _passes(_WithoutGraph, "test_runs_at_once")
    _passes(_WithoutGraph, "test_builds")
    assert _outcome(_WithoutGraph, "test_fails").failures


def test_a_local_cluster_of_one_worker_is_this_process() -> None:
    workers, servers = compat.test.create_local_cluster(1, num_ps=0, protocol="grpc")
    assert len(workers) == 1 and servers == []
    with compat.Graph().as_default(), compat.Session(workers[0].target) as session:
        assert session.run(tf.constant(3) * 2) == 6


@pytest.mark.parametrize("sizes", [(2, 0), (1, 1)])
def test_a_local_cluster_of_several_processes_is_refused(sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="one worker and no parameter server"):
        compat.test.create_local_cluster(*sizes)
