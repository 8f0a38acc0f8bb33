"""Queues that programs fill by threads of their own: order, errors, the end of input, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from compat import train
from tests import warm


def started(session: Any) -> tuple[tf.train.Coordinator, list[threading.Thread]]:
    session.run([compat.global_variables_initializer(), compat.local_variables_initializer()])
    coord = tf.train.Coordinator()
    return coord, train.start_queue_runners(session, coord)


def numbers_queue(last: int) -> tuple[Any, Any]:
    """A queue that a runner fills with 1, 2, ... and that closes after `last`."""
    counter = compat.get_variable("counter", initializer=tf.constant(0), trainable=False)
    queue = compat.FIFOQueue(3, [tf.int32], shapes=[[]])
    following = compat.assign_add(counter, 1)
    with tf.control_dependencies([tf.debugging.assert_less_equal(following, last)]):
        enqueue = queue.enqueue(tf.identity(following))
    runner = train.QueueRunner(queue, [enqueue], queue_closed_exception_types=(tf.errors.InvalidArgumentError,))
    train.add_queue_runner(runner)
    return queue, runner


def test_a_runner_of_ones_own_keeps_the_order_and_ends(graph: Any) -> None:
    queue, runner = numbers_queue(7)
    batch = queue.dequeue_up_to(2)
    with compat.Session() as session:
        coord, threads = started(session)
        seen = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                seen.append(session.run(batch).tolist())
        assert seen == [[1, 2], [3, 4], [5, 6], [7]]
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=10)
        assert not any(thread.is_alive() for thread in threads)
        assert runner.exceptions_raised == []


def test_a_thread_that_feeds_a_queue(graph: Any) -> None:
    """Programs with data in Python feed a placeholder from a thread, here with more than the queue can hold."""
    row = compat.placeholder(tf.float32, [2])
    queue = compat.FIFOQueue(2, [tf.float32], shapes=[[2]])
    enqueue, close, batch = queue.enqueue(row), queue.close(), queue.dequeue_many(3)
    with compat.Session() as session:

        def feed() -> None:
            for number in range(6):
                session.run(enqueue, {row: [number, -number]})
            session.run(close)

        thread = threading.Thread(target=feed)
        thread.start()
        seen = [session.run(batch)[:, 0].tolist() for _ in range(2)]
        with pytest.raises(tf.errors.OutOfRangeError, match="closed"):
            session.run(batch)
        thread.join(10)
    assert seen == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] and not thread.is_alive()


def test_several_threads_lose_nothing(graph: Any) -> None:
    source = compat.FIFOQueue(100, [tf.int32], shapes=[[]])
    queue = compat.RandomShuffleQueue(20, 4, [tf.int32], shapes=[[]], seed=1)
    enqueue = queue.enqueue(source.dequeue() * 10)
    train.add_queue_runner(train.QueueRunner(queue, [enqueue] * 4))
    fill, close, element = source.enqueue_many([tf.range(50)]), source.close(), queue.dequeue()
    with compat.Session() as session:
        session.run(fill)
        session.run(close)
        coord, threads = started(session)
        seen = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                seen.append(int(session.run(element)))
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=10)
    assert sorted(seen) == list(range(0, 500, 10)) and seen != sorted(seen)


def test_an_error_in_a_reader_surfaces_with_its_own_words(tmp_path: Path, graph: Any) -> None:
    whole, damaged = tmp_path / "a", tmp_path / "b"
    for path in (whole, damaged):
        with tf.io.TFRecordWriter(str(path)) as writer:
            writer.write(b"first")
            writer.write(b"second")
    damaged.write_bytes(damaged.read_bytes()[:-3])
    names = train.string_input_producer([str(whole), str(damaged)], num_epochs=1, shuffle=False)
    _, record = compat.TFRecordReader().read(names)
    batch = train.batch([record], 1)
    seen = []
    with pytest.raises(tf.errors.DataLossError, match="truncated record"), train.MonitoredSession() as session:
        while not session.should_stop():
            seen.append(session.run(batch)[0])
    # The damaged file begins with a whole record; the error may come before what was read is taken, as in TF1.
    assert seen == [b"first", b"second", b"first"][: len(seen)]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_without_a_coordinator_is_kept(graph: Any) -> None:
    queue = compat.FIFOQueue(3, [tf.float32], shapes=[[]])
    enqueue = queue.enqueue(tf.debugging.check_numerics(tf.constant(0.0) / 0.0, "mine"))
    runner = train.QueueRunner(queue, [enqueue])
    with compat.Session() as session:
        (thread,) = runner.create_threads(session, start=True)
        thread.join(10)
        (error,) = runner.exceptions_raised
    assert isinstance(error, tf.errors.InvalidArgumentError) and "mine" in error.message


def test_the_first_error_ends_all_threads(graph: Any) -> None:
    good, bad = (compat.FIFOQueue(2, [tf.float32], shapes=[[]]) for _ in range(2))
    train.add_queue_runner(train.QueueRunner(good, [good.enqueue(1.0)] * 3))
    failing = bad.enqueue(tf.debugging.check_numerics(tf.constant(0.0) / 0.0, "mine"))
    train.add_queue_runner(train.QueueRunner(bad, [failing]))
    with compat.Session() as session:
        coord, threads = started(session)
        while not coord.should_stop():
            time.sleep(0.01)
        with pytest.raises(tf.errors.InvalidArgumentError, match="mine"):
            coord.join(threads, stop_grace_period_secs=10)
        assert len(threads) == 6 and not any(thread.is_alive() for thread in threads)


LOOPS = {
    "coordinator": """
with compat.Session() as session:
    coord = tf.train.Coordinator()
    threads = train.start_queue_runners(session, coord)
    try:
        while not coord.should_stop():
            print(session.run(batch), flush=True)
    finally:
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=10)
        print("alive:", sum(thread.is_alive() for thread in threads), flush=True)
""",
    "monitored": """
hook = train.StopAtStepHook(last_step=10**9)
train.get_or_create_global_step()
try:
    with train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            print(session.run(batch), flush=True)
finally:
    names = [thread.name for thread in threading.enumerate() if "QueueRunner" in thread.name]
    print("alive:", len(names), flush=True)
""",
}


@pytest.mark.parametrize("kind", LOOPS)
def test_ctrl_c_ends_the_loop_and_its_threads(kind: str, tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text("\n".join(map(str, range(100))))
    program = f"""
import threading
import tensorflow as tf
import compat
from compat import train
graph = compat.open_graph()
names = train.string_input_producer([{str(tmp_path / "numbers")!r}])
_, line = compat.TextLineReader().read(names)
batch = train.batch([line], 4, num_threads=2)
{LOOPS[kind]}
"""
    # A test run in the background of a shell ignores Ctrl-C, and what it starts does so too.
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + program
    child = warm.Program([sys.executable, "-c", program], cwd=Path(__file__).parents[3], env=dict(os.environ))
    try:
        while not child.said.startswith("[b'"):
            assert child.returncode is None, child.communicate()
            time.sleep(0.05)
        os.kill(child.pid, signal.SIGINT)
        output, errors = child.communicate(timeout=300)
    finally:
        child.kill()
    assert child.returncode == -signal.SIGINT, errors
    assert "KeyboardInterrupt" in errors
    assert output.endswith("alive: 0\n")  # Ctrl-C may come between a batch that is printed and its newline
