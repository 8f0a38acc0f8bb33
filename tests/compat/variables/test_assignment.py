"""``assign`` and ``scatter`` functions: values, errors, and under the bridge nothing before they are run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.variables import assignment

START = np.arange(6, dtype=np.float32).reshape(3, 2)


def add_rows(value: np.ndarray) -> np.ndarray:
    value[0] += 2.0
    return value


UPDATES = {
    "assign": (lambda v: compat.assign(v, START + 1.0), START + 1.0),
    "assign to a part": (
        lambda v: compat.assign(v[1:, 0], [7.0, 8.0], name="part"),
        [[0.0, 1.0], [7.0, 3.0], [8.0, 5.0]],
    ),
    "assign_add": (lambda v: compat.assign_add(v, START), START * 2.0),
    "assign_sub": (lambda v: compat.assign_sub(v, [[1.0, 1.0]] * 3), START - 1.0),
    "scatter_update": (
        lambda v: compat.scatter_update(v, [2, 0], [[9.0, 9.0], [8.0, 8.0]]),
        [[8.0, 8.0], [2.0, 3.0], [9.0, 9.0]],
    ),
    "scatter_add": (
        lambda v: compat.scatter_add(v, [0, 0], [[1.0, 1.0], [1.0, 1.0]]),
        [[2.0, 3.0], [2.0, 3.0], [4.0, 5.0]],
    ),
    "scatter_sub": (lambda v: compat.scatter_sub(v, [1], [[1.0, 1.0]]), [[0.0, 1.0], [1.0, 2.0], [4.0, 5.0]]),
    "scatter_mul": (lambda v: compat.scatter_mul(v, [1], [[2.0, 3.0]]), [[0.0, 1.0], [4.0, 9.0], [4.0, 5.0]]),
    "scatter_div": (lambda v: compat.scatter_div(v, [2], [[2.0, 5.0]]), [[0.0, 1.0], [2.0, 3.0], [2.0, 1.0]]),
    "scatter_max": (lambda v: compat.scatter_max(v, [1], [[9.0, 0.0]]), [[0.0, 1.0], [9.0, 3.0], [4.0, 5.0]]),
    "scatter_min": (lambda v: compat.scatter_min(v, [1], [[9.0, 0.0]]), [[0.0, 1.0], [2.0, 0.0], [4.0, 5.0]]),
    "scatter_nd_update": (
        lambda v: compat.scatter_nd_update(v, [[0, 1], [2, 0]], [7.0, 6.0]),
        [[0.0, 7.0], [2.0, 3.0], [6.0, 5.0]],
    ),
    "scatter_nd_add": (lambda v: compat.scatter_nd_add(v, [[1]], [[1.0, 1.0]]), [[0.0, 1.0], [3.0, 4.0], [4.0, 5.0]]),
    "scatter_nd_sub": (lambda v: compat.scatter_nd_sub(v, [[1]], [[1.0, 1.0]]), [[0.0, 1.0], [1.0, 2.0], [4.0, 5.0]]),
    "batch_scatter_update": (
        lambda v: compat.batch_scatter_update(v, [[0], [1], [0]], [[7.0], [8.0], [9.0]]),
        [[7.0, 1.0], [2.0, 8.0], [9.0, 5.0]],
    ),
}
each_update = pytest.mark.parametrize(("update", "expected"), UPDATES.values(), ids=UPDATES)


@each_update
def test_eagerly(update: Any, expected: Any) -> None:
    with compat.VariableStore():
        variable = compat.Variable(START)
        np.testing.assert_allclose(update(variable), expected)
        np.testing.assert_allclose(variable, expected)


@each_update
def test_in_a_function(update: Any, expected: Any) -> None:
    with compat.VariableStore():
        variable = compat.Variable(START)

    @tf.function(autograph=False)
    def step() -> tuple[tf.Tensor, tf.Tensor]:
        before = variable.read_value()
        update(variable)
        return before, variable.read_value()

    before, after = step()
    np.testing.assert_allclose(before, START)
    np.testing.assert_allclose(after, expected)


@each_update
def test_under_the_bridge(update: Any, expected: Any) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        variable = compat.Variable(START)
        updated = update(variable)
        session.run(compat.global_variables_initializer())
        np.testing.assert_allclose(session.run(variable), START)
        np.testing.assert_allclose(session.run(updated), expected)
        session.run(compat.global_variables_initializer())
        assert session.run(updated.op) is None
        np.testing.assert_allclose(session.run(variable), expected)


# What TF 1.15.5 gives for two updates, one of the other's result.
CHAINS = {
    "assign_add": (lambda v: compat.assign_add(compat.assign(v, [5.0, 0.0]), [2.0, 1.0]), [7.0, 1.0]),
    "scatter_update": (lambda v: compat.scatter_update(compat.assign(v, [0.0, 3.0]), [1], [9.0]), [0.0, 9.0]),
    "a method": (lambda v: compat.assign_sub(v.assign([3.0, 4.0]), [1.0, 1.0]), [2.0, 3.0]),
    "three": (lambda v: compat.assign_add(compat.assign_add(compat.assign(v, [1.0, 1.0]), v), v), [4.0, 4.0]),
}


@pytest.mark.parametrize(("update", "expected"), CHAINS.values(), ids=CHAINS)
def test_the_result_of_an_update_stands_for_its_variable(update: Any, expected: list[float]) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        variable = compat.Variable([1.0, 2.0])
        both = update(variable)
        session.run(compat.global_variables_initializer())
        assert session.run(both).tolist() == session.run(variable).tolist() == expected
    with compat.VariableStore():
        eager, traced = compat.Variable([1.0, 2.0]), compat.Variable([1.0, 2.0])
    assert update(eager).numpy().tolist() == eager.numpy().tolist() == expected
    assert tf.function(update)(traced).numpy().tolist() == traced.numpy().tolist() == expected


def test_what_is_no_variable_is_not_updated() -> None:
    with compat.VariableStore():
        variable = compat.Variable([1.0, 2.0])
    with pytest.raises(AttributeError, match="neither a variable nor"):
        compat.assign(variable + 1.0, [0.0, 0.0])
    with pytest.raises(AttributeError, match="neither a variable nor"):
        compat.scatter_add(tf.zeros([2]), [0], [1.0])


def test_names_under_the_bridge() -> None:
    with compat.Graph().as_default():
        variable = compat.Variable(START)
        assert compat.assign(variable, START).name == "Assign:0"
        assert compat.assign_add(variable, START, name="more").name == "more:0"
        assert compat.scatter_add(variable, [0], [[1.0, 1.0]]).name == "ScatterAdd:0"


def test_a_value_of_another_shape_is_refused() -> None:
    with compat.VariableStore():
        variable = compat.Variable(START)
        with pytest.raises(ValueError, match=r"Cannot assign to variable Variable:0: shape \(2,\)"):
            compat.assign(variable, [1.0, 2.0])
        with pytest.raises(ValueError, match="Cannot assign to variable"):
            compat.assign_add(variable, [1.0, 2.0, 3.0])
        loose = compat.Variable(START, validate_shape=False)
        assert compat.assign(loose, [1.0], validate_shape=False).numpy().tolist() == [1.0]


def test_a_value_of_another_shape_is_refused_when_it_comes() -> None:
    with compat.building():
        given = compat.Input(tf.float32, [None])
        variable = compat.Variable([1.0, 3.0], name="checked")
        free = compat.Variable([1.0, 3.0], validate_shape=False, name="free")
        by_method, by_function = variable.assign(given), compat.assign(variable, given)
        unchecked = compat.assign(free, given, validate_shape=False)
    for update in (by_method, by_function):
        step = compat.step(update, given)
        assert step([5.0, 6.0]).tolist() == [5.0, 6.0]
        with pytest.raises(tf.errors.InvalidArgumentError):
            step([1.0, 2.0, 3.0])
        assert variable.numpy().tolist() == [5.0, 6.0]
    assert compat.step(unchecked, given)([1.0, 2.0, 3.0]).tolist() == [1.0, 2.0, 3.0]


def test_values_take_the_dtype_of_the_variable() -> None:
    with compat.VariableStore():
        counter = compat.Variable(3, dtype=tf.int64)
        assert compat.assign_add(counter, 1).numpy() == 4
        assert compat.assign(counter, 9).dtype == tf.int64


@pytest.mark.usefixtures("cpu")
@pytest.mark.parametrize("on_a_gpu", [False, True])
def test_count_up_to(on_a_gpu: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU has no kernel for it; what is done there is as good on the CPU here."""
    monkeypatch.setattr(assignment, "lies_on_a_gpu", lambda variable: on_a_gpu)
    with compat.VariableStore():
        counter = compat.Variable(0)
        assert [int(compat.count_up_to(counter, 2)) for _ in range(2)] == [0, 1]
        with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
            compat.count_up_to(counter, 2)
        counted = tf.function(lambda: compat.count_up_to(counter, 3))
        assert (int(counted()), int(counter)) == (2, 3)
        with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 3"):
            counted()
    with compat.Graph().as_default(), compat.Session() as session:
        counter = compat.Variable(0, dtype=tf.int64)
        number = compat.count_up_to(counter, 2)
        session.run(counter.initializer)
        assert compat.get_default_graph().operation_count.number == 5  # In TF 1.15.5 too.
        assert session.run([number, counter]) == [0, 1]
        assert session.run([number, counter]) == [1, 2]
        with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
            session.run(number)
        assert session.run(counter) == 2
