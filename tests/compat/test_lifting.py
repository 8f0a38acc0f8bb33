"""`compat.init_scope`: to the graph while one is open, else to eager execution."""

from __future__ import annotations

from typing import Any

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
