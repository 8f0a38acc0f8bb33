"""Operations that threads repeat: as many rounds as asked for, errors in their place, variables left to single runs."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
import tensorflow as tf

import compat


def filled(session: Any, numbers: list[int]) -> Any:
    source = compat.FIFOQueue(100, [tf.int32], shapes=[[]])
    session.run(source.enqueue_many([numbers]))
    session.run(source.close())
    return source


def test_it_runs_as_often_as_asked_and_keeps_the_order(graph: Any) -> None:
    target = compat.FIFOQueue(100, [tf.int32], shapes=[[]])
    with compat.Session() as session:
        put, size = target.enqueue(filled(session, list(range(20))).dequeue() * 10), target.size()
        seven = session.make_repeated(put, 7)
        seven()
        assert session.run(size) == 7
        seven()
        assert session.run(target.dequeue_many(14)).tolist() == list(range(0, 140, 10))
        # The end of the input ends the third call after what was left.
        with pytest.raises(tf.errors.OutOfRangeError, match="is closed and has insufficient elements"):
            seven()
        assert session.run(size) == 6


def test_an_error_leaves_what_came_before_it(graph: Any) -> None:
    target = compat.FIFOQueue(100, [tf.int32], shapes=[[]])
    with compat.Session() as session:
        number = filled(session, [1, 2, 0, 4]).dequeue()
        with tf.control_dependencies([tf.debugging.assert_positive(number, "none of mine")]):
            put = target.enqueue(tf.identity(number))
        with pytest.raises(tf.errors.InvalidArgumentError, match="none of mine"):
            session.make_repeated(put, 10)()
        assert session.run(target.dequeue_many(target.size())).tolist() == [1, 2]


def test_where_variables_change_it_runs_once(graph: Any) -> None:
    counter = compat.get_variable("counter", initializer=tf.constant(0))
    target = compat.FIFOQueue(100, [tf.int32], shapes=[[]])
    put, size = target.enqueue(compat.assign_add(counter, 1)), target.size()
    with compat.Session() as session:
        session.run(counter.initializer)
        session.make_repeated(put, 5)()
        assert (session.run(size), session.run(counter)) == (1, 1)


def test_tables_are_looked_up_in_each_round(graph: Any) -> None:
    words = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    table = compat.lookup.StaticHashTable(words, -1)
    target = compat.FIFOQueue(100, [tf.int64], shapes=[[]])
    source = compat.FIFOQueue(9, [tf.string], shapes=[[]])
    put, fill = target.enqueue(table.lookup(source.dequeue())), source.enqueue_many([["a", "c", "b"]])
    with compat.Session() as session:
        session.run([compat.tables_initializer(), fill])
        session.make_repeated(put, 3)()
        assert session.run(target.dequeue_many(3)).tolist() == [1, -1, 2]


def test_closing_the_session_ends_a_call_that_waits(graph: Any) -> None:
    target = compat.FIFOQueue(3, [tf.int32], shapes=[[]])
    put, size = target.enqueue(5), target.size()
    session = compat.Session()
    raised: list[BaseException] = []

    def fill() -> None:
        try:
            session.make_repeated(put, 1000)()
        except tf.errors.CancelledError as error:
            raised.append(error)

    thread = threading.Thread(target=fill)
    thread.start()
    while thread.is_alive() and session.run(size) < 3:
        time.sleep(0.01)
    session.close()
    thread.join(60)
    assert not thread.is_alive() and len(raised) == 1
    with pytest.raises(RuntimeError, match="closed Session"):
        session.make_repeated(put, 2)()


def test_a_session_closed_just_before_a_call_waits_is_closed_to_it(graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session = compat.Session()
    take = session.make_repeated(compat.FIFOQueue(3, [tf.int32], shapes=[[]]).dequeue().op, 2)
    monkeypatch.setattr(session, "start", lambda initializers: session.close())
    raised: list[str] = []

    def wait() -> None:
        try:
            take()
        except RuntimeError as error:
            raised.append(str(error))

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    thread.join(60)
    assert raised == ["Attempted to use a closed Session."]
