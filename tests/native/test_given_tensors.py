"""Objects that are made of a script's tensors and placeholders: their functions compute these themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses, tier_of

SCRIPT = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, sess, t, size=2):
        self.sess = sess
        self.size = size
        self.y = t * 3.0 + tf.reduce_sum(t)

    def out(self, s):
        return self.sess.run(self.y, {x: s})


x = tf.placeholder(tf.float32, [None, 2], name="x")
scale = 2.0
h = x * scale
sess = tf.Session()
net = Net(sess, h)
sess.run(tf.global_variables_initializer())
s = [[1.0, 2.0], [3.0, 5.0]]
print(np.round(net.out(s), 4).tolist())
print(np.round(sess.run(net.y, {x: s}), 4).tolist())
"""
BUILT = "        self.y = t * 3.0 + tf.reduce_sum(t)\n"
NATIVE = {
    "under another name": ("", ""),
    "by its word": ("Net(sess, h)", "Net(sess, t=h)"),
    "under its own name": ("t", "h"),
    "kept as an attribute": (BUILT, "        self.h = t\n        self.y = self.h * 3.0\n"),
    "an attribute that is called as a number of the script": (
        BUILT,
        "        self.scale = t\n        self.y = self.scale * 3.0 + scale\n",
    ),
    "bound again": (BUILT, "        t = t * 2.0\n        self.y = t + 1.0\n"),
    "passed on to a method": (BUILT, "        self.build(t)\n\n    def build(self, h):\n        self.y = h * 4.0\n"),
    "read by a function inside": (BUILT, "        def f(v):\n            return v * t\n        self.y = f(x)\n"),
    "compared with None": (BUILT, "        self.y = t * 3.0 if t is not None else x\n"),
    "its shape": (BUILT, "        self.n = t.get_shape().as_list()[1]\n        self.y = t * self.n\n"),
    "a layer of it": (
        BUILT,
        '        self.y = tf.layers.dense(t, 3, kernel_initializer=tf.constant_initializer(0.5), name="d")\n',
    ),
    "a placeholder": ("Net(sess, h)", "Net(sess, x)"),
    "of a variable that changes": (
        "scale = 2.0\nh = x * scale\n",
        "scale = tf.Variable(3.0, trainable=False)\nh = x * scale\n",
    ),
    "a local tensor of a function": (
        "net = Net(sess, h)\n",
        "def made(k):\n    g = x * k\n    return Net(sess, g)\nnet = made(2.0)\n",
    ),
    "the name is bound again behind": ("net = Net(sess, h)\n", "net = Net(sess, h)\nh = x * 7.0\n"),
}


@pytest.mark.parametrize("name", NATIVE)
def test_computes_what_tf1_computed(name: str, run_legacy: Callable[..., str]) -> None:
    old, new = NATIVE[name]
    code = SCRIPT.replace(old, new) if len(old) > 1 else SCRIPT
    if name == "under its own name":
        code = SCRIPT.replace("sess, t,", "sess, h,").replace(BUILT, "        self.y = h * 3.0 + tf.reduce_sum(h)\n")
    assert code != SCRIPT or not old
    result = made_native(code)
    assert "net = Net()\n" in result.text
    assert printed(result.text) == run_legacy(code)


REFUSED = {
    "the name is another value in the constructor": (
        BUILT,
        "        h = 5.0\n        self.y = t * h\n",
        "`t` of `__init__` is `h` where it is made",
    ),
    "a number that it was made of changes": ("sess = tf.Session()", "scale = 5.0\nsess = tf.Session()", "`scale`"),
    "a list that it was made of changes": (
        "scale = 2.0\nh = x * scale\n",
        "scales = [2.0]\nh = x * scales[0]\nscales[0] = 9.0\n",
        "`scales`",
    ),
    "it is used as a condition": (BUILT, "        self.y = x if t else x * 2.0\n", "a tensor is used as a condition"),
    "it is bound in a condition": (
        BUILT,
        "        if t is None:\n            t = x\n        self.y = t * 3.0\n",
        "grows inside a loop or a condition",
    ),
    "its name is read": (BUILT, "        self.name = t.name\n        self.y = t * 2.0\n", "`.name`"),
    "two objects of one class": ("sess.run(tf.gl", "other = Net(sess, x)\nsess.run(tf.gl", "used as a Python value"),
    "the object is made in a loop": ("net = Net(sess, h)", "for _ in range(1):\n    net = Net(sess, h)", "used as a"),
    "a variable": ("h = x * scale", "h = tf.Variable([[1.0, 2.0]])", "used as a Python value"),
    "a constant": ("h = x * scale", "h = tf.constant([[1.0, 2.0]])", "used as a Python value"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in SCRIPT
    refuses(SCRIPT.replace(old, new, 1), reason)


EVALUATED = """\
import tensorflow as tf
step = tf.Variable(3, trainable=False)
more = step.assign_add(2)
sess = tf.Session()
other = 1
sess.run(tf.global_variables_initializer())
print(step.eval(sess) + 1)
sess.run(more)
print(step.eval(session=sess))
"""


def test_variables_are_asked_by_the_session(run_legacy: Callable[..., str]) -> None:
    result = made_native(EVALUATED)
    assert "print(step.numpy() + 1)\n" in result.text
    assert printed(result.text) == run_legacy(EVALUATED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("step.eval(sess)", "step.eval(other)"),
        ("step.eval(sess)", "step.eval({step: 5}, sess)"),
        ("step.eval(sess)", "(step + 0).eval(sess)"),
        ("step.eval(sess)", "step.eval(feed_dict={step: 5}, session=sess)"),
        ("step.eval(sess)", "step.eval(sess, session=sess)"),
    ],
)
def test_variables_that_are_asked_in_another_way(old: str, new: str) -> None:
    assert tier_of(EVALUATED.replace(old, new)) == "bridge"


LISTED = """\
import tensorflow as tf
count = tf.Variable(0, trainable=False)
x = tf.placeholder(tf.float32, [None, 1])
with tf.variable_scope("one"):
    y = tf.layers.dense(x, 1, kernel_initializer=tf.constant_initializer(2.0))
with tf.variable_scope("two"):
    z = tf.layers.dense(x, 1, kernel_initializer=tf.constant_initializer(3.0))
ones = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="one")
twos = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="two")
same = [tf.assign(b, a) for a, b in zip(ones, twos)]
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run([y, z], {x: [[1.0]]})[1][0, 0])
sess.run(same)
print(sess.run([y, z], {x: [[1.0]]})[1][0, 0])
"""


@pytest.mark.parametrize("made", ["0, trainable=False", '0, trainable=False, name="count"', "0, False"])
def test_lists_of_a_scope_beside_a_variable_of_none(made: str, run_legacy: Callable[..., str]) -> None:
    code = LISTED.replace("0, trainable=False", made)
    if made == "0, False":
        assert tier_of(code) == "bridge"
        return
    result = made_native(code)
    assert printed(result.text) == run_legacy(code)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0, trainable=False)", '0, trainable=False, name="one")'),
        ("0, trainable=False)", '0, trainable=False, name="one_more")'),
        ("0, trainable=False)", '0, trainable=False, name="on")'),
        ("0, trainable=False)", '0, trainable=False, name="o" + "ne")'),
        ("0, trainable=False)", "0.0)"),
        ('scope="one")', 'scope="o.e")'),
        ("count = tf", 'with tf.variable_scope("one"):\n    count = tf'),
    ],
)
def test_lists_of_a_scope_that_another_variable_may_be_in(old: str, new: str) -> None:
    assert old in LISTED
    refuses(LISTED.replace(old, new, 1), "")


SHARED = """\
import numpy as np
import tensorflow as tf


class One(object):
    def __init__(self, sess, h):
        self.sess = sess
        with tf.variable_scope("one"):
            w = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
            self.a = h * w


class Two(object):
    def __init__(self, sess, a, t):
        self.sess = sess
        with tf.variable_scope("two"):
            v = tf.get_variable("v", [], initializer=tf.constant_initializer(0.5))
            self.q = a * v - t
        self.loss = tf.reduce_mean(tf.square(self.q + x * v))
        self.train = tf.train.GradientDescentOptimizer(0.001).minimize(self.loss)

    def out(self, s):
        return self.sess.run(self.q, {x: s})

    def step(self, s):
        return self.sess.run([self.train, self.loss], {x: s})[1]


x = tf.placeholder(tf.float32, [None, 2], name="x")
h = x * 2.0
sess = tf.Session()
one = One(sess, h)
two = Two(sess, one.a, h)
sess.run(tf.global_variables_initializer())
s = [[1.0, 2.0], [3.0, 5.0]]
print(np.round(np.abs(two.out(s)), 4).tolist())
for _ in range(3):
    print("%.3f" % two.step(s))
"""


@pytest.mark.parametrize("made", ["x * 2.0", "tf.random_uniform([2, 2])"])
def test_two_objects_that_are_made_of_one_tensor(made: str, run_legacy: Callable[..., str]) -> None:
    # What is drawn at random is drawn once for both: their difference is zero.
    code = SHARED.replace("h = x * 2.0", f"h = {made}")
    code = code if made == "x * 2.0" else code[: code.index("for _ in range(3)")]
    result = made_native(code)
    assert "self.compute_a = compute_a\n" in result.text
    assert printed(result.text) == run_legacy(code)
