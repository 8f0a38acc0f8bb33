"""Variables of a store: compared and hashed by identity, and made once, as in TF 1.15.5."""

from __future__ import annotations

import copy
import pathlib
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


def two() -> tuple[Any, Any]:
    ones = compat.ones_initializer()
    return compat.get_variable("a", [2], initializer=ones), compat.get_variable("b", [2], initializer=ones)


def check_identity() -> None:
    first, second = two()
    assert len({first, second, first}) == 2
    assert {first: "first"}[first] == "first"
    assert (first == second, first != second, first == first) == (False, True, True)
    assert second not in [first]


def test_eagerly() -> None:
    with compat.VariableStore():
        check_identity()


def test_in_a_trace() -> None:
    store = compat.VariableStore()

    @tf.function(autograph=False)
    def step() -> tf.Tensor:
        with store:
            check_identity()
        return tf.add_n(store.variables)

    np.testing.assert_allclose(step(), [2.0, 2.0])


def test_on_the_bridge(graph: Any) -> None:
    check_identity()


def test_an_operator_in_place_leaves_the_variable_alone() -> None:
    with compat.VariableStore() as store:
        value, _ = two()
        value += 1.0
        value *= 2.0
    np.testing.assert_allclose(value, [4.0, 4.0])
    np.testing.assert_allclose(store.variables[0], [1.0, 1.0])


def test_copies_of_replicas_stay_as_they_are() -> None:
    with tf.distribute.MirroredStrategy(["cpu:0"]).scope(), compat.VariableStore():
        first, _ = two()
    assert isinstance(first, tf.distribute.DistributedValues)
    with pytest.raises(TypeError, match="unhashable"):
        hash(first)


def test_they_are_saved_and_copied(tmp_path: pathlib.Path) -> None:
    with compat.VariableStore() as store:
        first, _ = two()
    path = tf.train.Checkpoint(store=store).save(str(tmp_path / "model"))
    copied = copy.deepcopy(first)
    first.assign([5.0, 5.0])
    tf.train.Checkpoint(store=store).restore(path)
    np.testing.assert_allclose(first, [1.0, 1.0])
    np.testing.assert_allclose(copied, [1.0, 1.0])


def test_code_that_makes_variables_is_traced_once() -> None:
    """What it draws is in the initial value and beside it."""
    store = compat.VariableStore()
    drawn = []

    @tf.function(autograph=False)
    def difference() -> tf.Tensor:
        with store:
            drawn.append(np.random.rand(3))
            return compat.get_variable("w", initializer=tf.constant(drawn[-1])) - drawn[-1]

    np.testing.assert_allclose(difference(), np.zeros(3))
    np.testing.assert_allclose(difference(), np.zeros(3))
    assert len(drawn) == 1


def test_creators_of_tensorflow_2_have_their_say() -> None:
    seen = []

    def note(next_creator: Any, **arguments: Any) -> Any:
        seen.append(arguments["name"])
        return next_creator(**arguments)

    @tf.function(autograph=False)
    def made() -> None:
        with compat.VariableStore():
            two()

    with tf.variable_creator_scope(note):
        made()
    assert seen == ["a/", "b/"]
