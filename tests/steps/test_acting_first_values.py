"""First values that a program can tell how often they are made: of Python's functions, datasets and queues."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

COUNTED = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, counter):
        self.counter = counter
        start = tf.py_func(self.start, [], tf.float32)
        start.set_shape([3])
        self.w = tf.Variable(start, name="w")
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.out = tf.reduce_sum(self.x * self.w, axis=1)
        self.init = tf.global_variables_initializer()

    def start(self):
        self.counter["n"] += 1
        return np.full(3, self.counter["n"], np.float32)

    def predict(self, sess, x):
        return sess.run(self.out, {self.x: x})


def main():
    counter = {"n": 0}
    net = Net(counter)
    print("built", counter["n"])
    with tf.Session() as sess:
        sess.run(net.init)
        print(net.predict(sess, np.ones((2, 3))), counter["n"])
        sess.run(net.init)
        print(net.predict(sess, np.ones((2, 3))), counter["n"])
        sess.run(net.w.initializer)
        print(net.predict(sess, np.ones((2, 3))), counter["n"])


if __name__ == "__main__":
    main()
"""
LOGGED = """\
import numpy as np
import tensorflow as tf

log = []

def table(n):
    log.append("table %d" % n)
    return np.arange(n, dtype=np.float32)

class Base(object):
    def variable(self, name, n):
        value = tf.py_func(table, [n], tf.float32, stateful=False, name=name)
        value.set_shape([4])
        return tf.Variable(value * 2.0, trainable=False, name=name)

class Model(Base):
    def __init__(self):
        self.t = self.variable("t", 4)
        self.u = tf.get_variable("u", [], initializer=tf.zeros_initializer())
        self.up = tf.assign_add(self.u, tf.reduce_sum(self.t))

m = Model()
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print(log)
    log.append("training")
    for _ in range(2):
        print(s.run(m.up))
    print(log)
"""
TAKEN = """\
import numpy as np
import tensorflow as tf

log = []

def start(shape, dtype=None, partition_info=None):
    def value():
        log.append("start")
        return np.ones(shape, np.float32) * len(log)
    result = tf.py_func(value, [], tf.float32)
    result.set_shape(shape)
    return result

it = tf.data.Dataset.from_tensor_slices(np.arange(5, dtype=np.float32)).make_one_shot_iterator()
w = tf.get_variable("w", [2], initializer=start)
first = it.get_next()
e = tf.Variable(first, name="e")
init = tf.global_variables_initializer()
nxt = it.get_next()
sess = tf.InteractiveSession()
init.run()
print(log)
log.append("x")
print(w.eval(), e.eval(), nxt.eval(), nxt.eval(), log)
"""
QUEUED = """\
import numpy as np
import tensorflow as tf

q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
fill = q.enqueue_many([np.arange(1., 8.)])
a = tf.Variable(q.dequeue(), name="a")
head = q.dequeue()
size = q.size()
with tf.Session() as sess:
    sess.run(fill)
    print(sess.run(size))
    sess.run(tf.global_variables_initializer())
    print(sess.run(size))
    print(sess.run(head), sess.run(a), sess.run(size))
"""
ANEW = """\
import numpy as np
import tensorflow as tf

def load():
    print("loading")
    return np.ones(3, np.float32)

d = tf.Variable(2.0, name="d")
value = tf.cond(tf.constant(True), lambda: tf.py_func(load, [], tf.float32), lambda: tf.zeros(3))
v = tf.Variable(tf.reshape(value, [3]), name="v")
saver = tf.train.Saver([v])
with tf.Session() as sess:
    sess.run([v.initializer, d.initializer])
    print("initialized")
    print(sess.run([d]))
    print(saver.save(sess, "./ck"))
with tf.Session() as sess:
    saver.restore(sess, "./ck")
    print(sess.run(v))
"""
IN_TURN = """\
import numpy as np
import tensorflow as tf

draws = iter([5.0, 7.0, 9.0, 11.0, 13.0])

def nxt():
    return np.float32(next(draws))

def build():
    with tf.variable_scope("m"):
        init = tf.reshape(tf.py_func(nxt, [], tf.float32), [])
        a = tf.get_variable("a", initializer=init)
        b = tf.Variable(lambda: tf.reshape(tf.py_func(nxt, [], tf.float32), []), name="b", dtype=tf.float32)
    c = tf.get_variable("c", [], initializer=tf.zeros_initializer())
    return a, b, c

a, b, c = build()
step = tf.assign_add(c, a)
sess = tf.Session()
sess.run([a.initializer, c.initializer])
print(sess.run(a), sess.run(step), sess.run(step))
sess.run(b.initializer)
print(sess.run([a, b]))
print(next(draws))
"""


@pytest.mark.parametrize(
    "program",
    [COUNTED, LOGGED, TAKEN, QUEUED, ANEW, IN_TURN],
    ids=["counted", "logged", "taken", "queued", "anew", "turns"],
)
def test_first_values_are_made_as_often(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program, cwd=tmp_path)
