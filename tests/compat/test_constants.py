"""`compat.constant`, `compat.cond` and assertions give what TF 1.15.5's gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (([1.0, 2.0], None, [4]), [1.0, 2.0, 2.0, 2.0]),
        (([1, 2, 3], None, [2, 3]), [[1, 2, 3], [3, 3, 3]]),
        (([[1.0, 2.0]], tf.float64, [2, 2]), [[1.0, 2.0], [2.0, 2.0]]),
        ((["a", "b"], None, [3]), [b"a", b"b", b"b"]),
        (([True, False], None, [3]), [True, False, False]),
        ((np.arange(2), None, [2, 2]), [[0, 1], [1, 1]]),
        ((7, None, [2, 2]), [[7, 7], [7, 7]]),
        (([], None, [0, 3]), []),
        ((1 + 2j, None, [2]), [1 + 2j, 1 + 2j]),
        ((2, tf.float16, 2), [2.0, 2.0]),
    ],
)
@pytest.mark.parametrize("built", [False, True])
def test_constants(arguments: tuple[Any, ...], expected: Any, built: bool) -> None:
    if not built:
        assert compat.constant(*arguments).numpy().tolist() == expected
        return
    with compat.Graph().as_default(), compat.Session() as session:
        made = compat.constant(*arguments, name="c")
        assert made.op.name == "c" and session.run(made).tolist() == expected


def test_constants_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="Needed at most 1, but received 2"):
        compat.constant([1.0, 2.0], shape=[])
    with pytest.raises(TypeError, match=r"Expected Tensor's shape: \(4,\), got \(2,\)"):
        compat.constant([1.0, 2.0], shape=[4], verify_shape=True)


def test_the_type_is_that_of_the_values() -> None:
    found = [compat.constant(value, shape=[3]).dtype for value in ([1, 2], [1.0, 2.0], np.arange(2.0), ["a", "b"])]
    assert found == [tf.int32, tf.float32, tf.float64, tf.string]


@pytest.mark.parametrize("given", [1.0, 2, True, "text", np.float32(3.0), np.arange(3), (1.0, 2), [1.5], {"a": 1.0}])
def test_branches_of_python_values_give_tensors(given: Any) -> None:
    """As they are eagerly and on the bridge: `sess.run(tf.cond(…))` becomes `.numpy()`."""
    eager = compat.cond(tf.constant(True), lambda: given, lambda: given)
    with compat.Graph().as_default(), compat.Session() as session:
        wanted = session.run(compat.cond(compat.placeholder_with_default(True, []), lambda: given, lambda: given))
    tf.nest.assert_same_structure(eager, wanted)
    for have, want in zip(tf.nest.flatten(eager), tf.nest.flatten(wanted), strict=True):
        np.testing.assert_array_equal(have.numpy(), want)
        assert isinstance(have, tf.Tensor) and have.dtype == tf.convert_to_tensor(want).dtype


def test_a_case_of_python_values_gives_a_tensor() -> None:
    assert compat.case([(tf.constant(False), lambda: 1.0)], default=lambda: 2.5).numpy() == 2.5


CHECKS: list[Callable[[Any], Any]] = [
    lambda x: compat.assert_integer(x),
    lambda x: compat.assert_type(x, tf.int32),
    lambda x: compat.assert_equal(1, 1),
    lambda x: compat.assert_rank(x, 0),
    lambda x: compat.assert_positive([1.0]),
    lambda x: compat.assert_less(x, 4),
]


@pytest.mark.parametrize("check", CHECKS)
def test_assertions_are_operations(check: Callable[[Any], Any], graph: Any) -> None:
    made = check(compat.placeholder_with_default(3, []))
    assert isinstance(made, tf.Operation)
    with tf.control_dependencies([made]):
        waiting = tf.constant(1) + 0
    with compat.Session() as session:
        assert session.run([made, waiting]) == [None, 1]
