"""Runs that are given options, or what tells how long they took: they go on to be given them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

TRACED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
w = tf.Variable([1.0, 2.0])
loss = tf.reduce_sum(tf.square(w * x))
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)


def fit(sess, turns):
    for turn in range(turns):
        if turn % 2 == 0:
            metadata = tf.RunMetadata()
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            _, value = sess.run([train, loss], feed_dict={x: [1.0, turn]}, options=options, run_metadata=metadata)
            print("%.3f" % value, len(metadata.step_stats.dev_stats) > 0)
        else:
            print("%.3f" % sess.run(loss, {x: [2.0, 1.0]}))


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    fit(sess, 4)
"""
BY_POSITION = """\
import tensorflow as tf

w = tf.get_variable("w", initializer=4.0)
root = tf.sqrt(w)
more = tf.assign_add(w, 5.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    told = tf.RunMetadata()
    print(sess.run(root, None, tf.RunOptions(trace_level=tf.RunOptions.SOFTWARE_TRACE), told))
    sess.run(more, run_metadata=None)
    print(sess.run(root), told.HasField("step_stats"))
"""


@pytest.mark.parametrize("program", [TRACED, BY_POSITION], ids=["traced", "by position"])
def test_they_give_the_same_and_tell_of_it(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    assert {site.tier for site in outcome.report.sites} == {"native", "dynamic"}
    text = outcome.contents["main.py"].decode()
    assert "compat.run(" in text and "Session" not in text
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == run_legacy(program)
