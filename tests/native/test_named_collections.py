"""Collections that a program names itself, and lists of variables that are known one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native import trees
from tests.native.native import made_native, printed, refuses, rewritten, tier_of

SCRIPT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("mine"):
    names, ones, zeros = ["mine", tf.GraphKeys.GLOBAL_VARIABLES], tf.ones_initializer(), tf.zeros_initializer()
    with tf.variable_scope("l1"):
        w = tf.get_variable("w", [2, 1], initializer=ones, collections=names)
        b = tf.get_variable("b", [1], initializer=zeros, collections=names)
        mine = tf.matmul(x, w) + b
step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(mine))
with tf.variable_scope("theirs"):
    names = ["theirs", tf.GraphKeys.GLOBAL_VARIABLES]
    with tf.variable_scope("l1"):
        w = tf.get_variable("w", [2, 1], initializer=zeros, trainable=False, collections=names)
        b = tf.get_variable("b", [1], initializer=ones, trainable=False, collections=names)
        theirs = tf.matmul(x, w) + b
copy = [t.assign(0.5 * e) for t, e in zip(tf.get_collection("theirs"), tf.get_collection("mine"))]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        sess.run(step, {x: [[1.0, 2.0]]})
        print("%.4f" % sess.run(theirs, {x: [[1.0, 2.0]]})[0, 0])
        sess.run(copy)
    print("%.4f" % sess.run(theirs, {x: [[1.0, 2.0]]})[0, 0])
"""
# What TensorFlow 1.15.5 prints.
SCRIPT_OUTPUT = "1.0000\n1.3000\n1.1000\n"
AGENT = """\
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, n_features, n_actions):
        self.n_features = n_features
        self.n_actions = n_actions
        self._build_net()
        t_params = tf.get_collection("target_net_params")
        e_params = tf.get_collection("eval_net_params")
        self.replace_target_op = [tf.assign(t, e) for t, e in zip(t_params, e_params)]
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build_net(self):
        def build_layers(s, c_names, n_l1, w_initializer, b_initializer):
            with tf.variable_scope("l1"):
                w1 = tf.get_variable("w1", [self.n_features, n_l1], initializer=w_initializer, collections=c_names)
                b1 = tf.get_variable("b1", [1, n_l1], initializer=b_initializer, collections=c_names)
                l1 = tf.nn.relu(tf.matmul(s, w1) + b1)
            with tf.variable_scope("l2"):
                w2 = tf.get_variable("w2", [n_l1, self.n_actions], initializer=w_initializer, collections=c_names)
                b2 = tf.get_variable("b2", [1, self.n_actions], initializer=b_initializer, collections=c_names)
                out = tf.matmul(l1, w2) + b2
            return out

        self.s = tf.placeholder(tf.float32, [None, self.n_features], name="s")
        self.q_target = tf.placeholder(tf.float32, [None, self.n_actions], name="Q_target")
        with tf.variable_scope("eval_net"):
            c_names, n_l1, w_initializer, b_initializer = (
                ["eval_net_params", tf.GraphKeys.GLOBAL_VARIABLES],
                3,
                tf.constant_initializer(0.3),
                tf.constant_initializer(0.1),
            )
            self.q_eval = build_layers(self.s, c_names, n_l1, w_initializer, b_initializer)
        with tf.variable_scope("loss"):
            self.loss = tf.reduce_mean(tf.squared_difference(self.q_target, self.q_eval))
        with tf.variable_scope("train"):
            self.train_op = tf.train.RMSPropOptimizer(0.05).minimize(self.loss)
        self.s_ = tf.placeholder(tf.float32, [None, self.n_features], name="s_")
        with tf.variable_scope("target_net"):
            t_names = ["target_net_params", tf.GraphKeys.GLOBAL_VARIABLES]
            self.q_next = build_layers(self.s_, t_names, n_l1, w_initializer, b_initializer)

    def learn(self, s, s_, step):
        if step % 3 == 0:
            self.sess.run(self.replace_target_op)
        q_next, q_eval = self.sess.run([self.q_next, self.q_eval], feed_dict={self.s_: s_, self.s: s})
        target = 0.5 * q_next + 1.0
        _, cost = self.sess.run([self.train_op, self.loss], feed_dict={self.s: s, self.q_target: target})
        return cost + q_eval[0, 0]


agent = Agent(2, 4)
rng = np.random.RandomState(0)
for step in range(8):
    print("%.5f" % agent.learn(rng.rand(5, 2), rng.rand(5, 2), step))
"""
AGENT_OUTPUT = "1.05378\n1.21692\n1.01125\n1.01344\n1.00082\n1.06477\n1.31037\n1.18516\n"
COPIES = """\
import tensorflow as tf

a = tf.Variable([1.0, 2.0])
b = tf.Variable(3.0)
c = tf.Variable([5.0, 6.0])
d = tf.Variable(7.0)
x = tf.placeholder(tf.float32)
first, second = [a, b], [c, d]
copy = [tf.assign(t, e) for t, e in zip(first, second)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(copy)
    print(sess.run(a * x, {x: 2.0}), sess.run(b))
"""
COPIES_OUTPUT = "[10. 12.] 7.0\n"


@pytest.mark.parametrize(
    ("code", "output"),
    [(SCRIPT, SCRIPT_OUTPUT), (AGENT, AGENT_OUTPUT), (COPIES, COPIES_OUTPUT)],
    ids=["variables of a script", "variables of a function", "lists that are written out"],
)
def test_lists_of_variables(code: str, output: str) -> None:
    result = made_native(code)
    assert printed(result.text) == output


def test_variables_of_one_name_are_told_apart() -> None:
    text = rewritten(SCRIPT).text
    assert "for t, e in zip([w, b], [w_variable, b_variable]):" in text
    assert "tf.get_collection" not in text


def test_a_name_that_a_third_variable_gets() -> None:
    third = 'with tf.variable_scope("third"):\n    w = tf.get_variable("w", [2, 1], initializer=ones)\n'
    code = SCRIPT.replace("with tf.Session()", f"{third}with tf.Session()").replace("sess.run(theirs", "sess.run(w + x")
    assert printed(rewritten(code).text) == "2.0000\n2.0000\n2.0000\n"


ASKED = 'zip(tf.get_collection("theirs"), tf.get_collection("mine"))'
REFUSED = {
    "a list that is added to": (
        '    names = ["theirs"',
        '    names.append("theirs")\n    names = ["theirs"',
        "may be changed",
    ),
    "a list that is computed": ('["mine", tf', '["".join(["mine"]), tf', "is not known"),
    "left out of the graph's own": ('"theirs", tf.GraphKeys.GLOBAL_VARIABLES', '"theirs"', "left out"),
    "trained by name": ('"theirs", ', '"theirs", tf.GraphKeys.TRAINABLE_VARIABLES, ', "left out"),
    "nothing joined it": ('get_collection("mine")', 'get_collection("yours")', "`yours` is not known"),
    "a scope": ('get_collection("mine")', 'get_collection("mine", "mine/l1")', "the items of one scope"),
    "one list to itself": (ASKED, ASKED.replace("theirs", "mine"), "in no order"),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(change: tuple[str, str, str]) -> None:
    old, new, reason = change
    assert old in SCRIPT
    code = SCRIPT.replace(old, new)
    refuses(code, reason)


def test_a_list_that_a_function_adds_to() -> None:
    code = AGENT.replace("        def build_layers(s, c_names", "        def build_layers(s, c_names").replace(
        "                out = tf", '                c_names += ["late"]\n                out = tf'
    )
    assert tier_of(code) == "bridge"


@pytest.mark.parametrize("lists", ["[a, a], [c, d]", "[a, c], [c, a]"])
def test_assignments_in_no_order(lists: str) -> None:
    assert tier_of(COPIES.replace("[a, b], [c, d]", lists)) == "bridge"


NET = """\
import tensorflow as tf


class Net:
    def __init__(self, size):
        self._build(size)
        self.copy = [tf.assign(t, 2.0 * e) for t, e in zip(tf.get_collection("theirs"), tf.get_collection("mine"))]
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        with tf.variable_scope("mine"):
            names, ones = ["mine", tf.GraphKeys.GLOBAL_VARIABLES], tf.ones_initializer()
            w = tf.get_variable("w", [size, 1], initializer=ones, collections=names)
            self.mine = tf.matmul(self.x, w)
        with tf.variable_scope("theirs"):
            others = ["theirs", tf.GraphKeys.GLOBAL_VARIABLES]
            w = tf.get_variable("w", [size, 1], initializer=ones, collections=others)
            self.theirs = tf.matmul(self.x, w) + self.mine

    def look(self, x):
        self.sess.run(self.copy)
        return self.sess.run(self.theirs, {self.x: x})[0, 0]
"""
USER = "from net import Net\n\nnet = Net(2)\nprint(net.look([[1.0, 2.0]]))\n"


def test_a_class_of_which_each_script_makes_the_one_object(tmp_path: Path) -> None:
    other = USER.replace("Net(2)", "Net(3)").replace("2.0]", "2.0, 3.0]")
    outcome = trees.rewritten(tmp_path, {"net.py": NET, "first.py": USER, "second.py": other})
    assert trees.tiers(outcome) == {"native"}, trees.reasons(outcome)
    # What TensorFlow 1.15.5 prints.
    assert trees.printed(tmp_path, "first.py") == "9.0\n"
    assert trees.printed(tmp_path, "second.py") == "18.0\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        self._build(size)\n", "        tf.reset_default_graph()\n        self._build(size)\n"),
        ('tf.variable_scope("mine")', "tf.variable_scope(str(size))"),
    ],
    ids=["other graphs", "a name that is computed"],
)
def test_a_class_of_which_there_may_be_several(tmp_path: Path, old: str, new: str) -> None:
    assert old in NET
    code = NET.replace(old, new)
    code = code.replace('variable_scope("theirs")', "variable_scope(str(-size))") if "str(size)" in new else code
    outcome = trees.rewritten(tmp_path, {"net.py": code, "first.py": USER, "second.py": USER})
    assert trees.tiers(outcome) == {"bridge"}


def test_variables_of_several_objects() -> None:
    code = NET.replace("self.sess.run(tf.global_variables_initializer())", "self.seen = 0").replace(
        "self, size):\n        self._build(size)",
        "self, size, sess):\n        self.sess = sess\n        self._build(size)",
    )
    code = code.replace("        self.sess = tf.Session()\n", "") + (
        "\n\nsess = tf.Session()\nwith tf.variable_scope('a'):\n    one = Net(2, sess)\n"
        "with tf.variable_scope('b'):\n    two = Net(3, sess)\nsess.run(tf.global_variables_initializer())\n"
        "print(one.look([[1.0, 2.0]]), two.look([[1.0, 2.0, 3.0]]))\n"
    )
    refuses(code, "depends on the others")


LISTS = AGENT[AGENT.index("        t_params = ") : AGENT.index("        self.sess = tf.Session()")]
LATE = (
    AGENT.replace(LISTS, "")
    .replace("            self.sess.run(self.replace_target_op)\n", "            self._replace()\n")
    .replace(
        "    def learn(",
        "    def _replace(self):\n"
        + LISTS.replace("self.replace_target_op = [", "self.sess.run([").replace("e_params)]", "e_params)])")
        + "\n    def learn(",
    )
)


def test_lists_that_a_method_asks_for() -> None:
    result = made_native(LATE)
    assert "        self.update_t_params()\n" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == AGENT_OUTPUT


ASKING = '        t_params = tf.get_collection("target_net_params")\n'
LATE_REFUSED = {
    "several objects": (
        "agent = Agent(2, 4)",
        "agent = Agent(2, 4)\nother = Agent(2, 4)",
        "inside a loop or a condition",
    ),
    "in a condition": (ASKING, f"        if self.n_actions:\n    {ASKING}", "inside a loop or a condition"),
    "the list is used besides": (ASKING, f"{ASKING}        print(len(t_params))\n", "is given to `len`"),
    "the list is changed": (ASKING, f"{ASKING}        t_params.append(1)\n", "`.append()` of a part"),
    "all trained variables": (
        ASKING,
        "        t_params = tf.trainable_variables()\n",
        "inside a loop or a condition",
    ),
    "a list as an attribute": (ASKING, ASKING.replace("t_params", "t_params = self.params", 1), "two names at once"),
    "the constructor runs it": (
        "        self.sess.run(tf.global_variables_initializer())\n",
        "        self.sess.run(tf.global_variables_initializer())\n        self._replace()\n",
        "may run `_replace` before",
    ),
    "variables that are made later": (
        "agent = Agent(2, 4)",
        'agent = Agent(2, 4)\nlate = tf.layers.dense(tf.placeholder(tf.float32, [None, 1]), 1, name="late")\n',
        "created after the initializer",
    ),
}


@pytest.mark.parametrize("name", LATE_REFUSED)
def test_lists_that_a_method_may_not_ask_for(name: str) -> None:
    old, new, reason = LATE_REFUSED[name]
    assert old in LATE
    code = LATE.replace(old, new)
    refuses(code, reason)


def test_a_variable_of_the_script_that_joins_such_a_list() -> None:
    own = "        self.sess = tf.Session()\n        self.sess.run(tf.global_variables_initializer())\n"
    code = LATE.replace(own, "        self.sess = sess\n").replace(
        "n_features, n_actions):", "n_features, n_actions, sess):", 1
    )
    late = (
        "sess = tf.Session()\nagent = Agent(2, 4, sess)\n"
        'names = ["target_net_params", tf.GraphKeys.GLOBAL_VARIABLES]\n'
        'late = tf.get_variable("late", [], collections=names)\nsess.run(tf.global_variables_initializer())'
    )
    code = code.replace("agent = Agent(2, 4)", late)
    refuses(code, "may join a collection that a method lists later")


KNOWN = "        if step % 3 == 0:\n"


@pytest.mark.parametrize(
    ("used", "tier"),
    [
        ("print(size + 1, units)", "native"),
        ("other = size\n        print(other * 2)", "native"),
        ("size += 1", "bridge"),
        ("size.append(2)", "bridge"),
        ("self.kept = size", "bridge"),
        ("other = size\n        other.append(2)", "bridge"),
    ],
)
def test_numbers_that_get_other_names(used: str, tier: str) -> None:
    code = AGENT.replace(KNOWN, f"        size, units = self.n_features, 3\n        {used}\n{KNOWN}")
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {tier}, [site.reason for site in result.sites]
    if tier == "bridge":
        assert "`Agent.n_features`, which the graph was built with, may be changed" in (result.sites[0].reason or "")
