"""Shuffling queues keep the order in both programs while they are compared, however a program makes them."""

from __future__ import annotations

import sys
from pathlib import Path

from tests import warm

ROOT = Path(__file__).parents[2]
# In a process of its own: the probe changes TensorFlow for good.
KEEP_ORDER = """
import tensorflow as tf
from tf_migrate.parity.probe.shuffling import keep_order
keep_order()
import compat
graph, session = compat.open_graph(), compat.Session()
"""
QUEUE = """
queue = compat.RandomShuffleQueue(9, 0, tf.int32, [[]])
put, taken = queue.enqueue_many([list(range(8))]), queue.dequeue_many(8)
session.run(put)
print(session.run(taken).tolist())
"""
BATCHES = """
number = compat.train.range_input_producer(8, shuffle=False).dequeue()
batch = compat.train.shuffle_batch([number], 4, capacity=20, min_after_dequeue=8)
coord = tf.train.Coordinator()
threads = compat.train.start_queue_runners(session, coord)
print(session.run(batch).tolist(), session.run(batch).tolist())
coord.request_stop()
coord.join(threads)
"""


def printed(program: str) -> str:
    done = warm.run([sys.executable, "-c", program], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_queue_gives_what_it_was_given_in_its_order() -> None:
    assert printed(KEEP_ORDER + QUEUE) == "[0, 1, 2, 3, 4, 5, 6, 7]\n"


def test_batches_come_in_the_order_of_the_data() -> None:
    assert printed(KEEP_ORDER + BATCHES) == "[0, 1, 2, 3] [4, 5, 6, 7]\n"
