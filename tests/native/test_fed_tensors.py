"""Tensors that are fed though they are no placeholders: functions take them, and compute nothing of what made them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

NET = """\
import numpy as np
import tensorflow as tf


class Net:
    def __init__(self, size):
        self.sess = tf.Session()
        self.s = tf.placeholder(tf.float32, [None, size], "s")
        self.s_ = tf.placeholder(tf.float32, [None, size], "s_")
        self.r = tf.placeholder(tf.float32, [None, 1], "r")
        with tf.variable_scope("actor"):
            self.a = self._actor(self.s, "eval", True)
            a_ = self._actor(self.s_, "target", False)
        with tf.variable_scope("critic"):
            q = self._critic(self.s, self.a, "eval", True)
            q_ = self._critic(self.s_, a_, "target", False)
        self.ae = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="actor/eval")
        self.at = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="actor/target")
        self.ce = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="critic/eval")
        self.ct = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="critic/target")
        self.soft = [tf.assign(t, 0.5 * t + 0.5 * e) for t, e in zip(self.at + self.ct, self.ae + self.ce)]
        error = tf.losses.mean_squared_error(labels=self.r + 0.9 * q_, predictions=q)
        self.ctrain = tf.train.AdamOptimizer(0.1).minimize(error, var_list=self.ce)
        self.atrain = tf.train.AdamOptimizer(0.1).minimize(-tf.reduce_mean(q), var_list=self.ae)
        self.error, self.q = error, q
        self.sess.run(tf.global_variables_initializer())

    def _actor(self, s, scope, trainable):
        with tf.variable_scope(scope):
            ones = tf.constant_initializer(0.5)
            net = tf.layers.dense(s, 3, tf.nn.tanh, kernel_initializer=ones, name="l1", trainable=trainable)
            a = tf.layers.dense(net, 1, kernel_initializer=ones, name="a", trainable=trainable)
            return tf.multiply(a, 2.0, name="scaled")

    def _critic(self, s, a, scope, trainable):
        with tf.variable_scope(scope):
            ones = tf.constant_initializer(0.3)
            w_s = tf.get_variable("w_s", [2, 3], initializer=ones, trainable=trainable)
            w_a = tf.get_variable("w_a", [1, 3], initializer=ones, trainable=trainable)
            net = tf.nn.relu(tf.matmul(s, w_s) + tf.matmul(a, w_a))
            return tf.layers.dense(net, 1, kernel_initializer=ones, trainable=trainable)

    def learn(self, s, a, r, s_):
        self.sess.run(self.soft)
        self.sess.run(self.atrain, {self.s: s})
        self.sess.run(self.ctrain, {self.s: s, self.a: a, self.r: r, self.s_: s_})
        error = self.sess.run(self.error, {self.r: r, self.a: a, self.s: s, self.s_: s_})
        return "%.5f %.5f" % (error, self.sess.run(self.q, feed_dict={self.a: a, self.s: s})[0, 0])

    def act(self, s):
        return self.sess.run(self.a, {self.s: s})[0]


net = Net(2)
rng = np.random.RandomState(0)
for _ in range(5):
    s = rng.rand(4, 2)
    print("%.5f" % net.act(s)[0])
    print(net.learn(s, rng.rand(4, 1), rng.rand(4, 1), rng.rand(4, 2)))
"""
SCRIPT = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable([[0.5], [1.0]])
v = tf.Variable(2.0)
h = tf.matmul(x, w)
k = h * v
y = k + 1.0
step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y), var_list=[v])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(h, {x: [[1.0, 2.0]]}))
    print(sess.run(y, {h: [[3.0], [4.0]]}), sess.run([h, y], feed_dict={h: np.ones([1, 1])}))
    sess.run(step, {h: [[3.0]], x: [[1.0, 1.0]]})
    print(sess.run(w), "%.4f" % sess.run(v), sess.run(y, {k: [[7.0]]}), sess.run(y, {x: [[1.0, 2.0]]}))
    print(sess.run(k, {x: [[1.0, 1.0]]}))
"""


LAYERS = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
h = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())
y = tf.layers.dense(h, 1, kernel_initializer=tf.ones_initializer())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(h, {x: [[1.0, 2.0]]}), sess.run(y, {h: [[3.0]]}))
"""
NAMED = LAYERS.replace("initializer()", 'initializer(), name="one"', 1).replace(
    "initializer())\nw", 'initializer(), name="two")\nw'
)


def _other_order() -> str:
    start, end = NET.index("    def learn"), NET.index("\n\nnet = Net")
    act = NET.index("    def act")
    return NET[:start] + NET[act:end] + "\n" + NET[start:act].rstrip() + "\n" + NET[end:]


ANOTHER = SCRIPT.replace("k = h * v\n", "g = h\nk = g * v\n")
TRAINED = SCRIPT.replace("var_list=[v]", "var_list=[v, w]")
APPLIED = SCRIPT.replace(
    "step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y), var_list=[v])",
    "optimizer = tf.train.GradientDescentOptimizer(0.1)\n"
    "pairs = optimizer.compute_gradients(tf.reduce_sum(y), [v, w])\nstep = optimizer.apply_gradients(pairs)",
)
SLOPES = SCRIPT.replace("with tf.Session", "slopes = tf.gradients(y * y, [h, x])\nwith tf.Session").replace(
    "    print(sess.run(k,", "    print(sess.run(slopes, {h: [[4.0]], x: [[1.0, 3.0]]}))\n    print(sess.run(k,"
)
PROGRAMS = {
    "a class": NET,
    "all variables are trained": NET.replace("minimize(error, var_list=self.ce)", "minimize(error)").replace(
        "%.5f %.5f", "%.3f %.3f"
    ),
    "what the tensor is made of is trained": NET.replace("error, var_list=self.ce", "error, var_list=self.ae"),
    "a variable of the script": TRAINED,
    "gradients that are applied": APPLIED,
    "gradients of tensors": SLOPES,
    "no gradient goes through": SCRIPT.replace("h = tf.matmul(x, w)", "g = tf.matmul(x, w)\nh = tf.stop_gradient(g)")
    .replace("var_list=[v]", "var_list=[v, w]")
    .replace("{h: [[3.0]], x: [[1.0, 1.0]]}", "{h: [[3.0]]}"),
    "what is fed is fetched first": _other_order(),
    "a script": SCRIPT,
    "another name that the tensor gets": ANOTHER,
    "layers of names of their own": NAMED,
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(code)
    assert printed(result.text) == run_legacy(code)


FETCHED = "    print(sess.run(h, {x: [[1.0, 2.0]]}))\n"
REFUSED = {
    "what the tensor is made of is not given": (
        TRAINED,
        "{h: [[3.0]], x: [[1.0, 1.0]]}",
        "{h: [[3.0]]}",
        "the placeholder `x` is not fed",
    ),
    "an operation whose gradient needs its value": (
        TRAINED,
        "h = tf.matmul(x, w)",
        "h = tf.tanh(tf.matmul(x, w))",
        "gradients go through",
    ),
    "an operation of a method whose gradient needs its value": (
        NET.replace("minimize(error, var_list=self.ce)", "minimize(error)"),
        'tf.multiply(a, 2.0, name="scaled")',
        'tf.nn.relu(a, name="scaled")',
        "gradients go through",
    ),
    "a division": (TRAINED, "h = tf.matmul(x, w)", "h = tf.matmul(x, w) / 2.0", "gradients go through"),
    "a scope around both": (
        NET,
        "minimize(error, var_list=self.ce)",
        'minimize(error, var_list=tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=""))',
        "of all variables of a scope",
    ),
    "gradients": (
        SCRIPT.replace("step = tf", "slope = tf.gradients(y, [v])[0]\nstep = tf"),
        "sess.run(y, {k: [[7.0]]})",
        "sess.run(slope, {h: [[7.0]]})",
        "the placeholder `x` is not fed",
    ),
    "a tensor with two names in a method": (
        NET,
        '            return tf.multiply(a, 2.0, name="scaled")\n',
        '            scaled = tf.multiply(a, 2.0, name="scaled")\n'
        "            return scaled if len(scope) else [scaled][0]\n",
        "may have other names",
    ),
    "a name of another tensor": (
        SCRIPT,
        "h = tf.matmul(x, w)\n",
        "g = tf.matmul(x, w)\nh = g\n",
        "may have other names",
    ),
    "a cast that may be none": (
        SCRIPT,
        "h = tf.matmul(x, w)",
        "h = tf.cast(tf.matmul(x, w), tf.float32)",
        "may have other",
    ),
    "a function that gives back what it is given": (
        NET,
        '            return tf.multiply(a, 2.0, name="scaled")\n',
        "            return tf.multiply(a, 2.0) if self.s is None else a\n",
        "may have other names",
    ),
    "layers that are counted together": (LAYERS, "{h: [[3.0]]}", "{h: [[3.0]], x: [[1.0, 2.0]]}", "counted together"),
    "no function shows what it is like": (SCRIPT, FETCHED, "", "has a type and a shape that no function shows"),
    "it is of a branch": (
        SCRIPT,
        "h = tf.matmul(x, w)\n",
        "if v is not None and np.pi > 3:\n    h = tf.matmul(x, w)\n",
        "may have other names",
    ),
    "several values": (
        SCRIPT,
        "h = tf.matmul(x, w)\n",
        "h, g = tf.split(tf.matmul(x, w), 2)\n",
        "may have other names",
    ),
    "averages that layers move": (
        SCRIPT,
        "h = tf.matmul(x, w)\n",
        "n = tf.layers.batch_normalization(x, training=True)\nh = tf.matmul(n, w)\n",
        "move averages",
    ),
    "a tensor that is computed in the call": (SCRIPT, "{k: [[7.0]]}", "{h * v: [[7.0]]}", "other than a placeholder"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    code, old, new, reason = REFUSED[name]
    assert old in code
    code = code.replace(old, new)
    refuses(code, reason)
