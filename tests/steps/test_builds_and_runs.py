"""Statements that build and run at once, and contexts of a graph around code that runs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.steps.migration import migrated

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

# What is built in an argument, a condition, a default, a lambda, a message, beside other values.
IN_PLACE = """\
import itertools

import tensorflow as tf

v = tf.Variable([3.0, 1.0, 2.0], name="v")
sess = tf.Session()
sess.run(tf.global_variables_initializer())
turns = itertools.count(1)


def evaluate(t, message="%.3f"):
    return message % sess.run(t)


def scaled(k):
    return tf.reduce_sum(v * k)


def both(t=scaled(3.0), s=sess.run(scaled(1.0) + 1.0)):
    return sess.run(t) + s


def bump():
    sess.run(v.assign_add([1.0, 0.0, 0.0]))
    return next(turns)


out, value = scaled(2.0), sess.run(v)
print(evaluate(scaled(2.0)), evaluate(scaled(3.0) + 1.0), value.tolist(), evaluate(out))
print("%.3f" % sess.run(scaled(sess.run(tf.reduce_max(v)))), "%.3f" % sess.run(tf.square(value[0]) - out))
print("%.3f" % both(), "%.3f" % both(scaled(0.5)), bump(), "%.3f" % sess.run(scaled(float(next(turns)))), bump())
for n in sess.run(tf.nn.top_k(v, 2).values + 0.5):
    print("%.3f" % n)
while sess.run(tf.reduce_sum(v)) < 12.0:
    sess.run(tf.assign_add(v, [0.0, 1.0, 0.0]))
if sess.run(tf.reduce_min(v) > 1.5) and sess.run(scaled(1.0)) > 11.0:
    print("all of them")
assert sess.run(tf.rank(v * 2.0)) == 1, sess.run(tf.shape(v))
rows = []
rows.append(evaluate(v[0] * 2.0)); rows.append(sess.run(tf.size(v)))
rows += [evaluate(tf.negative(v[1]))]
print(rows)
times = lambda k: float(sess.run(v[0] * k))
pair = lambda t, k: (t * k, sess.run(t * k))
t, x = pair(v[2], 5.0)
print(times(2.0), "%.3f" % x, evaluate(t), sorted([3.0, 1.0, 2.0], key=lambda k: -float(sess.run(v[0] * k))))
"""

# The first word of the program opens a scope.
IN_SCOPES = """\
import contextlib

import tensorflow as tf

sess = tf.Session()


@contextlib.contextmanager
def part(name):
    with tf.name_scope(name):
        yield name


def grown(k):
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(k))
    sess.run(w.initializer)
    y = tf.multiply(w, 10.0, name="y")
    print(w.name, y.name, "%.3f" % sess.run(y))


with tf.variable_scope("one", regularizer=tf.contrib.layers.l2_regularizer(0.5)):
    grown(1.0)
    with part("inner"):
        z = tf.add(sess.run(tf.constant(2.0, name="c")), 1.0, name="z")
        print(z.name, "%.3f" % sess.run(z))
with tf.variable_scope("two", reuse=tf.AUTO_REUSE):
    grown(2.0)
    grown(3.0)
with part("last"):
    print("%.3f" % sess.run(tf.losses.get_regularization_loss()), tf.constant(1.0).name)
"""

# What waits for an update, and what stands on a device, is told by a block in which something runs.
IN_ORDER = """\
import contextlib

import tensorflow as tf

v = tf.Variable(1.0)
up = v.assign_add(2.0)
sess = tf.Session()
sess.run(tf.global_variables_initializer())


@contextlib.contextmanager
def after(op):
    with tf.control_dependencies([op]):
        yield


def show():
    y = tf.identity(v)
    print("%.3f" % sess.run(y), end=" ")
    return y


with tf.control_dependencies([up]), tf.device("/cpu:0"):
    first = show()
    print("%.3f" % sess.run(tf.identity(v) * 10.0), first.device)
    with tf.control_dependencies([v.assign_add(10.0)]):
        print(sess.run(tf.identity(v)) > 14.0)
    with tf.control_dependencies(None):
        show()
with after(up):
    show()
deps = tf.control_dependencies([up])
with deps:
    show()
for at in range(3):
    with tf.control_dependencies([up] if at == 1 else []):
        show()
print("%.3f" % sess.run(v))
"""

# Builders of their own stand in scopes, and behind updates; the first word of the program is one of them.
OF_BUILDERS = """\
import contextlib

import tensorflow as tf


@contextlib.contextmanager
def scoped(name):
    with tf.variable_scope(name, initializer=tf.constant_initializer(2.0)):
        yield


class Line(object):
    def __init__(self, k):
        self.w = tf.get_variable("w", [])
        self.y = tf.multiply(self.w, k, name="y")

    @property
    def twice(self):
        return self.y * 2.0

    def value(self, sess):
        return "%.3f" % sess.run(self.twice + 1.0)


def late(t):
    return tf.identity(t) * 10.0


with scoped("first"):
    a = Line(1.5)
with scoped("second"), tf.device("/cpu:0"):
    b = Line(2.5)
up = a.w.assign_add(1.0)
with tf.control_dependencies([up]):
    z = late(a.w)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(a.w.name, a.y.name, b.w.name, b.y.name, b.y.device)
    print(a.value(sess), b.value(sess), "%.3f" % sess.run(z), "%.3f" % sess.run(a.w))
    print(["%.3f" % v for v in sess.run(tf.trainable_variables())], type(sess.run((a.w, b.w))).__name__)
"""

# A generator builds and runs between its values.
GENERATED = """\
import tensorflow as tf

v = tf.Variable(1.0)


def values(sess, n):
    doubled = v * 2.0
    for at in range(n):
        sess.run(v.assign(v + 1.0))
        yield at, sess.run(doubled), doubled
    last = doubled + 0.5
    yield n, sess.run(last), last


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for at, value, tensor in values(sess, 3):
        print(at, "%.3f" % value, "%.3f" % sess.run(tensor))
"""

# What only builds gives way in the middle of it.
# Arrays of tensors and ragged tensors build what is asked of them, also in the argument of a run.
OF_ARRAYS = """\
import tensorflow as tf


class Window(object):
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [size])
        self.rows = tf.TensorArray(tf.float32, size, clear_after_read=False).unstack(self.x * 2.0)
        state = [tf.constant(0), tf.TensorArray(tf.float32, size)]
        body = lambda at, kept: (at + 1, kept.write(at, self.rows.read(at) + 0.5))
        _, self.kept = tf.while_loop(lambda at, kept: at < size, body, state)


window = Window(3)
ragged = tf.RaggedTensor.from_row_lengths([1.5, 2.5, 3.5], [2, 1])
with tf.Session() as sess:
    fed = {window.x: [1.0, 2.0, 4.0]}
    print("%.3f" % sess.run(window.rows.read(1), fed))
    for n in sess.run(window.kept.stack(), fed):
        print("%.3f" % n)
    print("%.3f %.3f" % tuple(sess.run(window.rows.gather([2, 0]), fed)))
    print("%.3f" % sess.run(ragged.to_tensor())[1, 0])
"""

REFUSED = """\
import tensorflow as tf

v = tf.Variable(1.0)
sess = tf.Session()
sess.run(v.initializer)


def parts(n):
    for at in range(n):
        yield v * float(at)


for y in parts(3):
    print(sess.run(y))
"""


@pytest.mark.parametrize("program", [IN_PLACE, IN_SCOPES, IN_ORDER, OF_BUILDERS, GENERATED, OF_ARRAYS])
def test_it_prints_what_it_printed(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    text = outcome.contents["main.py"].decode()
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    before = run_legacy(program)
    assert NUMBER.sub("#", done.stdout) == NUMBER.sub("#", before)
    numbers = [[float(number) for number in NUMBER.findall(said)] for said in (done.stdout, before)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-3)
    assert len(numbers[0]) >= 5


def test_a_generator_that_only_builds_stays_on_the_bridge(tmp_path: Path) -> None:
    outcome = migrated(REFUSED, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "builds-and-runs" in {reason.code for site in outcome.report.sites for reason in site.reasons}
