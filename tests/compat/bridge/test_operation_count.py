"""The second seeds of random operations that have the graph's seed alone are those of TF 1.15.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


def _second_seeds(graph: Any) -> list[tuple[str, int]]:
    """Of each random operation, in order."""
    drawing = (operation for operation in graph.get_operations() if operation.type.startswith(("Random", "Truncated")))
    return [(operation.name, operation.get_attr("seed2")) for operation in drawing]


def test_numbers_of_the_graphs_seed_alone(graph: Any) -> None:
    compat.set_random_seed(1)
    x = tf.random.uniform([3])
    w = compat.get_variable("w", [2], initializer=compat.random_normal_initializer())
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        np.testing.assert_allclose(session.run(x), [0.7787856, 0.80119777, 0.72437465], rtol=1e-6)
        np.testing.assert_allclose(session.run(w), [-0.44875857, 1.0096035], rtol=1e-6)


def test_a_network_of_layers(graph: Any) -> None:
    """TF 1.15.5 had these numbers of operations before each random one."""
    compat.set_random_seed(7)
    x = compat.placeholder(tf.float32, [None, 4], name="x")
    y = compat.placeholder(tf.float32, [None, 2], name="y")
    w1 = compat.Variable(tf.random.normal([4, 8]))
    b1 = compat.Variable(tf.zeros([8]))
    h = tf.nn.relu(tf.add(tf.matmul(x, w1), b1))
    w2 = compat.Variable(tf.random.truncated_normal([8, 8], stddev=0.1), name="w2")
    b2 = compat.Variable(tf.constant(0.1, shape=[8]), name="b2")
    h = tf.nn.relu(tf.matmul(h, w2) + b2)
    w3 = compat.Variable(tf.random.uniform([8, 8], -1.0, 1.0))
    h = tf.tanh(tf.matmul(h, w3))
    with compat.variable_scope("s"):
        w4 = compat.get_variable("w", [8, 8])
        b4 = compat.get_variable("b", [8], initializer=compat.zeros_initializer())
        compat.get_variable("w5", [8, 8], initializer=compat.truncated_normal_initializer(stddev=0.1))
        compat.get_variable("w6", [8, 8], initializer=compat.contrib.layers.xavier_initializer())
    h = tf.nn.sigmoid(compat.nn.xw_plus_b(h, w4, b4))
    h = compat.layers.dense(h, 5, activation=tf.nn.relu)
    h = compat.layers.dense(h, 5, name="d2", kernel_initializer=compat.random_normal_initializer())
    h = compat.contrib.layers.fully_connected(h, 6)
    h = h + tf.random.normal(tf.shape(h)) * 0.1
    h = compat.layers.dropout(h, 0.5, training=True)
    h = tf.nn.dropout(h, rate=1 - 0.7)
    out = compat.layers.dense(h, 2)
    tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=out))
    compat.layers.conv2d(tf.reshape(x, [-1, 2, 2, 1]), 3, 2, padding="same")
    assert [seed for _, seed in _second_seeds(graph)] == [5, 21, 37, 49, 63, 72, 85, 102, 117, 134, 144, 160, 175, 226]


@pytest.mark.parametrize(
    ("bounds", "wanted"),
    [((), [3, 10]), ((-1.0, 1.0), [3, 10]), ((0, 5), [3, 10]), ((0.0, 2.0), [3, 10])],
)
def test_bounds_of_uniform_numbers(bounds: tuple[Any, ...], wanted: list[int], graph: Any) -> None:
    """In TF 1.15.5 they are operations in every case."""
    compat.set_random_seed(1)
    tf.random.uniform([3], *bounds)
    tf.random.uniform([3])
    assert [seed for _, seed in _second_seeds(graph)] == wanted


def test_a_seed_of_its_own_stays(graph: Any) -> None:
    compat.set_random_seed(5)
    for seed in (0, 1, 3, 8):
        tf.random.uniform([3], seed=seed)
    assert [seed for _, seed in _second_seeds(graph)] == [0, 1, 3, 8]


def test_resource_variables_are_four_operations(graph: Any) -> None:
    compat.set_random_seed(1)
    compat.get_variable("r", initializer=2.0, use_resource=True)
    tf.random.normal([3])
    assert [seed for _, seed in _second_seeds(graph)] == [8]


def test_updates_and_a_saver_between_draws(graph: Any) -> None:
    """The values are those of TF 1.15.5."""
    compat.set_random_seed(5)
    w = compat.get_variable("w", [2, 1])
    v = compat.get_variable("v", [2, 1], initializer=compat.zeros_initializer())
    x = compat.placeholder(tf.float32, [None, 2])
    y = tf.matmul(x, w)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        session.run(compat.assign(v, w * 2.0))
        first = tf.random.normal([2])
        session.run(v.assign_add(w))
        second = tf.random.normal([2])
        compat.summary.scalar("s", tf.reduce_mean(y))
        compat.summary.merge_all()
        compat.train.Saver()
        third = tf.random.uniform([2])
        w.read_value()
        fourth = tf.random.uniform([2])
        drawn = session.run([first, second, third, fourth])
    wanted = [[-0.2822539, -0.0608191], [0.9564582, -0.2573111], [0.2568797, 0.4521841], [0.6021068, 0.7647197]]
    np.testing.assert_allclose(drawn, wanted, rtol=1e-6)
