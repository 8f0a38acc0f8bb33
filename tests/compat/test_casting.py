"""What is fed is cast as TensorFlow 1 cast it, on the bridge and by functions with `fast_dispatch`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.casting import cast


def given_back(dtype: tf.DType, shape: list[int] | None) -> Any:
    return tf.function(lambda x: tf.identity(x), input_signature=[tf.TensorSpec(shape, dtype)])


@pytest.mark.parametrize(
    ("dtype", "given", "expected"),
    [
        (tf.int32, 2.7, 2),
        (tf.int64, [1.5, -1.5], [1, -1]),
        (tf.int32, [True, 2.5], [1, 2]),
        (tf.uint8, True, 1),
        (tf.int8, [True, False], [1, 0]),
        (tf.bool, 1, True),
        (tf.bool, [0, 2], [False, True]),
        (tf.bool, (0.0, 1.5), [False, True]),
        (tf.bool, range(3), [False, True, True]),
        (tf.complex64, [True, 1.5], [1.0, 1.5]),
    ],
)
def test_python_numbers_are_cast_as_tensorflow_1_cast_what_it_was_fed(
    dtype: tf.DType, given: Any, expected: Any
) -> None:
    """What TensorFlow 1.15.5 made of them: `np.asarray(value, dtype)`."""
    with pytest.raises(TypeError):
        given_back(dtype, None)(given)
    direct = compat.fast_dispatch(given_back(dtype, None))
    np.testing.assert_array_equal(direct(given), np.array(expected, dtype.as_numpy_dtype), strict=True)


UNHELD = (
    *((tf.int32, 2**31), (tf.int32, 2**32), (tf.int64, 2**64), (tf.uint8, -1), (tf.uint8, 256), (tf.bool, 3)),
    *((tf.float32, 2**24 + 1), (tf.float16, 2**40), (tf.float64, 10**400), (tf.complex64, 10**30), (tf.string, 1)),
)


@pytest.mark.parametrize(
    ("dtype", "given"), UNHELD, ids=[f"{dtype.name} {given.bit_length()}" for dtype, given in UNHELD]
)
def test_integers_that_a_type_does_not_hold_raise(dtype: tf.DType, given: int) -> None:
    with pytest.raises(TypeError, match="not compatible with Tensor type"):
        compat.fast_dispatch(given_back(dtype, []))(given)
    with pytest.raises(TypeError, match="not compatible with Tensor type"):
        cast(given, dtype)


def test_they_raised_in_tensorflow_1(run_legacy: Callable[..., str]) -> None:
    program = f"""\
import tensorflow as tf
sess = tf.Session()
for dtype, given in [{", ".join(f"('{dtype.name}', {given})" for dtype, given in UNHELD)}]:
    x = tf.placeholder(dtype, [])
    try:
        print(sess.run(x, {{x: given}}))
    except (TypeError, OverflowError):
        print("raised")
"""
    assert run_legacy(program).split() == ["raised"] * len(UNHELD)


@pytest.mark.parametrize("given", [True, 1, -3, 2**24, 2**53 + 1, 2**64])
def test_integers_that_a_type_holds(given: int) -> None:
    assert cast(given, tf.float64) == float(given)


IN_LISTS = (
    *((tf.int8, [1000]), (tf.uint8, ((1,), [-1])), (tf.int32, [[0.5, 2**40]]), (tf.int32, range(2**31, 2**31 + 1))),
    *((tf.int64, [2**63]), (tf.uint64, [True, -1]), (tf.int32, [np.int64(2**40)])),
)


@pytest.mark.parametrize(("dtype", "given"), IN_LISTS)
def test_integers_in_lists_that_a_type_does_not_hold_raise(dtype: tf.DType, given: Any) -> None:
    """NumPy 2 raises for them; NumPy 1 wraps them, as it did in TensorFlow 1."""
    with pytest.raises(TypeError, match="not compatible with Tensor type"):
        cast(given, dtype)


def test_numbers_of_numpy_are_wrapped_as_tensorflow_1_wrapped_them() -> None:
    assert cast([np.int64(3), 2.7, True], tf.int8).tolist() == [3, 2, 1]
    assert cast([np.array([2**40 + 5])], tf.int32).tolist() == [[5]]
    assert cast(np.int64(2**40 + 5), tf.int32).tolist() == 5


@pytest.mark.parametrize("value", [np.array(["a"]), np.array([b"a", b"1"]), np.str_("x"), np.bytes_(b"x")])
def test_text_is_no_truth_value(value: object) -> None:
    """TF 1.15.5 raised ValueError for each."""
    with pytest.raises(ValueError, match="invalid literal"):
        cast(value, tf.bool)


def test_numbers_in_text_are_read() -> None:
    assert cast(np.array(["0", "3"]), tf.bool).tolist() == [False, True]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([1.0, np.array([2.0]), 3.5], [1.0, 2.0, 3.5]),
        ([[1.0, np.array([[2.0]])], [np.float32(3.0), 4.0]], [[1.0, 2.0], [3.0, 4.0]]),
        ([np.array(1.0), np.array([2.0])], [1.0, 2.0]),
    ],
)
def test_numbers_beside_arrays_of_one_element_are_numbers(given: Any, expected: Any) -> None:
    """What `np.asarray(value, np.float32)` of NumPy 1.18 made of them, which TensorFlow 1.15.5 took."""
    assert cast(given, tf.float32).tolist() == compat.numbers(given).tolist() == expected
    objects = np.empty(len(given), object)
    objects[:] = given
    assert cast(objects, tf.float32).tolist() == expected
    assert compat.fast_dispatch(given_back(tf.float32, None))(given).numpy().tolist() == expected


def test_parts_of_other_shapes_are_no_numbers() -> None:
    for given in ([1.0, [2.0]], [1.0, np.array([2.0, 3.0])], [[1.0, 2.0], [3.0]]):
        with pytest.raises(ValueError, match="setting an array element with a sequence"):
            cast(given, tf.float32)
        with pytest.raises(ValueError, match="inhomogeneous"):
            compat.numbers(given)
