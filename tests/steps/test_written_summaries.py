"""Summaries that operations write where they run, `tf.contrib.summary`: their steps write the same events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

WRITERS = """\
import glob
import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [])
step = tf.train.get_or_create_global_step()
more = tf.assign_add(step, 1)
loss = tf.square(2.0 * x - 1.0)
summaries = tf.contrib.summary
with summaries.create_file_writer(folder + "/a").as_default(), \\
        summaries.record_summaries_every_n_global_steps(2, global_step=step):
    written = [summaries.scalar("loss", loss, step=step), summaries.histogram("x", x, step=step)]
writer = summaries.create_file_writer(folder + "/b")
with writer.as_default(), summaries.always_record_summaries():
    other = summaries.scalar("x", x, step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(summaries.summary_writer_initializer_op())
    for i in range(5):
        print(sess.run([loss, written], feed_dict={x: float(i)})[0])
        sess.run(other, {x: i})
        sess.run(more)
    print(len(summaries.all_summary_ops()))
for name in ("a", "b"):
    for path in glob.glob(os.path.join(folder, name, "*")):
        found = [(event.step, value.tag, round(value.simple_value, 4))
                 for event in tf.train.summary_iterator(path) for value in event.summary.value]
        print(name, sorted(found))
"""

LOGGER = """\
import glob
import tempfile

import tensorflow as tf


class Logger(object):
    def __init__(self, folder, step):
        self.step = step
        self.writer = tf.contrib.summary.create_file_writer(folder, max_queue=1)
        self.writer.set_as_default()

    def watch(self, **values):
        with tf.name_scope("watched"), tf.contrib.summary.always_record_summaries():
            for name in sorted(values):
                tf.contrib.summary.scalar(name, values[name], step=self.step)


def build(folder):
    x = tf.placeholder(tf.float32, [2])
    step = tf.train.get_or_create_global_step()
    v = tf.get_variable("v", initializer=1.0)
    y = tf.reduce_sum(x * v)
    count = tf.assign_add(step, 1)
    logger = Logger(folder, step)
    logger.watch(total=y, twice=2.0 * y)
    return x, y, count, logger


folder = tempfile.mkdtemp()
x, y, count, logger = build(folder)
ops = tf.contrib.summary.all_summary_ops()
flush = tf.contrib.summary.flush()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.contrib.summary.initialize(session=sess)
    for i in range(3):
        print(sess.run([y, ops], {x: [i, 1.0]})[0])
        sess.run(count)
    sess.run(flush)
for path in sorted(glob.glob(folder + "/*")):
    events = tf.train.summary_iterator(path)
    print(sorted((event.step, value.tag, value.simple_value) for event in events for value in event.summary.value))
"""


@pytest.mark.parametrize("program", [WRITERS, LOGGER], ids=["two writers", "a logger"])
def test_events_that_runs_write(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert "bridge" not in {site.tier for site in outcome.report.sites}
    text = outcome.contents["main.py"].decode()
    assert "Session" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
