"""TensorFlow keeps a kernel for each name of a variable that it was ever asked for: names are used again."""

from __future__ import annotations

import gc

import pytest
import tensorflow as tf

import compat
from compat.bridge import runtime


def trained(start: float) -> list[float]:
    """The loss of a small net in a store of its own."""
    with compat.VariableStore():
        with compat.building():
            x = compat.Input(tf.float32, [None, 2])
            noise = tf.random.stateless_uniform([], [1, 2]) + tf.random.uniform([], seed=3)
            w = compat.get_variable("w", [2, 1], initializer=compat.constant_initializer(start))
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - noise))
            train = compat.train.AdamOptimizer(0.1).minimize(loss)
        step = compat.step(loss, x, updates=[train])
        return [float(step([[1.0, 2.0]])) for _ in range(3)]


def test_a_store_that_follows_another_asks_for_no_new_names() -> None:
    first = trained(0.5)
    gc.collect()
    made = next(runtime._numbers)
    assert trained(0.5) == first
    gc.collect()
    assert next(runtime._numbers) == made + 1


def test_variables_that_live_beside_each_other_share_nothing() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        one, other = (compat.Variable(value, name="v") for value in (1.0, 2.0))
        session.run(compat.global_variables_initializer())
        with compat.Graph().as_default(), compat.Session() as another:
            third = compat.Variable(3.0, name="v")
            another.run(third.initializer)
        assert session.run([one, other]) == [1.0, 2.0]


def test_a_variable_begins_without_a_value_under_a_name_that_had_one() -> None:
    for _ in range(2):
        with compat.Graph().as_default(), compat.Session() as session:
            v = compat.Variable([1.0, 2.0], name="v")
            with pytest.raises(tf.errors.FailedPreconditionError):
                session.run(v)
            session.run(v.initializer)
        del v, session
        gc.collect()
