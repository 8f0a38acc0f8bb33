"""Bodies of conditions and loops wait for what is outside of them, as in TF 1.15.5, whose values these are."""

from __future__ import annotations

import time
from typing import Any

import pytest
import tensorflow as tf

import compat


def _slowly(value: Any) -> Any:
    time.sleep(0.05)
    return value


def _late_update(variable: Any) -> Any:
    """An update by 5 that whoever does not wait for it comes before."""
    amount = compat.py_func(_slowly, [tf.constant(5.0)], tf.float32)
    amount.set_shape([])
    return compat.assign_add(variable, amount)


def _branch(variable: Any, flag: Any) -> Any:
    update = _late_update(variable)

    def start() -> Any:
        with tf.control_dependencies([update]):
            return tf.identity(compat.assign(variable, 100.0))

    return compat.cond(flag, lambda: tf.identity(update), start)


def _inner_branch(variable: Any, flag: Any) -> Any:
    update = _late_update(variable)

    def start() -> Any:
        with tf.control_dependencies([update]):
            return tf.identity(compat.assign(variable, 100.0))

    def either() -> Any:
        return compat.cond(flag, lambda: tf.identity(update), start)

    return compat.cond(tf.constant(0.0) < tf.cast(tf.size(flag), tf.float32), either, lambda: tf.constant(0.0))


def _loop(variable: Any, flag: Any) -> Any:
    update = _late_update(variable)

    def step(count: Any, total: Any) -> Any:
        with tf.control_dependencies([update]):
            new = tf.identity(compat.assign(variable, 100.0))
        return count + 1, total + new + compat.cond(flag, lambda: tf.identity(update), lambda: tf.constant(0.0))

    return compat.while_loop(lambda count, total: count < 1, step, [tf.constant(0), tf.constant(0.0)])[1]


@pytest.mark.parametrize("build", [_branch, _inner_branch, _loop])
def test_under_the_bridge(graph: Any, build: Any) -> None:
    variable = compat.get_variable("w", initializer=1.0, use_resource=True)
    flag = compat.placeholder(tf.bool, [])
    result = build(variable, flag)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run(result, {flag: False}) == session.run(variable) == 100.0


def test_the_other_branch(graph: Any) -> None:
    variable = compat.get_variable("w", initializer=1.0, use_resource=True)
    result = _branch(variable, tf.constant(True))
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run(result) == session.run(variable) == 6.0


def test_what_gives_nothing_is_not_waited_for(graph: Any) -> None:
    """As in TF 1.15: a branch waits for values."""
    nothing = tf.no_op()

    def branch() -> Any:
        with tf.control_dependencies([nothing]):
            return tf.constant(1.0) + 1.0

    result = compat.cond(tf.constant(True), branch, lambda: tf.constant(0.0))
    with compat.Session() as session:
        assert session.run(result) == 2.0
