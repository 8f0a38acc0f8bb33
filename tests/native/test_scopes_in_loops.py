"""Scopes that loops and conditions of the straight line open: each moves with what it holds."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

LAYERS = """\
import numpy as np
import tensorflow as tf

sizes = (3, 2)
x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
net = x
for i, size in enumerate(sizes):
    with tf.variable_scope("layer{}".format(i)):
        net = tf.layers.dense(net, size, kernel_initializer=tf.constant_initializer(0.5))
        with tf.variable_scope("again"):
            net = tf.layers.dense(net, size, kernel_initializer=tf.constant_initializer(0.25))
        net = tf.nn.relu(net)
with tf.variable_scope("out"):
    out = tf.layers.dense(net, 1, kernel_initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(out - y))
step = tf.train.AdamOptimizer(0.1).minimize(loss)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    data = np.array([[1.0, 2.0], [0.5, 3.0]])
    for _ in range(3):
        print("%.5f" % sess.run([step, loss], {x: data, y: [[1.0], [2.0]]})[1])
    print(np.round(sess.run(out, {x: data}), 4))
    saver.save(sess, "FOLDER/model")
for name, shape in tf.train.list_variables("FOLDER/model"):
    print(name, shape)
"""
OBJECTS = """\
import numpy as np
import tensorflow as tf


class Model:
    def __init__(self, sess, name, sizes, start):
        self.sess = sess
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [None, 2], name="x")
            net = self.x
            for i, size in enumerate(sizes):
                with tf.variable_scope("layer%d" % i):
                    net = tf.layers.dense(net, size, tf.nn.tanh, kernel_initializer=tf.constant_initializer(start))
            self.loss = tf.reduce_sum(tf.square(net))
            self.step = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def learn(self, x):
        return "%.5f" % self.sess.run([self.loss, self.step], {self.x: x})[0]


sess = tf.Session()
models = [Model(sess, "one", [3], 0.5), Model(sess, "two", [2, 4], 0.25)]
sess.run(tf.global_variables_initializer())
for _ in range(3):
    print([model.learn([[1.0, 2.0]]) for model in models])
"""
SHARED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
state = x
for step in range(3):
    with tf.variable_scope("cell", reuse=step > 0) as scope:
        w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer(0.5))
        state = tf.tanh(tf.matmul(state, w))
with tf.name_scope("loss"):
    loss = tf.reduce_sum(state)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    _, value = sess.run([train, loss], {x: [[1.0, 2.0]]})
    print("%.5f" % value)
"""
CHOICE = """\
import sys
import tensorflow as tf

deep = len(sys.argv) < 50
x = tf.placeholder(tf.float32, [None, 2])
if deep:
    with tf.variable_scope("deep"):
        hidden = tf.layers.dense(x, 4, kernel_initializer=tf.constant_initializer(0.1))
        out = tf.layers.dense(hidden, 1, kernel_initializer=tf.ones_initializer())
else:
    with tf.variable_scope("flat"):
        out = tf.layers.dense(x, 1)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(out, {x: [[1.0, 2.0]]}))
"""
NAMES = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
total = x
for i in range(2):
    with tf.name_scope("part"):
        W = tf.Variable(tf.ones([]) * (i + 1.0), name="W")
        total = total * W + 1.0
step = tf.train.GradientDescentOptimizer(0.1).minimize(total)
saver = tf.train.Saver()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    sess.run(step, {x: 2.0})
    print("%.4f" % sess.run(total, {x: 2.0}))
saver.save(sess, "FOLDER/model")
for name, _ in tf.train.list_variables("FOLDER/model"):
    print(name, tf.train.load_variable("FOLDER/model", name))
"""
_LOOP = NAMES[NAMES.index("total = x") : NAMES.index("step = ")]
FUNCTION = NAMES.replace(_LOOP, f"def build(x):\n{indent(_LOOP, '    ')}    return total\n\n\ntotal = build(x)\n")
PROGRAMS = {
    "layers": LAYERS,
    "objects": OBJECTS,
    "shared weights": SHARED,
    "a choice": CHOICE,
    "name scopes": NAMES,
    "name scopes in a function": FUNCTION,
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str], tmp_path: object) -> None:
    code = code.replace("FOLDER", str(tmp_path))
    result = made_native(code)
    assert printed(result.text) == run_legacy(code)


def test_the_scope_stays_where_it_was() -> None:
    lines = [line.strip() for line in rewritten(LAYERS).text.splitlines()]
    place = lines.index("for i, size in enumerate(sizes):")
    assert lines[place + 1] == 'with compat.variable_scope("layer{}".format(i)):'


REFUSED = {
    "a scope that is read behind the loop": (
        SHARED,
        'with tf.name_scope("loss")',
        'with tf.variable_scope(scope, reuse=True), tf.name_scope("loss")',
        "`tf.variable_scope` is not understood",
    ),
    "a summary in the scope": (
        LAYERS,
        "        net = tf.nn.relu(net)\n",
        '        net = tf.nn.relu(net)\n        tf.summary.histogram("net", net)\n',
        "`tf.variable_scope` is not understood",
    ),
    "a placeholder in the scope": (
        CHOICE,
        'with tf.variable_scope("deep"):\n',
        'with tf.variable_scope("deep"):\n        x = tf.placeholder(tf.float32, [None, 2])\n',
        "`tf.variable_scope` is not understood",
    ),
    "another block": (
        SHARED,
        '    with tf.variable_scope("cell", reuse=step > 0) as scope:\n',
        '    with open("/dev/null"), tf.variable_scope("cell", reuse=step > 0) as scope:\n',
        "`tf.variable_scope` is not understood",
    ),
    "a scope named by a tensor": (
        SHARED,
        '"cell", reuse',
        "state.op.name, reuse",
        "`tf.variable_scope` is not understood",
    ),
    "a run in the scope": (
        SHARED,
        "        state = tf.tanh(tf.matmul(state, w))\n",
        "        state = tf.tanh(tf.matmul(state, w))\n        print(tf.Session().run(tf.ones([])))\n",
        "`tf.variable_scope` is not understood",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, old, new, reason = REFUSED[name]
    assert old in text
    code = text.replace(old, new)
    refuses(code, reason)
