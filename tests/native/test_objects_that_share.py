"""Several objects of a class in scopes of their own: they share the collections that the program names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

AGENTS = """\
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, n_features, start, sess=None):
        self.n_features = n_features
        self.start = start
        self._build_net()
        t_params = tf.get_collection("target_params")
        e_params = tf.get_collection("eval_params")
        self.replace_target_op = [tf.assign(t, e) for t, e in zip(t_params, e_params)]
        if sess is None:
            self.sess = tf.Session()
            self.sess.run(tf.global_variables_initializer())
        else:
            self.sess = sess
        self.seen = 0

    def _build_net(self):
        def build_layers(s, c_names, initializer):
            with tf.variable_scope("value"):
                w = tf.get_variable("w", [self.n_features, 1], initializer=initializer, collections=c_names)
                self.V = tf.matmul(s, w)
            with tf.variable_scope("advantage"):
                w = tf.get_variable("w", [self.n_features, 3], initializer=initializer, collections=c_names)
                self.A = tf.matmul(s, w)
            return self.V + self.A - tf.reduce_mean(self.A, axis=1, keep_dims=True)

        self.s = tf.placeholder(tf.float32, [None, self.n_features], name="s")
        self.q_target = tf.placeholder(tf.float32, [None, 3], name="Q_target")
        with tf.variable_scope("eval_net"):
            c_names, initializer = ["eval_params", tf.GraphKeys.GLOBAL_VARIABLES], tf.constant_initializer(self.start)
            self.q_eval = build_layers(self.s, c_names, initializer)
        self.loss = tf.reduce_mean(tf.squared_difference(self.q_target, self.q_eval))
        self.train_op = tf.train.RMSPropOptimizer(0.05).minimize(self.loss)
        self.s_ = tf.placeholder(tf.float32, [None, self.n_features], name="s_")
        with tf.variable_scope("target_net"):
            c_names = ["target_params", tf.GraphKeys.GLOBAL_VARIABLES]
            self.q_next = build_layers(self.s_, c_names, initializer)

    def replace(self):
        self.sess.run(self.replace_target_op)

    def look(self, s):
        return np.round(self.sess.run(self.q_next, {self.s_: s}), 4)

    def learn(self, s):
        _, cost = self.sess.run([self.train_op, self.loss], {self.s: s, self.q_target: [[1.0, 2.0, 3.0]]})
        return cost


sess = tf.Session()
with tf.variable_scope("first"):
    one = Agent(2, 0.5, sess)
with tf.variable_scope("second"):
    two = Agent(2, 0.25, sess=sess)
sess.run(tf.global_variables_initializer())
for step in range(3):
    print("%.4f %.4f" % (one.learn([[1.0, 2.0]]), two.learn([[0.5, 1.0]])))
    one.replace()
    print(one.look([[1.0, 1.0]]), two.look([[1.0, 1.0]]))
    print("%.4f %.4f" % (one.learn([[1.0, 2.0]]), two.learn([[0.5, 1.0]])))
    two.replace()
    print(one.look([[1.0, 1.0]]), two.look([[1.0, 1.0]]))
"""


def _one(code: str) -> str:
    start = code.index("sess = tf.Session()\nwith")
    return (
        code[:start]
        + "one = Agent(2, 0.5)\nprint('%.4f' % one.learn([[1.0, 2.0]]))\none.replace()\n"
        + ("print(one.look([[1.0, 1.0]]))\n")
    )


_MADE = AGENTS[
    AGENTS.index('with tf.variable_scope("first")') : AGENTS.index("sess.run(tf.global_variables_initializer())\nfor")
]


def _in_a_list() -> str:
    """Three objects that the class itself puts into scopes, made in a comprehension."""
    code = AGENTS.replace("start, sess=None):", "start, name, sess=None):\n        self.name = name")
    start, end = code.index("        self._build_net()\n        t_"), code.index("        t_params = ")
    code = code[:start] + "        with tf.variable_scope(self.name):\n            self._build_net()\n" + code[end:]
    made = "agents = [Agent(2, 0.5 / n, 'agent%d' % n, sess) for n in (1, 2, 3)]\none, two = agents[0], agents[2]\n"
    return code.replace(_MADE, made)


PROGRAMS = {
    "in two scopes": AGENTS,
    "three in a list": _in_a_list(),
    "by itself": _one(AGENTS),
    "the object is told which session it has, and keeps that": AGENTS.replace(
        "            self.sess = sess\n", "            self.sess = sess\n            self.shared = 1\n"
    ).replace("self.seen = 0", "self.seen = self.shared"),
    "the other way round": AGENTS.replace("sess is None", "sess is not None").replace(
        "            self.sess = tf.Session()\n            self.sess.run(tf.global_variables_initializer())\n"
        "        else:\n            self.sess = sess\n",
        "            self.sess = sess\n        else:\n            self.sess = tf.Session()\n"
        "            self.sess.run(tf.global_variables_initializer())\n",
    ),
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(code)
    assert printed(result.text) == run_legacy(code)


LINES = """\
import tensorflow as tf


class Line:
    def __init__(self, sess, start):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None])
        with tf.variable_scope("line"):
            self.w = tf.get_variable("w", [], initializer=tf.constant_initializer(start))
        self.bias = tf.Variable(1.0, name="bias")
        self.y = self.x * self.w + self.bias
        self.step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(self.y))

    def learn(self):
        self.sess.run(self.step, {self.x: [1.0, 2.0]})
        return "%.4f" % self.sess.run(self.y, {self.x: [3.0]})[0]


sess = tf.Session()
lines = []
with tf.variable_scope("first"):
    lines.append(Line(sess, 1.0))
with tf.name_scope("second"), tf.variable_scope("inner"):
    lines.append(Line(sess, 2.0))
sess.run(tf.global_variables_initializer())
print([line.learn() for line in lines], [line.learn() for line in lines])
"""


def test_variables_of_objects_in_scopes_keep_their_names(run_legacy: Callable[..., str]) -> None:
    code = LINES.replace('tf.name_scope("second"), ', "")
    result = made_native(code)
    names = "print([line.w.name for line in lines], [line.bias.name for line in lines])\n"
    assert printed(result.text + names) == run_legacy(code + names)


TWO = 'with tf.variable_scope("second"):\n    two = Agent(2, 0.25, sess=sess)\n'
REFUSED = {
    "on a device": ('with tf.variable_scope("second")', 'with tf.device("/cpu:0")', "made on a device"),
    "other variables may join": (
        "    two = Agent(2, 0.25, sess=sess)\n",
        "    two = Agent(2, 0.25, sess=sess)\n"
        'other = tf.get_variable("o", [], collections=["eval_params", tf.GraphKeys.GLOBAL_VARIABLES])\n',
        "may join their collections",
    ),
    "several graphs": (
        "sess = tf.Session()\nwith",
        "tf.reset_default_graph()\nsess = tf.Session()\nwith",
        "the others",
    ),
    "the graph's own collection": (
        'tf.get_collection("target_params")',
        'tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target_net")',
        "depends on the others",
    ),
    "a list that is asked for when it is used": (
        "        self.sess.run(self.replace_target_op)\n",
        '        found = tf.get_collection("target_params")\n'
        "        self.sess.run([tf.assign(t, t * 0.5) for t in found])\n",
        "inside a loop or a condition",
    ),
    "an attribute that is read elsewhere": (
        "        return cost\n",
        "        return cost, self.V\n",
        "stores a value outside",
    ),
    "an attribute that is read before it is bound": (
        '            with tf.variable_scope("value"):\n',
        '            s = s if self.seen else self.V\n            with tf.variable_scope("value"):\n',
        "stores a value outside",
    ),
    "an attribute that one branch binds": (
        "                self.V = tf.matmul(s, w)\n",
        "                if self.start:\n                    self.V = tf.matmul(s, w)\n",
        "stores a value outside",
    ),
    "an attribute that the class has": ("class Agent:\n", "class Agent:\n    V = 1.0\n\n", "stores a value outside"),
    "an attribute that is asked for by a text": (
        "    print(one.look",
        "    print(hasattr(one, 'V'))\n    print(one.look",
        "asks by a text",
    ),
    "whether there is a session is not known": (
        "two = Agent(2, 0.25, sess=sess)",
        "two = Agent(2, 0.25, sess if one.start else None)",
        "others do not",
    ),
    "one has a session of its own": ("two = Agent(2, 0.25, sess=sess)", "two = Agent(2, 0.25)", "others do not"),
    "names of a collection that a function inside reads": (
        "def build_layers(s, c_names, initializer)",
        "def build_layers(s, names, initializer)",
        "`c_names` has another value here",
    ),
    "a list that a condition binds again": (
        '            c_names = ["target_params"',
        "            if self.start > 9.0:\n                c_names = []\n            print(c_names)\n"
        '            c_names = ["target_params"',
        "`c_names` has another value here",
    ),
    "a list that a loop binds again": (
        '            c_names = ["target_params"',
        "            for _ in range(2):\n                c_names = list(c_names)\n"
        '            c_names = ["target_params"',
        "`c_names`, which names the collection `target_params`, may be changed here",
    ),
    "a list that changes": (
        '            c_names = ["target_params"',
        '            c_names.append("target_params")\n            c_names = ["target_params"',
        "may be changed",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in AGENTS
    code = AGENTS.replace(old, new)
    refuses(code, reason)
