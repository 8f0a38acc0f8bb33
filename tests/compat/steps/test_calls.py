"""Calls of steps: the first, those that go the short way because one like them was made, and those in threads."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

ARRAYS = [
    np.float32([[1, 2]]),
    np.float64([[1, 2]]),
    np.array([[True, False]]),
    np.asfortranarray(np.float32([[1, 2], [3, 4]])),
    np.float32([[1, 2, 3, 4]])[:, ::2],
    [[1, 2]],
    tf.constant([[1.0, 2.0]]),
    np.zeros([0, 2]),
]


@pytest.mark.parametrize("keyed", [False, True])
def test_later_calls_give_what_the_first_gave(keyed: bool) -> None:
    with compat.VariableStore(), compat.building():
        x, y = compat.Input(tf.float32, [None, 2], "x"), compat.Input(tf.int32, [], "y")
        step = compat.step([x * 2.0, y + 1], x, y)

    def call(value: Any, number: Any) -> Any:
        return step({y: number, x: value}) if keyed else step(value, number)

    call([[0, 0]], 0)
    assert len(step._plans) == 1
    for value in ARRAYS:
        for number in (3, 3.9, np.int64(3), np.array(3), True):
            doubled, more = call(value, number)
            np.testing.assert_array_equal(doubled, np.float32(value) * 2)
            assert doubled.dtype == np.float32
            assert more == int(number) + 1
    for wrong in (np.zeros([2]), np.zeros([1, 3], np.float32), [1, 2]):
        with pytest.raises(ValueError, match="x:0"):
            call(wrong, 1)
    with pytest.raises(TypeError, match="y:0"):
        call([[1, 2]], 2**40)
    assert len(step._plans) == 1


def test_variables_are_fed_by_their_texts_too() -> None:
    """A dictionary's keys are variables here and their names there, as where one weight after another is moved."""
    with compat.VariableStore():
        with compat.building():
            x = compat.Input(tf.float32, [], "x")
            v = compat.get_variable("v", [], initializer=compat.constant_initializer(2.0))
            w = compat.get_variable("w", [], initializer=compat.constant_initializer(3.0))
            y = v * x + w
        step, by_text = compat.step(y, v, w, x), compat.step(y, "v:0", "x:0")
        assert step({"v:0": 5.0, x: 10.0}) == step({v: 5.0, "x:0": 10.0}) == 53.0
        assert step({v.name: 5.0, w.name: 1.0, x: 10.0}) == step({v: 5.0, w: 1.0, x: 10.0}) == 51.0
        assert by_text({v: 1.0, x: 4.0}) == by_text({"v:0": 1.0, x: 4.0}) == 7.0
        assert step({x: 10.0}) == 23.0
        with pytest.raises(ValueError, match="has no input"):
            by_text({w: 1.0, x: 4.0})


def test_the_memory_of_an_array_is_not_shared() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [1000])
        v = compat.Variable(tf.zeros([1000]))
        keep = compat.step(x, x, updates=compat.assign(v, x))
    value = np.ones([1000], np.float32)
    found = [keep(value), keep(value)]
    value[:] = 2.0
    assert [each.max() for each in found] == [1.0, 1.0]
    assert v.numpy().max() == 1.0
    found[1][:] = 3.0
    assert v.numpy().max() == 1.0


def test_what_a_step_gave_does_not_change_with_its_variable() -> None:
    with compat.VariableStore(), compat.building():
        v = compat.Variable(tf.zeros([1000]))
        add = compat.step(v, updates=compat.assign_add(v, tf.ones([1000])))
        read = compat.step(tf.identity(v))
    first, second, third = add(), read(), add()
    assert [first.max(), second.max(), third.max()] == [1.0, 1.0, 2.0]


def test_the_short_way_ends_where_a_graph_is_built_or_begins_anew() -> None:
    with compat.VariableStore() as store:
        with compat.building():
            x = compat.Input(tf.float32, [])
            v = compat.Variable(1.0)
            step = compat.step(v * x, x, updates=compat.assign_add(v, 1.0))
        assert [step(1.0), step(1.0)] == [1.0, 2.0]
        with compat.building():
            with pytest.raises(RuntimeError, match="while a graph is built"):
                step(1.0)
            later = compat.Variable(5.0)
        assert [step(1.0), later.numpy()] == [3.0, 5.0]
        store.reset()
        assert [step(1.0), step(1.0)] == [1.0, 2.0]

        @tf.function
        def inside() -> Any:
            return step(10.0)

        assert [float(inside()), float(step(1.0))] == [30.0, 4.0]


def test_threads_learn_together() -> None:
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [])
        shared = compat.Variable(0.0)
        own = [compat.Variable(0.0, name=f"worker{number}") for number in range(4)]
        pushes = [compat.step((), x, updates=compat.assign_add(shared, x * 1.0)) for _ in range(4)]
        pulls = [compat.step(updates=compat.assign(each, shared)) for each in own]

    def work(number: int) -> None:
        for _ in range(50):
            pushes[number](1.0)
            pulls[number]()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.numpy() == 200.0
    assert max(each.numpy() for each in own) == 200.0


def test_a_step_of_updates_alone() -> None:
    with compat.VariableStore(), compat.building():
        v = compat.Variable(0.0)
        nested = {"a": [compat.assign_add(v, 1.0), None], "b": compat.assign_add(v, 2.0).op}
        step = compat.step(updates=nested)
    assert step() == ()
    assert v.numpy() == 3.0


def test_a_dictionary_of_inputs_takes_values_in_one_like_it_or_by_the_inputs() -> None:
    with compat.VariableStore(), compat.building():
        inputs = {"x": compat.Input(tf.float32, []), "many": [compat.Input(tf.float32, []) for _ in range(2)]}
        first, second = inputs["many"]
        step = compat.step(inputs["x"] + 2.0 * first + 4.0 * second, inputs)

    for _ in range(2):
        assert step({"x": 1.0, "many": [1.0, 1.0]}) == 7.0
        assert step({second: 1.0, inputs["x"]: 2.0, first: 3.0}) == 12.0
    with pytest.raises(TypeError, match="is given no value for"):
        step({first: 1.0})
    with pytest.raises(ValueError, match=r"Values for the keys \['x', 'many'\] are needed"):
        step({"x": 1.0})
