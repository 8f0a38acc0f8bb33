"""`compat.item_assigned`: what NumPy's assignment gives, for tensors of any type and of unknown shapes."""

from __future__ import annotations

from typing import Any

import hypothesis
import numpy as np
import pytest
import tensorflow as tf
from hypothesis.extra import numpy as arrays

import compat

KEYS = [
    0,
    -1,
    slice(None),
    slice(1, 3),
    slice(None, None, 2),
    slice(None, None, -1),
    slice(3, 0, -2),
    slice(2, 2),
    ...,
    (1, 2),
    (slice(None), 0),
    (slice(1, None), slice(None, None, -2)),
    (..., -1),
    (tf.newaxis, 0),
    (np.int64(2), slice(0, 2)),
]


def assigned(x: Any, key: Any, value: Any) -> Any:
    expected = x.copy()
    expected[key] = value
    return expected


@pytest.mark.parametrize("key", KEYS, ids=repr)
@pytest.mark.parametrize("unknown", [False, True])
def test_what_numpy_gives(key: Any, unknown: bool) -> None:
    x = np.arange(24.0).reshape(4, 6)
    value = -1.0 - np.arange(x[key].size).reshape(x[key].shape)
    signature = [tf.TensorSpec(None if unknown else x.shape, tf.float64), tf.TensorSpec(None, tf.float64)]
    compiled = tf.function(lambda x, value: compat.item_assigned(x, key, value), input_signature=signature)
    for assign in (lambda x, value: compat.item_assigned(x, key, value), compiled):
        np.testing.assert_array_equal(assign(x, value), assigned(x, key, value))
        np.testing.assert_array_equal(assign(x, 7.0), assigned(x, key, 7.0))


@hypothesis.given(arrays.basic_indices((3, 4, 2), allow_newaxis=False))
@hypothesis.settings(deadline=None, max_examples=100)
def test_any_basic_index(key: Any) -> None:
    x = np.arange(24).reshape(3, 4, 2)
    np.testing.assert_array_equal(compat.item_assigned(x, key, -1), assigned(x, key, -1))


def test_masks_and_rows() -> None:
    x = np.arange(6.0).reshape(3, 2) - 2
    np.testing.assert_array_equal(compat.item_assigned(x, tf.constant(x) < 0, 0.0), np.maximum(x, 0))
    np.testing.assert_array_equal(compat.item_assigned(x, x < 0, [8.0, 9.0]), assigned(x, x < 0, [8.0, 9.0]))
    rows = np.array([True, False, True])
    np.testing.assert_array_equal(compat.item_assigned(x, rows, [[1.0], [2.0]]), assigned(x, rows, [[1.0], [2.0]]))
    np.testing.assert_array_equal(compat.item_assigned(x, [2, -3], 5.0), assigned(x, [2, -3], 5.0))


def test_indices_that_are_tensors() -> None:
    assign = tf.function(lambda x, i: compat.item_assigned(x, (slice(i, None), i), 5))
    x = np.zeros([4, 4], np.int32)
    np.testing.assert_array_equal(assign(x, tf.constant(2)), assigned(x, (slice(2, None), 2), 5))


@pytest.mark.parametrize("value", [["a", "b"], [True, False], [1 + 2j, 0j]])
def test_types(value: list[Any]) -> None:
    got = compat.item_assigned(tf.constant(value), 0, value[1])
    assert got.dtype == tf.constant(value).dtype
    assert got.numpy().tolist() == [tf.constant(value[1]).numpy()] * 2


def test_gradients_go_where_the_values_come_from() -> None:
    x, value = tf.constant([1.0, 2.0, 3.0]), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([x, value])
        y = tf.reduce_sum(compat.item_assigned(x, slice(0, 2), value) ** 2)
    to_x, to_value = tape.gradient(y, [x, value])
    assert to_x.numpy().tolist() == [0, 0, 6] and to_value.numpy() == 16
    assert x.numpy().tolist() == [1, 2, 3]


def test_in_a_graph_of_tf1(graph: Any) -> None:
    x = compat.placeholder(tf.float32, [None])
    y = compat.item_assigned(x, 1, 9.0)
    assert y.shape.as_list() == [None]
    with compat.Session() as session:
        assert session.run(y, {x: [1, 2, 3]}).tolist() == [1, 9, 3]


@pytest.mark.parametrize(
    ("x", "key", "value", "error"),
    [
        ([1, 2], 5, 0, (ValueError, IndexError, tf.errors.InvalidArgumentError)),
        ([1, 2], [5], 0, tf.errors.InvalidArgumentError),
        ([1, 2], [0.5], 0, TypeError),
        ([1, 2], 0, 0.5, (TypeError, ValueError)),
        ([1, 2], slice(0, 2), [1, 2, 3], tf.errors.InvalidArgumentError),
        (1, 0, 0, IndexError),
        ([[1, 2]], ([0], 1), 0, TypeError),
    ],
)
def test_errors(x: Any, key: Any, value: Any, error: Any) -> None:
    with pytest.raises(error):
        compat.item_assigned(tf.constant(x), key, value)


def test_a_variable_is_assigned_to_in_place() -> None:
    with pytest.raises(TypeError, match=r"x\[key\].assign"):
        compat.item_assigned(tf.Variable([1, 2]), 0, 1)
