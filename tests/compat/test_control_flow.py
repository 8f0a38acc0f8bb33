"""Branches: one value in a list becomes the value, in every mode, as in TF 1.15."""

from collections import OrderedDict

import pytest
import tensorflow as tf

import compat

ONE = {"lambda": lambda: tf.constant(1), "list": lambda: [tf.constant(1)], "tuple": lambda: (tf.constant(1),)}
TWO = {"lambda": lambda: tf.constant(2), "list": lambda: [tf.constant(2)], "tuple": lambda: (tf.constant(2),)}


@pytest.mark.parametrize("kind", ONE)
def test_one_value_in_a_list_is_the_value(kind):
    def build():
        return compat.cond(tf.constant(False), ONE[kind], TWO[kind])

    assert build().numpy() == 2
    assert tf.function(build)().numpy() == 2


@pytest.mark.parametrize("kind", ONE)
def test_under_the_bridge_too(kind, graph):
    flag = compat.placeholder(tf.bool)
    chosen = compat.cond(flag, ONE[kind], TWO[kind])
    with compat.Session() as session:
        assert session.run(chosen, {flag: True}) == 1
        assert session.run(chosen, {flag: False}) == 2


def test_strict_keeps_the_list():
    result = compat.cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)], strict=True)
    assert [item.numpy() for item in result] == [1]


def test_several_values_stay_a_structure():
    first, second = compat.cond(
        tf.constant(True), lambda: (tf.constant(1), tf.constant(2)), lambda: (tf.constant(3), tf.constant(4))
    )
    assert (first.numpy(), second.numpy()) == (1, 2)


def test_a_list_inside_the_list_loses_one_level_only():
    result = compat.cond(tf.constant(True), lambda: [[tf.constant(1)]], lambda: [[tf.constant(2)]])
    assert [item.numpy() for item in result] == [1]


def test_older_names_of_the_branches():
    assert compat.cond(tf.constant(True), fn1=ONE["lambda"], fn2=TWO["lambda"]).numpy() == 1


def test_a_branch_given_under_both_names_is_an_error():
    with pytest.raises(TypeError, match="not both"):
        compat.cond(tf.constant(True), ONE["lambda"], TWO["lambda"], fn1=ONE["lambda"])


def test_a_missing_branch_is_an_error():
    with pytest.raises(TypeError, match="false_fn"):
        compat.cond(tf.constant(True), ONE["lambda"])


@pytest.mark.parametrize("kind", ONE)
def test_case_takes_the_first_that_holds(kind):
    def build():
        pairs = [(tf.constant(False), ONE[kind]), (tf.constant(True), TWO[kind])]
        return compat.case(pairs, default=ONE[kind])

    assert build().numpy() == 2
    assert tf.function(build)().numpy() == 2


def test_case_falls_to_the_default_under_the_bridge(graph):
    flag = compat.placeholder(tf.bool)
    chosen = compat.case([(flag, ONE["list"])], default=TWO["list"])
    with compat.Session() as session:
        assert session.run(chosen, {flag: False}) == 2


@pytest.mark.parametrize("ordered", [False, True])
def test_conditions_of_a_dictionary_by_reference(ordered):
    built = []

    def branch(value):
        return lambda: built.append(value) or tf.constant(value)

    @tf.function
    def chosen(x):
        late, early = tf.identity(x < 0, name="b"), tf.identity(x > 2, name="a")
        pairs = {late.ref(): branch(1), early.ref(): branch(2)}
        return compat.case(OrderedDict(pairs) if ordered else pairs, default=branch(3), exclusive=True)

    assert [chosen(tf.constant(value)).numpy() for value in (-1, 5, 1)] == [1, 2, 3]
    assert built == ([1, 2, 3] if ordered else [2, 1, 3])


def test_conditions_of_a_dictionary_eagerly():
    pairs = {tf.constant(False).ref(): ONE["lambda"], tf.constant(True).ref(): TWO["lambda"]}
    assert compat.case(pairs, exclusive=True).numpy() == 2
    with pytest.raises(ValueError, match="no order"):
        compat.case(pairs)


BODIES = {"tuple": lambda i, t: (i + 1, t * 2.0), "list": lambda i, t: [i + 1, t * 2.0]}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("given", [list, tuple])
def test_a_loop_gives_the_structure_of_its_body(kind, given):
    def build():
        return compat.while_loop(lambda i, t: i < 3, BODIES[kind], given([0, tf.constant(1.0)]))

    # As in TF 1.15.5, whatever holds the variables before.
    for result in (build(), tf.function(build)()):
        assert type(result).__name__ == kind
        assert [item.numpy() for item in result] == [3, 8.0]


def test_a_loop_under_the_bridge_gives_the_structure_of_its_body(graph):
    result = compat.while_loop(lambda i, t: i < 3, BODIES["tuple"], [0, tf.constant(1.0)])
    with compat.Session() as session:
        assert session.run(result) == (3, 8.0)


def test_a_loop_over_one_value_gives_the_value():
    def double(i):
        return i * 2

    assert compat.while_loop(lambda i: i < 5, double, [tf.constant(1)]).numpy() == 8
    (kept,) = compat.while_loop(lambda i: i < 5, double, [tf.constant(1)], return_same_structure=True)
    assert kept.numpy() == 8


def test_a_branch_that_is_not_taken_has_gradients_of_zero_where_functions_run_eagerly():
    first, second = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function
    def gradients(flag):
        with tf.GradientTape() as tape:
            y = compat.cond(flag, lambda: first * 2.0, lambda: second)
        return tape.gradient(y, [first, second])

    expected = [item.numpy() for item in gradients(tf.constant(True))]
    tf.config.run_functions_eagerly(True)
    try:
        assert [item.numpy() for item in gradients(True)] == expected == [2.0, 0.0]
    finally:
        tf.config.run_functions_eagerly(False)
