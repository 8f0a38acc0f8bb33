"""Iterators over datasets: one-shot, initializable, reinitializable, feedable; natively and under the bridge."""

from __future__ import annotations

import time
import types
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import data
from compat.contrib import data as contrib_data
from compat.contrib import eager as contrib_eager


def _take(session: Any, element: Any, count: int) -> list[Any]:
    return [session.run(element) for _ in range(count)]


def test_one_shot_under_the_bridge(graph: Any) -> None:
    element = data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next()
    with compat.Session() as session:
        assert _take(session, element, 3) == [0, 1, 2]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(element)
    with compat.Session() as session:
        assert session.run(element) == 0


def test_initializable_is_fed_and_starts_again(graph: Any) -> None:
    fed = compat.placeholder(tf.float32, [None, 2])
    rows = tf.data.Dataset.from_tensor_slices({"row": fed, "sum": tf.reduce_sum(fed, 1)}).batch(2)
    iterator = data.make_initializable_iterator(rows)
    element = iterator.get_next()
    with compat.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(element)
        for scale in (1.0, 10.0):
            session.run(iterator.initializer, {fed: np.ones([3, 2]) * scale})
            first, last = _take(session, element, 2)
            assert first["row"].tolist() == [[scale, scale]] * 2
            assert last["sum"].tolist() == [2 * scale]


def test_one_structure_for_several_datasets(graph: Any) -> None:
    iterator = data.Iterator.from_structure((tf.int64, tf.string), ([], []))
    short = tf.data.Dataset.from_tensor_slices((tf.range(2, dtype=tf.int64), ["a", "b"]))
    other = tf.data.Dataset.from_tensors((tf.constant(7, tf.int64), "z"))
    starts = [iterator.make_initializer(short), iterator.make_initializer(other)]
    element = iterator.get_next()
    with compat.Session() as session:
        session.run(starts[0])
        assert session.run(element) == (0, b"a")
        session.run(starts[1])
        assert session.run(element) == (7, b"z")
    with pytest.raises(TypeError, match="output types"):
        iterator.make_initializer(tf.data.Dataset.from_tensors((1.0, "z")))
    with pytest.raises(TypeError, match="output shapes"):
        iterator.make_initializer(short.batch(2))
    with pytest.raises(ValueError, match="does not have an initializer"):
        _ = iterator.initializer


def test_feedable_switches_and_keeps_each_state(graph: Any) -> None:
    low = data.make_one_shot_iterator(tf.data.Dataset.range(5))
    high = data.make_initializable_iterator(tf.data.Dataset.range(100, 105))
    handle = compat.placeholder(tf.string, [])
    element = data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    with compat.Session() as session:
        session.run(high.initializer)
        handles = session.run([low.string_handle(), high.string_handle()])
        found = [int(session.run(element, {handle: handles[turn]})) for turn in (0, 1, 0, 1)]
    assert found == [0, 100, 1, 101]


def test_sparse_elements_and_generators(graph: Any) -> None:
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])
    iterator = data.make_one_shot_iterator(tf.data.Dataset.from_tensors(sparse))
    assert iterator.output_classes is tf.SparseTensor

    def numbers() -> Any:
        for number in range(2):
            yield number, np.full(2, number, np.float32)

    spec = (tf.TensorSpec([], tf.int32), tf.TensorSpec([2], tf.float32))
    made = data.make_one_shot_iterator(tf.data.Dataset.from_generator(numbers, output_signature=spec))
    with compat.Session() as session:
        assert session.run(iterator.get_next()).values.tolist() == [1.0, 2.0]
        element = made.get_next()
        assert [int(part[0]) for part in _take(session, element, 2)] == [0, 1]


def test_closing_the_session_ends_generators(graph: Any) -> None:
    ended = []

    def numbers() -> Any:
        try:
            yield from range(5)
        finally:
            ended.append(True)

    spec = tf.TensorSpec([], tf.int32)
    element = data.make_one_shot_iterator(tf.data.Dataset.from_generator(numbers, output_signature=spec)).get_next()
    with compat.Session() as session:
        assert session.run(element) == 0
    assert ended == [True]
    with compat.Session() as session:
        session.run(tf.raw_ops.FIFOQueueV2(component_types=[tf.int32]))  # uses resources, but not the iterator
    with tf.init_scope():
        tf.random.set_seed(None)  # makes the kernels anew, which waited for ever for a generator that had not ended


@pytest.mark.parametrize(
    "value", [tf.SparseTensor([[0, 1]], [1.0], [1, 2]), tf.ragged.constant([[1, 2], [3]]), ("a", {"b": [[1.0]]})]
)
def test_closing_the_session_ends_iterators_over_anything(graph: Any, value: Any) -> None:
    rows = tf.data.Dataset.from_tensors(value)
    elements = [data.make_one_shot_iterator(rows.batch(size) if size else rows).get_next() for size in (0, 2)]
    with compat.Session() as session:
        session.run(elements)
    with compat.Session() as session:
        session.run(elements)
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(elements[0])


def test_natively_each_get_next_is_the_next_element() -> None:
    iterator = data.make_one_shot_iterator(tf.data.Dataset.range(2))
    assert [int(iterator.get_next()), int(iterator.get_next())] == [0, 1]
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    again = data.make_initializable_iterator(tf.data.Dataset.range(2))
    step = tf.function(lambda: again.get_next())
    for _ in range(2):
        again.initializer  # noqa: B018 - natively a look at it starts the iterator
        assert [int(step()), int(step())] == [0, 1]


def test_legacy_structure() -> None:
    dataset = tf.data.Dataset.from_tensors({"a": tf.zeros([2]), "b": (tf.constant("x"), tf.constant([1]))})
    assert data.get_output_types(dataset) == {"a": tf.float32, "b": (tf.string, tf.int32)}
    assert data.get_output_shapes(dataset)["b"] == (tf.TensorShape([]), tf.TensorShape([1]))
    with pytest.raises(ValueError, match="different structures"):
        data.Iterator.from_structure((tf.int64, tf.string), ([],))


def test_structure_of_what_is_no_dataset() -> None:
    record = types.SimpleNamespace(output_shapes=[2, 3])
    assert data.get_output_shapes(record) == [2, 3]
    with pytest.raises(AttributeError, match="element_spec"):
        data.get_output_types(record)


@pytest.mark.parametrize(
    ("transformation", "expected"),
    [
        (contrib_data.batch_and_drop_remainder(2), [[0, 1], [2, 3]]),
        (contrib_data.map_and_batch(lambda x: x * 2, 2, drop_remainder=True), [[0, 2], [4, 6]]),
        (contrib_data.sliding_window_batch(3, window_shift=2), [[0, 1, 2], [2, 3, 4]]),
        (contrib_data.sliding_window_batch(2, stride=2, window_stride=2), [[0, 2], [2, 4]]),
        (contrib_data.assert_element_shape(tf.TensorShape([])), [0, 1, 2, 3, 4]),
        (contrib_data.group_by_window(lambda x: x % 2, lambda _, rows: rows.batch(5), 5), [[0, 2, 4], [1, 3]]),
    ],
)
def test_contrib_transformations(transformation: Any, expected: list[Any]) -> None:
    transformed = tf.data.Dataset.range(5).apply(transformation)
    assert [element.tolist() for element in transformed.as_numpy_iterator()] == expected


def test_contrib_reduce_dataset() -> None:
    reducer = contrib_data.Reducer(lambda _: tf.constant(0, tf.int64), lambda total, x: total + x, lambda total: total)
    assert int(contrib_data.reduce_dataset(tf.data.Dataset.range(5), reducer)) == 10
    with pytest.raises(TypeError, match="Reducer"):
        contrib_data.reduce_dataset(tf.data.Dataset.range(5), sum)


def test_a_generator_yields_when_a_run_asks(graph: Any) -> None:
    """It reads what the program changes between the runs; TF 1.15.5 gave 0, 1 and 2."""
    level = [0.0]

    def levels() -> Any:
        while True:
            yield level[0]

    readings = tf.data.Dataset.from_generator(levels, output_signature=tf.TensorSpec([], tf.float32))
    iterator = data.make_initializable_iterator(readings)
    element = iterator.get_next()
    with compat.Session() as session:
        session.run(iterator.initializer)
        got = []
        for level[0] in (0.0, 1.0, 2.0):
            got.append(session.run(element))
    assert got == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("eager", [False, True])
def test_python_functions_run_once_an_element_and_no_earlier(eager: bool, request: Any) -> None:
    """TF 1.15.5 had called the function for 0 and 10 after two elements, and once more for 0 after a new start."""
    seen: list[int] = []

    def double(value: Any) -> Any:
        seen.append(int(value))
        return np.int64(value * 2)

    def doubled() -> tf.data.Dataset:
        tens = tf.data.Dataset.range(6).map(lambda value: value * 10)
        return tens.map(lambda value: tf.numpy_function(double, [value], tf.int64))

    if eager:
        elements = iter(contrib_eager.Iterator(doubled()))
        assert [int(next(elements)), int(next(elements))] == [0, 20]
        assert seen == [0, 10]
        return
    request.getfixturevalue("graph")
    iterator = data.make_initializable_iterator(doubled())
    element = iterator.get_next()
    with compat.Session() as session:
        session.run(iterator.initializer)
        assert [session.run(element), session.run(element), *seen] == [0, 20, 0, 10]
        session.run(iterator.initializer)
        assert [session.run(element), *seen] == [0, 0, 10, 0]


def test_what_the_program_lets_run_ahead_does(graph: Any) -> None:
    seen: list[int] = []

    def note(value: Any) -> Any:
        seen.append(int(value))
        return value

    ahead = tf.data.Dataset.range(4).map(lambda value: tf.numpy_function(note, [value], tf.int64)).prefetch(4)
    element = data.make_one_shot_iterator(ahead).get_next()
    with compat.Session() as session:
        assert session.run(element) == 0
        deadline = time.monotonic() + 60
        while len(seen) < 4 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert seen == [0, 1, 2, 3]
