"""How long what steps hold lives: as long as the store, a step, a variable or a tensor of it is held by somebody."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


def _learn(x: Any, w: Any) -> Any:
    compat.train.Saver()
    return compat.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(w * x)), w


def _draw(x: Any, w: Any) -> Any:
    return compat.nn.dropout(x, keep_prob=0.5), tf.random.normal([2], seed=1)


def _python(x: Any, w: Any) -> Any:
    return compat.py_func(lambda value: value, [x], tf.float32)


def _loops(x: Any, w: Any) -> Any:
    out = tf.while_loop(lambda turn, t: turn < 3, lambda turn, t: (turn + 1, t * w), (0, x))[1]
    return tf.gradients(tf.cond(w[0] > 0.0, lambda: out, lambda: out * w), w)


def _inputs(x: Any, w: Any) -> Any:
    element = compat.data.make_one_shot_iterator(tf.data.Dataset.range(9)).get_next()
    table = compat.contrib.lookup.index_table_from_tensor(tf.constant(["a"]))
    queue = compat.FIFOQueue(3, [tf.float32], shapes=[[]])
    with tf.control_dependencies([queue.enqueue(1.0)]):
        return element, table.lookup(tf.constant(["a"])), queue.dequeue()


def _layers(x: Any, w: Any) -> Any:
    out = compat.layers.batch_normalization(compat.layers.dense(x[:, None], 3), training=True)
    compat.summary.scalar("mean", tf.reduce_mean(out))
    return compat.summary.merge_all(), compat.train.ExponentialMovingAverage(0.9).apply([w])


def _large(x: Any, w: Any) -> Any:
    return tf.constant(np.ones(2**20, np.float32))[:2] + w


pytestmark = pytest.mark.usefixtures("small_heap")
KINDS = [_learn, _draw, _python, _loops, _inputs, _layers, _large]


@pytest.mark.parametrize("build", KINDS)
def test_what_nobody_holds_is_gone(build: Callable[..., Any]) -> None:
    def program() -> list[weakref.ref[Any]]:
        with compat.VariableStore() as store:
            with compat.building():
                x = compat.Input(tf.float32, [None])
                w = compat.get_variable("w", [1], initializer=compat.ones_initializer())
                made = tf.nest.flatten(build(x, w))
                updates = [each for each in made if isinstance(each, tf.Operation)]
                step = compat.step([each for each in made if each not in updates], x, updates=updates)
            step([1.0]), step([1.0])
            compat.run(w, {x: [1.0]})
            tf.function(lambda value: step(value), autograph=False)(tf.constant([1.0]))
        return [weakref.ref(each) for each in (store, store.graph, w, x)]

    found = program()
    gc.collect()
    assert [each() for each in found] == [None] * 4


@pytest.mark.parametrize("build", KINDS)
def test_a_graph_of_the_bridge_that_nobody_holds_is_gone(build: Callable[..., Any]) -> None:
    def program() -> list[weakref.ref[Any]]:
        with compat.Graph().as_default() as graph:
            x = compat.placeholder(tf.float32, [None])
            w = compat.get_variable("w", [1], initializer=compat.ones_initializer())
            made = build(x, w)
            with compat.Session() as session:
                session.run([compat.global_variables_initializer(), compat.tables_initializer()])
                session.run(made, {x: [1.0]})
        return [weakref.ref(each) for each in (graph, w, x, session)]

    found = program()
    gc.collect()
    assert [each() for each in found] == [None] * 4


def test_a_step_holds_its_store() -> None:
    def program() -> compat.Step:
        with compat.VariableStore(), compat.building():
            w = compat.get_variable("w", [], initializer=compat.constant_initializer(4.0))
            return compat.step(w, updates=compat.assign_add(w, 1.0))

    step = program()
    gc.collect()
    assert [step(), step()] == [5.0, 6.0]
    assert [variable.name for variable in step.store.variables] == ["w:0"]


def test_variables_of_objects_that_were_dropped_stay_in_the_store() -> None:
    class Net:
        @compat.builder
        def __init__(self, name: str) -> None:
            with compat.variable_scope(name):
                self.x = compat.Input(tf.float32, [], "x")
                self.w = compat.get_variable("w", [], initializer=compat.constant_initializer(1.0))
                train = compat.train.GradientDescentOptimizer(0.5).minimize(self.w * self.x)
            self.learn_step = compat.step(self.w, self.x, updates=train)

    with compat.VariableStore() as store:
        one, other = Net("one"), Net("other")
        assert [one.learn_step(1.0), one.learn_step(x=1.0), other.learn_step(1.0)] == [0.5, 0.0, 0.5]
        del one
        gc.collect()
        assert {each.name: float(each.numpy()) for each in store.variables} == {"one/w:0": 0.0, "other/w:0": 0.5}
        assert other.learn_step({other.x: 3.0}) == -1.0
