"""Reads and updates of one run give the numbers of TF 1.15.5, whose default variables share their memory with reads."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import compat

pytestmark = pytest.mark.usefixtures("graph")


def run(*fetches: object, feed_dict: object = None) -> list[object]:
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        return session.run(list(fetches), feed_dict)


def test_a_gradient_behind_an_update_goes_through_the_new_weights() -> None:
    x = compat.placeholder(tf.float32, [None, 2])
    generator = compat.get_variable("g", initializer=np.array([[0.5], [0.3]], np.float32))
    critic = compat.get_variable("d", initializer=np.array([[0.7, 0.2]], np.float32))
    score = tf.matmul(tf.matmul(x, generator), critic)
    first = compat.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(score * score), var_list=[critic])
    with tf.control_dependencies([first]):
        loss = tf.reduce_sum(tf.tanh(score))
        second = compat.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[generator])
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        for _ in range(3):
            session.run(second, {x: [[1.0, 2.0], [0.5, -1.0]]})
        got = np.concatenate([session.run(item).ravel() for item in (generator, critic)])
    np.testing.assert_allclose(got, [0.28127417, 0.20372096, 0.36894247, 0.10541214], rtol=1e-6)


def test_an_early_read_beside_the_result_of_an_update() -> None:
    v = compat.get_variable("v", initializer=1.0)
    early = tf.reshape(tf.identity(v), [1])
    (got,) = run(early + compat.assign(v, 5.0))
    np.testing.assert_array_equal(got, [10.0])


def test_a_resource_variable_keeps_what_was_read() -> None:
    v = compat.get_variable("v", initializer=1.0, use_resource=True)
    early = tf.identity(v)
    update = compat.assign_add(v, 4.0)
    with tf.control_dependencies([early]):
        (got,) = run(early + update)
    assert got == 6.0


def test_what_was_computed_before_an_update_stays() -> None:
    w = compat.get_variable("w", initializer=np.ones([3], np.float32))
    before = tf.reduce_sum(tf.identity(w))
    update = compat.assign_add(w, [1.0, 2.0, 3.0])
    with tf.control_dependencies([before]):
        update = tf.identity(update)
    with tf.control_dependencies([update]):
        after, kept = tf.reduce_sum(tf.reshape(w, [3, 1])), before + 0.0
    assert run(after, kept) == [9.0, 3.0]


def test_reads_without_an_order_come_before_the_update() -> None:
    step = compat.get_variable("step", initializer=np.int64(0), use_resource=True)
    rate = tf.cast(step, tf.float32) / 2.0
    for _ in range(100):
        rate = tf.sin(rate) + 0.5  # so long that an update without order would be faster
    update = compat.assign(step, step + 1)
    w = compat.get_variable("w", initializer=1.0)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        want = session.run(rate)
        got = [session.run([rate, update, compat.assign(w, rate)])[0] for _ in range(2)]
    assert got[0] == want


def test_a_graph_that_is_closed_to_the_program() -> None:
    v = compat.get_variable("v", initializer=1.0)
    early = tf.reshape(tf.identity(v), [1])
    total = early + compat.assign(v, 5.0)
    initialize = compat.global_variables_initializer()
    compat.get_default_graph().finalize()
    with compat.Session() as session:
        session.run(initialize)
        np.testing.assert_array_equal(session.run(total), [10.0])
    assert compat.get_default_graph().finalized
