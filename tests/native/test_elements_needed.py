"""Runs take the elements of iterators that they need, and no others; where that is not sure, the bridge knows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from native import printed, rewritten

HEAD = """\
import numpy as np
import tensorflow as tf
one = tf.data.Dataset.from_tensor_slices(np.arange(0, 20, dtype=np.float32))
two = tf.data.Dataset.from_tensor_slices(np.arange(100, 120, dtype=np.float32))
a = one.make_one_shot_iterator()
b = two.make_one_shot_iterator()
"""
EACH = HEAD + "x = a.get_next()\ny = b.get_next()\n"
START = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"

LEFT = {
    "two at once": EACH.replace("x = a.get_next()\ny = b.get_next()", "x, y = a.get_next(), b.get_next()")
    + f"w = tf.Variable(1.0)\n{START}print(sess.run(x), sess.run(x), sess.run(y), sess.run(x + y))\n",
    "results of one statement": EACH + f"w = tf.Variable(2.0)\np, q = x * w, y * w\n{START}"
    "print(sess.run(p), sess.run(p), sess.run(q), *sess.run([p, q]))\n",
    "a list of results": EACH + f"w = tf.Variable(2.0)\noutputs = [x * w, y * w]\n{START}"
    "print(sess.run(outputs[1]), sess.run(outputs[1]), sess.run(outputs[0]))\n",
    "a function of two": EACH
    + "def build(p, q):\n    w = tf.get_variable('w', initializer=3.0)\n    return p * w, q - w\n"
    f"first, second = build(x, y)\n{START}print(sess.run(second), sess.run(second), sess.run(first))\n",
    "a function that looks at one only": EACH + "def scale(p, q):\n    return p * 2.0\n"
    f"w = tf.Variable(2.0)\nz = scale(x, y) * w\n{START}print(sess.run(z), sess.run(z), sess.run(y))\n",
    "a step of its own variables": EACH + "v, w = tf.Variable(1.0), tf.Variable(1.0)\n"
    "loss = tf.square(v * x) + tf.square(w * y)\n"
    "step = tf.train.GradientDescentOptimizer(0.001).minimize(loss, var_list=[v])\n"
    f"{START}sess.run(step)\nsess.run(step)\nprint(sess.run(v), sess.run(x), sess.run(y))\n",
    "a term that no gradient needs": EACH + "w = tf.Variable(1.0)\nloss = w * x * 0.5 + y\n"
    f"step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n{START}sess.run(step)\n"
    "print(*sess.run([w, x]), sess.run(y))\n",
    "a shape alone": EACH + "w = tf.Variable(1.0)\nz = tf.zeros_like(x) + w\n"
    f"{START}print(sess.run(z), sess.run(z), sess.run(x))\n",
    "some of the gradients": EACH + "v, w = tf.Variable(1.0), tf.Variable(1.0)\n"
    "loss = tf.square(v * x) + tf.square(w * y)\noptimizer = tf.train.GradientDescentOptimizer(0.001)\n"
    "pairs = optimizer.compute_gradients(loss)\nstep = optimizer.apply_gradients(pairs[1:])\n"
    f"{START}sess.run(step)\nprint(*sess.run([v, w]), sess.run(x), sess.run(y))\n",
    "one gradient": EACH + "v, w = tf.Variable(1.0), tf.Variable(1.0)\n"
    f"loss = tf.square(v * x) + tf.square(w * y)\ngradients = tf.gradients(loss, [v, w])\n{START}"
    "print(sess.run(gradients[1]), sess.run(gradients[1]), sess.run(x), sess.run(y))\n",
}
NEEDED = {
    "both in one": EACH + f"w = tf.Variable(2.0)\nz = x * w + y\n{START}print(sess.run(z), sess.run(y), sess.run(z))\n",
    "ways of a condition": EACH + "p = tf.placeholder(tf.bool, [])\nw = tf.Variable(2.0)\n"
    f"z = tf.cond(p, lambda: x * w, lambda: y * w)\n{START}"
    "print(sess.run(z, {p: True}), sess.run(z, {p: True}), sess.run(x), sess.run(y))\n",
    "a function of both": EACH
    + "def build(p, q):\n    w = tf.get_variable('w', initializer=3.0)\n    return p * w - q\n"
    f"z = build(x, y)\n{START}print(sess.run(z), sess.run(z), sess.run(y), sess.run(x))\n",
    "a step for two terms": EACH + "w = tf.Variable(1.0)\nloss = tf.square(w * x) + tf.square(w * 0.01 - y)\n"
    "step = tf.train.AdamOptimizer(0.1).minimize(loss)\n"
    f"{START}for _ in range(3):\n    sess.run(step)\nprint(sess.run(w), sess.run(x), sess.run(y))\n",
    "all gradients, clipped": EACH + "v, w = tf.Variable(1.0), tf.Variable(1.0)\n"
    "loss = tf.square(v * x - y) + tf.square(w) * 0.1\noptimizer = tf.train.GradientDescentOptimizer(0.001)\n"
    "pairs = optimizer.compute_gradients(loss)\n"
    "step = optimizer.apply_gradients([(tf.clip_by_value(g, -1.0, 1.0), u) for g, u in pairs])\n"
    f"{START}sess.run(step)\nsess.run(step)\nprint(*sess.run([v, w]), sess.run(x), sess.run(y))\n",
    "a step of some variables, of one term": EACH + "v, w = tf.Variable(1.0), tf.Variable(1.0)\n"
    "loss = tf.square(v * x - w * y)\nstep = tf.train.GradientDescentOptimizer(1e-5).minimize(loss, var_list=[v])\n"
    f"{START}sess.run(step)\nsess.run(step)\nprint(*sess.run([v, w]), sess.run(x), sess.run(y))\n",
    "layers": """\
import numpy as np
import tensorflow as tf
rows = np.arange(24, dtype=np.float32).reshape([12, 2]) / 10
pairs = tf.data.Dataset.from_tensor_slices((rows, (rows.sum(1) > 1).astype(np.int32))).batch(3)
x, y = pairs.make_one_shot_iterator().get_next()
def network(inputs):
    hidden = tf.layers.dense(inputs, 4, tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.1))
    return tf.layers.dense(hidden, 2, kernel_initializer=tf.constant_initializer(0.2))
logits = network(x)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y), tf.float32))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
    + START
    + "for _ in range(2):\n    print([round(float(v), 4) for v in sess.run([loss, accuracy, step])[:2]])\n"
    "sess.run(step)\nprint(sess.run(y).tolist())\n",
    "words": """\
import numpy as np
import tensorflow as tf
words = np.arange(24).reshape([6, 4]) % 5
ids = tf.data.Dataset.from_tensor_slices(words).batch(2).make_one_shot_iterator().get_next()
table = tf.get_variable('table', [5, 3], initializer=tf.constant_initializer(0.1))
cell = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.constant_initializer(0.1))
outputs, state = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(table, ids), dtype=tf.float32)
loss = tf.reduce_mean(tf.square(state - 1.0))
variables = tf.trainable_variables()
gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
step = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(gradients, variables))
"""
    + START
    + "print(round(float(sess.run([loss, step])[0]), 4))\nsess.run(step)\nprint(sess.run(ids).tolist())\n",
}


@pytest.mark.parametrize("code", LEFT.values(), ids=LEFT)
def test_what_a_run_may_leave_is_left(code: str, run_legacy: Callable[..., str]) -> None:
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"bridge"}
    assert printed(result.text) == run_legacy(code)


@pytest.mark.parametrize("code", NEEDED.values(), ids=NEEDED)
def test_what_a_run_surely_needs_is_taken(code: str, run_legacy: Callable[..., str]) -> None:
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"native"}, [site.reason for site in result.sites]
    assert printed(result.text) == run_legacy(code)
