"""`compat.init_scope`: to the graph while one is open, else to eager execution; so `control_dependencies(None)`."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


def test_out_of_branches_to_the_graph(graph: Any) -> None:
    made = []

    def branch() -> tf.Tensor:
        with compat.init_scope():
            made.append(tf.constant(3.0, name="lifted"))
        return tf.constant(1.0)

    compat.cond(compat.placeholder_with_default(True, []), branch, branch)
    assert [constant.graph for constant in made] == [graph, graph]


def test_out_of_functions_to_the_graph(graph: Any) -> None:
    @tf.function
    def function() -> tf.Tensor:
        with compat.init_scope():
            assert compat.get_default_graph() is graph
            assert not tf.executing_eagerly()
        return tf.constant(1.0)

    function()


def test_without_control_dependencies(graph: Any) -> None:
    before = tf.no_op()
    with tf.control_dependencies([before]), compat.init_scope():
        free = tf.identity(1.0)
    assert free.op.control_inputs == []


def test_natively_to_eager_execution() -> None:
    seen = []

    @tf.function
    def function() -> None:
        with compat.init_scope():
            seen.append(tf.executing_eagerly())

    function()
    assert seen == [True]


def _rounds(random: Any) -> tuple[Any, Any]:
    """The sum of what three rounds of a loop draw, and what the last one does."""

    def step(index: Any, total: Any, _: Any) -> tuple[Any, Any, Any]:
        with compat.control_dependencies(None):
            drawn = random([2])
        return index + 1, total + drawn, drawn

    zeros = tf.zeros([2])
    return compat.while_loop(lambda index, *_: index < 3, step, (tf.constant(0), zeros, zeros))[1:]


def test_no_control_dependencies_out_of_loops_to_the_graph(graph: Any) -> None:
    made = _rounds(tf.random.normal)
    with compat.Session() as session:
        total, last = session.run(made)
    np.testing.assert_allclose(total, 3.0 * last, rtol=1e-6)


@pytest.mark.parametrize("stored", [False, True])
def test_no_control_dependencies_out_of_loops_natively(stored: bool) -> None:
    @tf.function
    def rounds() -> Any:
        with compat.VariableStore() if stored else contextlib.nullcontext():
            return _rounds(tf.random.normal)

    total, last = rounds()
    np.testing.assert_allclose(total, 3.0 * last, rtol=1e-6)


def test_control_dependencies_that_are_given(graph: Any) -> None:
    before = tf.no_op()
    with compat.control_dependencies([before]):
        waiting = tf.identity(1.0)
        with compat.control_dependencies(None):
            free = tf.identity(1.0)
    assert waiting.op.inputs[0].op.control_inputs == [before]
    assert free.op.inputs[0].op.control_inputs == []
