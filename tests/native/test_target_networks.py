"""Target networks: variables of one scope are assigned to those of another, pair by pair."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, rewritten, tier_of

NET = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, size):
        self.size = size
        self._build()
        t_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target_net")
        e_params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="eval_net")
        with tf.variable_scope("replacement"):
            self.replace = [tf.assign(t, e) for t, e in zip(t_params, e_params)]
        self.soft = [tf.assign(t, 0.75 * t + 0.25 * e) for t, e in zip(t_params, e_params)]
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build(self):
        self.s = tf.placeholder(tf.float32, [None, self.size])
        self.r = tf.placeholder(tf.float32, [None])
        ones = tf.constant_initializer(0.5)
        with tf.variable_scope("eval_net"):
            hidden = tf.layers.dense(self.s, 3, tf.nn.relu, kernel_initializer=ones, name="e1")
            self.q = tf.layers.dense(hidden, 1, kernel_initializer=ones, name="q")
        with tf.variable_scope("target_net"):
            hidden = tf.layers.dense(self.s, 3, tf.nn.relu, kernel_initializer=tf.ones_initializer(), name="t1")
            self.next = tf.layers.dense(hidden, 1, kernel_initializer=tf.ones_initializer(), name="t2")
        with tf.variable_scope("loss"):
            self.loss = tf.reduce_mean(tf.squared_difference(self.r + tf.stop_gradient(self.next), self.q))
        with tf.variable_scope("train"):
            self.train = tf.train.RMSPropOptimizer(0.01).minimize(self.loss)

    def learn(self, s, r, step):
        if step % 2 == 0:
            self.sess.run(self.replace)
        else:
            self.sess.run(self.soft)
        _, loss = self.sess.run([self.train, self.loss], feed_dict={self.s: s, self.r: r})
        return loss

    def act(self, s):
        return self.sess.run(self.next, {self.s: s})


net = Net(2)
data = np.array([[1.0, 2.0], [0.5, -1.0]])
print("%.5f" % net.act(data)[0, 0])
for step in range(5):
    print("%.5f" % net.learn(data, np.array([1.0, 2.0]), step))
print("%.5f %.5f" % tuple(net.act(data)[:, 0]))
"""
# What TensorFlow 1.15.5 prints.
NET_OUTPUT = "9.00000\n2.50000\n2.28541\n2.50000\n2.29836\n2.50000\n2.90912 0.07278\n"
SCRIPT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("a"):
    first = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer(), name="one")
with tf.variable_scope("b"):
    second = tf.layers.dense(x, 1, kernel_initializer=tf.zeros_initializer(), name="one", trainable=False)
total = first + second
mine = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, "a")
theirs = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="b")
copy = [t.assign(0.5 * e) for e, t in zip(mine, theirs)]
step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(first))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        sess.run(step, {x: [[1.0, 2.0]]})
        sess.run(copy)
    print("%.4f" % sess.run(total, {x: [[1.0, 2.0]]})[0, 0])
"""
SCRIPT_OUTPUT = "3.3000\n"


@pytest.mark.parametrize(("code", "output"), [(NET, NET_OUTPUT), (SCRIPT, SCRIPT_OUTPUT)], ids=["a class", "a script"])
def test_pairs_of_variables(code: str, output: str) -> None:
    result = made_native(code)
    assert printed(result.text) == output


def test_a_method_that_assigns_in_the_run_itself() -> None:
    code = NET.replace("t_params", "self.t_params").replace("e_params", "self.e_params")
    kept = code[code.index('        with tf.variable_scope("replacement")') : code.index("        self.soft = ")]
    code = code.replace(kept, "").replace(
        "self.sess.run(self.replace)", "self.sess.run([tf.assign(t, e) for t, e in zip(self.t_params, self.e_params)])"
    )
    assert "self.replace" not in code
    result = made_native(code)
    assert printed(result.text) == NET_OUTPUT


def test_the_functions_that_make_the_variables_are_traced_once() -> None:
    text = rewritten(NET).text
    assert text.count("self.train_step.get_concrete_function()") == 1
    assert "for t, e in zip(t_params, e_params):\n                t.assign(0.75 * t + 0.25 * e)\n" in text


def test_lists_one_behind_the_other() -> None:
    code = SCRIPT.replace("zip(mine, theirs)", "zip(mine + mine, theirs + theirs)")
    assert tier_of(code) == "native"
    assert printed(rewritten(code).text) == SCRIPT_OUTPUT


def test_gradients_of_all_variables_of_a_scope_that_are_all_trained() -> None:
    code = SCRIPT.replace("minimize(tf.reduce_sum(first))", "minimize(tf.reduce_sum(first), var_list=mine)")
    assert code != SCRIPT
    assert tier_of(code) == "native"
    assert printed(rewritten(code).text) == SCRIPT_OUTPUT


RUN = "        sess.run(copy)\n"
PAIRS = "[t.assign(0.5 * e) for e, t in zip(mine, theirs)]"
OTHER_WAY = "[e.assign(0.5 * t) for e, t in zip(late, theirs)]"
REFUSED = {
    "a scope that is computed": ('GLOBAL_VARIABLES, "a")', 'GLOBAL_VARIABLES, "".join(["a"]))'),
    "a pattern": ('GLOBAL_VARIABLES, "a")', 'GLOBAL_VARIABLES, "a.*one")'),
    "all of the graph": ('GLOBAL_VARIABLES, "a")', "GLOBAL_VARIABLES)"),
    "the new values are used": (RUN, "        print(sess.run(copy))\n"),
    "something beside": (RUN, "        sess.run([step, copy], {x: [[1.0, 2.0]]})\n"),
    "what optimizers keep": (PAIRS, f"{PAIRS}\nlate = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, 'a')"),
    "gradients of variables that are not trained": (
        "minimize(tf.reduce_sum(first))",
        "minimize(tf.reduce_sum(second), var_list=theirs)",
    ),
    "gradients of all variables of a layer that averages": (
        'tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer(), name="one")',
        'tf.layers.batch_normalization(x, name="one")',
    ),
    "some of the pairs": ("zip(mine, theirs)]", "zip(mine, theirs) if e is not t]"),
    "lists made in the comprehension": ("zip(mine, theirs)", "zip(tf.trainable_variables('a'), theirs)"),
    "another update": ("t.assign(0.5 * e)", "t.assign_add(0.5 * e)"),
    "numbers drawn": ("0.5 * e", "tf.random_normal([]) * e"),
    "a run before": ("mine = ", "early = tf.Session()\nearly.run(tf.global_variables_initializer())\nmine = "),
    "a scope of a layer beside variables": ("total = ", "v = tf.Variable(1.0)\ntotal = v * "),
    "an order that no run makes": ("sess.run(total", "sess.run(second"),
    "layers behind the list": (PAIRS, f"{PAIRS}\nmore = tf.layers.dense(x, 1, name='more')"),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(change: tuple[str, str]) -> None:
    old, new = change
    assert old in SCRIPT
    code = SCRIPT.replace(old, new)
    if "batch" in new:
        code = code.replace("reduce_sum(first))", "reduce_sum(first), var_list=mine)")
    if "late" in new:
        lines = code.splitlines(keepends=True)
        late = next(line for line in lines if line.startswith("late"))
        code = "".join(line for line in lines if line != late)
        code = code.replace("with tf.Session()", f"{late}copy = {OTHER_WAY}\nwith tf.Session()")
    if "more" in new:
        code = code.replace("sess.run(total,", "sess.run(total + more,")
    assert tier_of(code) == "bridge"
