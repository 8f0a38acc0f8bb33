"""`variable_creator_scope`: who is asked, with what, and in which order; as TF 1.15.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

import compat


def test_creators_see_both_kinds_of_variables_under_their_full_names(graph: Any) -> None:
    names: list[str] = []

    def note(next_creator: Any, **arguments: Any) -> Any:
        names.append(arguments["name"])
        return next_creator(**arguments)

    with compat.variable_creator_scope(note), compat.variable_scope("a"):
        made = [compat.get_variable("w", [2]), compat.Variable(1.0, name="u")]
    compat.Variable(2.0, name="outside")
    assert names == ["a/w", "u"]
    assert [variable.name for variable in made] == ["a/w:0", "a/u:0"]


def test_arguments_can_be_changed_and_the_innermost_comes_first() -> None:
    order: list[str] = []

    def outer(next_creator: Any, **arguments: Any) -> Any:
        order.append("outer")
        return next_creator(**{**arguments, "trainable": False})

    def inner(next_creator: Any, **arguments: Any) -> Any:
        order.append("inner")
        return next_creator(**{**arguments, "initial_value": np.float32(7.0)})

    with (
        compat.VariableStore(),
        compat.variable_creator_scope(outer),
        compat.variable_creator_scope(inner),
    ):
        variable = compat.Variable(1.0)
        assert compat.trainable_variables() == []
    assert order == ["inner", "outer"]
    assert float(variable) == 7.0


def test_states_of_random_operations_are_not_seen(graph: Any) -> None:
    seen: list[Any] = []
    with compat.variable_creator_scope(lambda make, **arguments: seen.append(arguments["name"]) or make(**arguments)):
        compat.get_variable("w", [2], initializer=compat.random_normal_initializer(seed=1))
    with tf.variable_creator_scope(lambda make, **arguments: seen.append(arguments["name"]) or make(**arguments)):
        tf.random.normal([2], seed=3)
    assert seen == ["w"]
