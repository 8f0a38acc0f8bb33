"""Programs whose runs fetch what other code gave its form: iterators, named tuples, parts that a lambda builds."""

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

ITERATOR = """\
import numpy as np
import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices(np.arange(3.0))
valid = tf.data.Dataset.from_tensor_slices(np.arange(10.0, 12.0))
rows = tf.data.Iterator.from_structure(train.output_types, train.output_shapes)
row = rows.get_next()
count = tf.Variable(0)
with tf.control_dependencies([tf.assign_add(count, 1)]):
    out = row * 2.0


def epoch(sess, init):
    sess.run(init)
    while True:
        try:
            print("%g" % sess.run(out))
        except tf.errors.OutOfRangeError:
            return


starts = [rows.make_initializer(data) for data in (train, valid)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for start in starts:
        epoch(sess, start)
    print(sess.run(count))
"""
TUPLES = """\
import collections
import tensorflow as tf

Pair = collections.namedtuple("Pair", "left right")
c = tf.constant([[1, 2], [3, 4]])
pair = Pair(c, {"t": Pair(tf.transpose(c), c[0])})


def both(sess):
    return sess.run(pair)


with tf.Session() as sess:
    got = both(sess)
    print(type(got).__name__, got.left.tolist(), got.right["t"].left.tolist(), got.right["t"]._fields)
    print([each.right.tolist() for each in sess.run([Pair(c, c), pair.right["t"]])])
"""
LAMBDA = """\
import tensorflow as tf

c = tf.get_variable("c", initializer=tf.constant([3.0, 4.0]))
with tf.Session() as sess:
    sess.run(c.initializer)
    more = lambda by: sess.run(c[0] + by)
    print("%g %g" % (more(1.0), more(2.0)))
    print("%g" % (lambda: sess.run(c[1]))())
"""
UNFED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None], "x")
y = tf.reduce_sum(x)


def asked(sess, *feeds):
    for feed in feeds:
        try:
            yield sess.run(y, feed)
        except tf.errors.InvalidArgumentError:
            yield "not fed"


with tf.Session() as sess:
    print("%g" % sess.run(y, {x: [1.0, 2.0]}))
    try:
        print(sess.run(y))
    except tf.errors.OpError as error:
        print(type(error) is not Exception)
    print(list(asked(sess, {}, None)))
"""


@pytest.mark.parametrize("program", [ITERATOR, TUPLES, LAMBDA, UNFED], ids=["iterator", "tuples", "lambda", "unfed"])
def test_the_same_lines(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    text = pipeline.run(discover(options).code, options).contents["main.py"].decode()
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.stdout, done.returncode) == (run_legacy(program), 0), done.stderr
