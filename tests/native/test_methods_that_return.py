"""Methods that build a part of the graph and return it to the constructor: each is read where it is called."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses, rewritten, tier_of

CURIOUS = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, n_s, n_a, lr=0.05):
        self.n_s = n_s
        self.n_a = n_a
        self.lr = lr
        self.tfs, self.tfr, self.dyn_train, self.dqn_train, self.q, self.int_r = self._build_nets()
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build_nets(self):
        tfs = tf.placeholder(tf.float32, [None, self.n_s], name="s")
        tfr = tf.placeholder(tf.float32, [None], name="r")
        dyn, curiosity, dyn_train = self._build_dynamics_net(tfs)
        total = tf.add(curiosity, tfr, name="total_r")
        q, loss, dqn_train = self._build_dqn(tfs, total)
        return tfs, tfr, dyn_train, dqn_train, q, curiosity

    def _build_dynamics_net(self, s):
        with tf.variable_scope("dyn_net"):
            encoded = s
            hidden = tf.layers.dense(s, 3, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.5))
            guess = tf.layers.dense(hidden, self.n_s, kernel_initializer=tf.constant_initializer(0.25))
        with tf.name_scope("int_r"):
            squared_diff = tf.reduce_sum(tf.square(encoded - guess), axis=1)
        train_op = tf.train.RMSPropOptimizer(self.lr, name="dyn_opt").minimize(tf.reduce_mean(squared_diff))
        return guess, squared_diff, train_op

    def _build_dqn(self, s, r):
        with tf.variable_scope("eval_net"):
            q = tf.layers.dense(s, self.n_a, name="q", kernel_initializer=tf.constant_initializer(0.5))
        with tf.variable_scope("loss"):
            loss = tf.reduce_mean(tf.square(r - tf.reduce_max(q, axis=1)))
        train_op = tf.train.GradientDescentOptimizer(self.lr).minimize(loss)
        return q, loss, train_op

    def learn(self, s, r, step):
        self.sess.run(self.dqn_train, feed_dict={self.tfs: s, self.tfr: r})
        if step % 2 == 0:
            self.sess.run(self.dyn_train, feed_dict={self.tfs: s})
        return self.sess.run(self.int_r, {self.tfs: s})

    def act(self, s):
        return self.sess.run(self.q, {self.tfs: s})


net = Net(2, 3)
rng = np.random.RandomState(0)
for step in range(4):
    s = rng.rand(3, 2)
    print("%.4f %.4f" % (net.learn(s, rng.rand(3), step)[0], net.act(s)[1, 2]))
"""
# What TensorFlow 1.15.5 prints.
CURIOUS_OUTPUT = "0.0302 0.5867\n0.1368 0.5563\n0.0414 0.8667\n0.0843 0.3222\n"
TARGETS = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, n_s):
        self.n_s = n_s
        self.s, self.r, self.train, self.look, self.q = self._build()
        t_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target_net")
        e_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="eval_net")
        self.replace = [tf.assign(t, e) for t, e in zip(t_params, e_params)]
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build(self):
        s = tf.placeholder(tf.float32, [None, self.n_s])
        r = tf.placeholder(tf.float32, [None])
        bonus, look = self._build_bonus(s)
        q, loss, train = self._build_dqn(s, r, bonus)
        return s, r, train, look, q

    def _build_bonus(self, x):
        with tf.variable_scope("bonus"):
            guess = tf.layers.dense(x, self.n_s, kernel_initializer=tf.constant_initializer(0.25))
        error = tf.reduce_sum(tf.square(x - guess), axis=1)
        step = tf.train.AdamOptimizer(0.1).minimize(
            tf.reduce_mean(error), var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "bonus")
        )
        return error, step

    def _build_dqn(self, x, reward, extra):
        with tf.variable_scope("eval_net"):
            q = tf.layers.dense(x, 2, kernel_initializer=tf.constant_initializer(0.5))
        with tf.variable_scope("target_net"):
            later = tf.layers.dense(x, 2, kernel_initializer=tf.constant_initializer(1.0))
        target = reward + extra + 0.5 * tf.reduce_max(later, axis=1)
        loss = tf.reduce_mean(tf.squared_difference(target, tf.reduce_max(q, axis=1)))
        step = tf.train.RMSPropOptimizer(0.05).minimize(
            loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "eval_net")
        )
        return q, loss, step

    def learn(self, s, r, step):
        if step % 3 == 2:
            self.sess.run(self.replace)
        self.sess.run(self.train, {self.s: s, self.r: r})
        self.sess.run(self.look, {self.s: s})
        return self.sess.run(self.q, {self.s: s})


net = Net(2)
data = np.array([[1.0, 2.0], [0.5, -1.0]])
for step in range(5):
    print("%.4f" % net.learn(data, np.array([1.0, 2.0]), step)[0, 0])
"""
TARGETS_OUTPUT = "1.8046\n1.9461\n1.9190\n1.8805\n1.8478\n"


@pytest.mark.parametrize(
    ("code", "output"),
    [(CURIOUS, CURIOUS_OUTPUT), (TARGETS, TARGETS_OUTPUT)],
    ids=["tensors and steps", "lists of the variables of scopes"],
)
def test_what_methods_return(code: str, output: str) -> None:
    result = made_native(code)
    assert printed(result.text) == output


def test_nothing_is_handed_to_and_fro() -> None:
    text = rewritten(CURIOUS).text
    assert "        self.lr = lr\n        self._build_nets()\n" in text
    assert "    def _build_dqn(self):\n" in text
    assert "encoded = tfs\n" in text


def test_python_values_are_still_passed() -> None:
    code = CURIOUS.replace("_build_dqn(tfs, total)", "_build_dqn(2.0, tfs, total)")
    code = code.replace("def _build_dqn(self, s, r)", "def _build_dqn(self, least, s, r)")
    code = code.replace("        return q, loss", "        print(least)\n        return q, loss")
    text = rewritten(code).text
    assert "self._build_dqn(2.0)" in text
    assert "def _build_dqn(self, least):" in text
    assert printed(text) == "2.0\n" + CURIOUS_OUTPUT


CALL = "        q, loss, dqn_train = self._build_dqn(tfs, total)\n"
REFUSED = {
    "a name that means something else there": ("(self, s, r):", "(self, s, tfs):", "where it is made"),
    "a name that means something else here": (
        "q, loss, dqn_train = self",
        "loss, q, dqn_train = self",
        "where it is made",
    ),
    "called twice": (CALL, CALL + CALL, "inside a function"),
    "an expression": ("return q, loss, train_op", "return q, 2.0 * loss, train_op", "inside a function"),
    "a Python value": ("return q, loss, train_op", "return q, units, train_op", "returns `units`"),
    "in another block": (CALL, "        with np.errstate():\n    " + CALL, "is called in a block"),
    "stored in a list": ("q, loss, dqn_train = self", "q, kept[0], dqn_train = self", "is stored in an object"),
}


@pytest.mark.usefixtures("as_it_stands")
@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(change: tuple[str, str, str]) -> None:
    old, new, reason = change
    assert old in CURIOUS
    code = CURIOUS.replace(old, new)
    code = code.replace("self, s, tfs):", "self, s, tfs):\n        r = tfs") if "tfs):" in new else code
    code = code.replace("        q = tf", "        units = 3\n        q = tf") if "units" in new else code
    code = code.replace("        tfs = tf", "        kept = [0]\n        tfs = tf") if "kept" in new else code
    refuses(code, reason)


TARGET = "            later = tf.layers.dense(x, 2,"
SLOTS = {
    "more variables than those that are read": (TARGET, TARGET.replace("later", "x") + " name='more',"),
    "an option that adds variables": (TARGET, TARGET + " use_bias=self.n_s > 1,"),
    "those that are trained are assigned to": ("tf.assign(t, e)", "tf.assign(e, t)"),
    "trained without a list": (
        'loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "eval_net")',
        "loss",
    ),
    "a list before the layers of its scope": ('TRAINABLE_VARIABLES, "bonus"', 'TRAINABLE_VARIABLES, "eval"'),
}


@pytest.mark.parametrize("change", SLOTS.values(), ids=SLOTS.keys())
def test_lists_that_may_hold_more(change: tuple[str, str]) -> None:
    code = " ".join(TARGETS.split(" ")).replace("\n            loss, var_list", "loss, var_list")
    code = code.replace('"eval_net")\n        )', '"eval_net"))')
    assert change[0] in code
    assert tier_of(code.replace(*change)) == "bridge"
