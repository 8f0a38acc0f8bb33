"""Queues under the bridge: state between runs, waiting, closing, names."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import tensorflow as tf

import compat


def test_elements_come_in_order_and_size_is_kept_between_runs(graph: Any) -> None:
    queue = compat.FIFOQueue(3, [tf.float32, tf.int32], shapes=[[], [2]], name="mine")
    value = compat.placeholder(tf.float32, [])
    put, taken, size = queue.enqueue([value, [1, 2]]), queue.dequeue(), queue.size()
    assert queue.name == "mine"
    with compat.Session() as session:
        session.run(put, {value: 3.0})
        session.run(put, {value: 4.0})
        assert session.run(size) == 2
        first, second = session.run(taken), session.run(taken)
        assert (first[0], second[0], second[1].tolist()) == (3.0, 4.0, [1, 2])


def test_full_queue_waits_for_another_thread(graph: Any) -> None:
    queue = compat.FIFOQueue(1, tf.int32, shapes=[[]])
    value = compat.placeholder(tf.int32, [])
    put, taken = queue.enqueue(value), queue.dequeue()
    with compat.Session() as session:
        thread = threading.Thread(target=lambda: [session.run(put, {value: number}) for number in range(5)])
        thread.start()
        assert [int(session.run(taken)) for _ in range(5)] == [0, 1, 2, 3, 4]
        thread.join()


def test_closed_and_empty_is_out_of_range(graph: Any) -> None:
    queue = compat.FIFOQueue(3, tf.int32, shapes=[[]])
    fill, taken, rest, close = queue.enqueue_many([[1, 2, 3]]), queue.dequeue(), queue.dequeue_up_to(5), queue.close()
    with compat.Session() as session:
        session.run(fill)
        session.run(close)
        assert session.run(taken) == 1
        assert session.run(rest).tolist() == [2, 3]
        with pytest.raises(tf.errors.OutOfRangeError, match="closed and has insufficient elements"):
            session.run(taken)


def test_runs_that_are_placed_apart_share_a_queue(graph: Any) -> None:
    """A GPU has kernels for some of its operations, a CPU for all."""
    with tf.device("/gpu:0"):
        queue = compat.FIFOQueue(3, tf.float32, shapes=[[]])
        first = queue.dequeue()
    staged, taken = tf.raw_ops.Stage(values=[tf.constant(2.0)]), tf.raw_ops.Unstage(dtypes=[tf.float32])
    made = [queue.queue_ref.op, first.op, queue.size().op, staged, taken[0].op]
    assert {operation.device for operation in made} == {"/device:CPU:0"}


@pytest.mark.usefixtures("gpu")
def test_what_was_put_in_batches_is_taken_out_one_by_one(graph: Any) -> None:
    queue = compat.FIFOQueue(3, tf.float32, shapes=[[]])
    fill, double, close = queue.enqueue_many([[1.0, 2.0]]), queue.dequeue() * 2.0, queue.close()
    for _ in range(2):  # The second session finds it empty and open again.
        with compat.Session() as session:
            session.run(fill)
            assert [session.run(double), session.run(double)] == [2.0, 4.0]
            session.run(close)
            with pytest.raises(tf.errors.OutOfRangeError, match="closed and has insufficient elements"):
                session.run(double)


def test_padding_shuffling_and_priorities(graph: Any) -> None:
    padding = compat.PaddingFIFOQueue(5, tf.int32, shapes=[[None]])
    fills = [padding.enqueue([[1]]), padding.enqueue([[1, 2, 3]])]
    padded = padding.dequeue_many(2)
    shuffling = compat.RandomShuffleQueue(20, 0, tf.int32, shapes=[[]], seed=3)
    shuffle, shuffled = shuffling.enqueue_many([tf.range(10)]), shuffling.dequeue_many(10)
    urgent = compat.PriorityQueue(5, tf.string, shapes=[[]])
    rank = urgent.enqueue_many([[3, 1, 2], ["c", "a", "b"]])
    ranked = urgent.dequeue_many(3)
    with compat.Session() as session:
        for fill in fills:
            session.run(fill)
        assert session.run(padded).tolist() == [[1, 0, 0], [1, 2, 3]]
        session.run([shuffle, rank])
        order = session.run(shuffled).tolist()
        assert sorted(order) == list(range(10)) and order != list(range(10))
        assert session.run(ranked)[1].tolist() == [b"a", b"b", b"c"]


def test_names_make_dictionaries(graph: Any) -> None:
    queue = compat.FIFOQueue(2, [tf.int32, tf.string], shapes=[[], []], names=["number", "text"])
    put, taken = queue.enqueue({"number": 1, "text": "x"}), queue.dequeue()
    with compat.Session() as session:
        session.run(put)
        assert session.run(taken) == {"number": 1, "text": b"x"}


@pytest.mark.parametrize("shapes", [[[2], [3]], [[None]]])
def test_wrong_shapes(shapes: Any, graph: Any) -> None:
    with pytest.raises(ValueError, match="shapes"):
        compat.FIFOQueue(2, [tf.int32], shapes=shapes)


def test_natively_it_is_tf2s_queue() -> None:
    queue = compat.FIFOQueue(2, [tf.int32], shapes=[[]])
    queue.enqueue(5)
    assert int(queue.dequeue()) == 5


def test_a_new_session_has_empty_and_open_queues(graph: Any) -> None:
    queue = compat.FIFOQueue(3, tf.int32, shapes=[[]])
    put, close, size, taken = queue.enqueue(7), queue.close(), queue.size(), queue.dequeue()
    for _ in range(2):
        with compat.Session() as session:
            assert session.run(size) == 0
            session.run(put)
            assert session.run(taken) == 7
            session.run(put)
            session.run(close)


def test_a_new_session_has_uninitialized_tables(graph: Any) -> None:
    table = compat.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    put, size = table.insert(["a"], [1]), table.size()
    static = compat.contrib.lookup.index_table_from_tensor(["a", "b"])
    found = static.lookup(tf.constant(["b"]))
    for _ in range(2):
        with compat.Session() as session:
            with pytest.raises(tf.errors.FailedPreconditionError):
                session.run(found)
            session.run([put, compat.tables_initializer()])
            assert session.run(size) == 1
            assert session.run(found).tolist() == [1]
