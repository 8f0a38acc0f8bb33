"""The words of steps: building code records once, and each step computes what its results and updates need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


class Net:
    @compat.builder
    def __init__(self, rate: float = 0.1) -> None:
        self.x = compat.Input(tf.float32, [None, 2], "x")
        self.y = compat.Input(tf.float32, [None, 1], "y")
        w = compat.get_variable("w", [2, 1], initializer=compat.constant_initializer(0.5))
        self.out = tf.matmul(self.x, w)
        self.loss = compat.losses.mean_squared_error(self.y, self.out)
        self.train_op = compat.train.AdamOptimizer(rate).minimize(self.loss)
        self.learn_step = compat.step(self.loss, self.x, self.y, updates=self.train_op)
        self.predict_step = compat.step(self.out, self.x)


X, Y = np.float32([[1, 2], [3, 4]]), np.float32([[1], [2]])


def test_a_class_that_builds_and_learns() -> None:
    with compat.VariableStore() as store:
        net = Net()
    losses = [float(net.learn_step(X, Y)) for _ in range(3)]
    # Of TensorFlow 1.15.5.
    np.testing.assert_allclose(losses, [1.25, 0.34000015, 0.013670729], rtol=1e-5)
    assert [v.name for v in store.variables] == ["w:0", "beta1_power:0", "beta2_power:0", "w/Adam:0", "w/Adam_1:0"]
    before = store.variables[0].numpy()
    np.testing.assert_allclose(net.predict_step(X), X @ before)
    np.testing.assert_array_equal(store.variables[0].numpy(), before)


def test_no_store_needs_to_be_entered() -> None:
    net = Net()
    assert net.learn_step({net.x: X, net.y: Y}) == np.float32(1.25)
    assert [v.name for v in compat.trainable_variables()] == ["w:0"]
    assert compat.get_default_graph() is net.out.graph
    compat.reset_default_graph()
    again = Net()
    assert again.out.graph is not net.out.graph
    assert [v.name for v in compat.trainable_variables()] == ["w:0"]
    assert again.learn_step(x=X, y=Y) == np.float32(1.25)


def test_eager_variables_and_built_ones_have_one_row_of_names() -> None:
    with compat.VariableStore():
        first = compat.Variable(1.0, name="v")
        with compat.building():
            compat.Input(tf.float32, [], "v_1")
            second = compat.Variable(2.0, name="v")
            total = first + second
        third = compat.Variable(3.0, name="v")
        assert [v.op.name for v in (first, second, third)] == ["v", "v_2", "v_3"]
        assert [v.name for v in compat.global_variables()] == ["v:0", "v_2:0", "v_3:0"]
        assert compat.run([total, first, third]) == [3.0, 1.0, 3.0]
        first.assign(5.0)
        assert compat.run(total) == 7.0


def test_eager_scopes_reach_into_building_code() -> None:
    with compat.VariableStore(), compat.variable_scope("outer"):
        net = compat.build(compat.get_variable, "w", [1], initializer=compat.zeros_initializer())
        with compat.building():
            doubled = tf.multiply(net, 2.0, name="doubled")
    assert net.name == "outer/w:0"
    assert doubled.op.name == "outer/doubled"


def test_first_values_of_one_block_come_from_one_run() -> None:
    with compat.VariableStore(), compat.building():
        start = tf.random.normal([3], seed=1)
        one, other = compat.Variable(start), compat.Variable(start * 2.0)
        again = compat.Variable(one.initialized_value() + 1.0)
    np.testing.assert_array_equal(one.numpy() * 2.0, other.numpy())
    np.testing.assert_array_equal(one.numpy() + 1.0, again.numpy())


def test_a_variable_whose_first_value_is_fed() -> None:
    with compat.VariableStore(), compat.building():
        table = compat.Input(tf.float32, [2])
        w = compat.Variable(table)
        doubled = w * 2.0
    with pytest.raises(tf.errors.FailedPreconditionError, match="Variable"):
        compat.run(doubled)
    compat.run(w.initializer, {table: [1.0, 2.0]})
    np.testing.assert_array_equal(compat.run(doubled), [2.0, 4.0])


def test_a_store_begins_anew() -> None:
    with compat.VariableStore() as store, compat.building():
        draw = tf.random.uniform([], seed=4)
        w = compat.Variable(tf.random.uniform([], seed=5))
        count = compat.Variable(0)
        more = compat.assign_add(count, 1)
        element = compat.data.make_one_shot_iterator(tf.data.Dataset.range(2)).get_next()
        step = compat.step([draw, w, element], updates=more)
    first = [step(), step(), int(count.numpy())]
    with pytest.raises(tf.errors.OutOfRangeError):
        step()
    store.reset()
    assert int(count.numpy()) == 0
    assert [step(), step(), int(count.numpy())] == first


def test_a_saver_needs_no_session(tmp_path: Path) -> None:
    with compat.VariableStore(), compat.building():
        w = compat.get_variable("w", [], initializer=compat.zeros_initializer())
        saver = compat.train.Saver()
    w.assign(3.0)
    path = saver.save(tmp_path / "model", global_step=7)
    assert path == str(tmp_path / "model-7")
    w.assign(4.0)
    saver.restore(path)
    assert w.numpy() == 3.0


def test_options_of_a_session() -> None:
    compat.configure(allow_soft_placement=True)
    compat.configure(compat.ConfigProto(log_device_placement=False))
    with pytest.raises(TypeError, match="not both"):
        compat.configure(compat.ConfigProto(), log_device_placement=True)


def test_soft_placement_is_taken_where_the_session_was_made() -> None:
    with compat.VariableStore():
        with compat.building(), tf.device("/gpu:7"):
            v = compat.Variable([1.0])
            out = compat.build(tf.add, v, 1.0)
        compat.configure(allow_soft_placement=True)
        assert compat.step(out)().tolist() == [2.0]
        compat.configure()


def _generator() -> Iterator[int]:
    yield 1


@pytest.mark.parametrize("wrong", [Net, 3, _generator])
def test_what_a_builder_cannot_be(wrong: Any) -> None:
    with pytest.raises(TypeError):
        compat.builder(wrong)


def test_the_default_of_an_input_waits_for_what_it_was_made_behind() -> None:
    with compat.VariableStore(), compat.building():
        v = compat.get_variable("v", [], initializer=compat.zeros_initializer())
        with tf.control_dependencies([compat.assign_add(v, 1.0)]):
            x = compat.Input(tf.float32, [], default=2.0)
            y = compat.Input(tf.float32, [])
        assert y.op.control_inputs
        step, value_step = compat.step(x + 1.0, x), compat.step(v)
    # What TensorFlow 1.15.5 gives for `placeholder_with_default`: a fed one needs nothing.
    assert (step(), value_step(), step(5.0), value_step()) == (3.0, 1.0, 6.0, 1.0)


def test_names_of_the_store_that_is_entered_are_fetches_and_inputs() -> None:
    steps = []
    for factor in (2.0, 3.0):
        with compat.VariableStore():
            with compat.building():
                x = compat.Input(tf.float32, [], "x")
                tf.multiply(x, factor, name="scaled")
            steps.append(compat.step(["scaled:0"], "x:0"))
    assert [step(5.0) for step in steps] == [[10.0], [15.0]]
    assert steps[1]({"x:0": 1.0}) == steps[1]({x: 1.0}) == [3.0]
    with compat.VariableStore(), pytest.raises(KeyError, match="x:0"):
        compat.step((), "x:0")
