"""Methods that build a part of the graph more than once: they take what they read of the object, and list variables."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses, rewritten

AGENT = """\
import numpy as np
import tensorflow as tf

COUNT = 0


class Agent(object):
    def __init__(self, size):
        self.sess = tf.Session()
        self.state = tf.placeholder(tf.float32, [None, size], "state")
        hidden = tf.layers.dense(self.state, 3, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.25))
        self.v = tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.5))
        self.reward = tf.placeholder(tf.float32, [None, 1], "reward")
        self.advantage = self.reward - self.v
        closs = tf.reduce_mean(tf.square(self.advantage))
        self.ctrain_op = tf.train.AdamOptimizer(0.01).minimize(closs)
        now, now_params = self._build("pi", 0.5, trainable=True)
        old, old_params = self._build("oldpi", 0.75, trainable=False)
        self.ratio = now / (old + 1.0)
        self.update_old = [o.assign(n) for n, o in zip(now_params, old_params)]
        aloss = -tf.reduce_mean(self.ratio * self.reward)
        self.atrain_op = tf.train.AdamOptimizer(0.02).minimize(aloss)
        self.sess.run(tf.global_variables_initializer())

    def update(self, s, r):
        global COUNT
        while not COORD.should_stop():
            self.sess.run(self.update_old)
            [self.sess.run(self.atrain_op, {self.state: s, self.reward: r}) for _ in range(2)]
            self.sess.run(self.ctrain_op, {self.state: s, self.reward: r})
            COUNT += 1
            if COUNT % 2 == 0:
                COORD.request_stop()

    def _build(self, name, value, trainable):
        with tf.variable_scope(name):
            ones = tf.constant_initializer(value)
            l1 = tf.layers.dense(self.state, 2, kernel_initializer=ones, trainable=trainable)
            out = tf.layers.dense(l1, 1, tf.nn.softplus, kernel_initializer=ones, trainable=trainable)
        params = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=name)
        return out, params

    def look(self, s, r):
        return self.sess.run([self.ratio, self.advantage], {self.state: s, self.reward: r})


agent = Agent(2)
rng = np.random.RandomState(0)
for _ in range(2):
    COORD = tf.train.Coordinator()
    s, r = rng.rand(4, 2), rng.rand(4, 1)
    agent.update(s, r)
    ratio, advantage = agent.look(s, r)
    print("%.5f %.5f %d" % (ratio[0, 0], advantage[1, 0], COUNT))
"""
# What TensorFlow 1.15.5 prints.
AGENT_OUTPUT = "0.60901 -0.15036 2\n0.70198 0.62140 4\n"


def test_a_method_takes_what_it_reads_of_the_object() -> None:
    result = made_native(AGENT)
    assert "def _build(self, name, value, trainable, state):" in result.text
    assert 'self._build("pi", 0.5, trainable=True, state=state)' in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == AGENT_OUTPUT


def test_a_parameter_of_the_name_that_the_attribute_would_get() -> None:
    code = AGENT.replace("name, value, trainable):", "name, state, trainable):")
    code = code.replace("constant_initializer(value)", "constant_initializer(state)")
    result = rewritten(code)
    assert "def _build(self, name, state, trainable, own_state):" in result.text
    assert printed(result.text) == AGENT_OUTPUT


REFUSED = {
    "a method that is passed on": (
        "        self.ratio = ",
        "        self.kept = self._build\n        self.ratio = ",
        "reads the tensor `self.state` from outside",
    ),
    "a method that the script calls": (
        "rng = np",
        "if COUNT:\n    agent._build('more', 1.0, True)\nrng = np",
        "reads the tensor `self.state` from outside",
    ),
    "a method that another one calls, where nothing is built": (
        "    def look",
        "    def more(self):\n        return self._build('more', 1.0, True)\n\n    def look",
        "is called where nothing is built",
    ),
    "a scope whose name another one begins with": ('"oldpi"', '"pi2"', "behind a list of all variables"),
    "a scope that is not known": ("scope=name)", "scope=str(name))", "behind a list of all variables"),
    "a constructor that binds names of the module": (
        "        self.sess = tf.Session()\n",
        "        global SIZE\n        SIZE = size\n        self.sess = tf.Session()\n",
        "binds names of the module",
    ),
    "a scope in which an optimizer keeps something": (
        "        self.ctrain_op = tf.train.AdamOptimizer(0.01).minimize(closs)\n",
        "        with tf.variable_scope('pi'):\n"
        "            self.ctrain_op = tf.train.AdamOptimizer(0.01).minimize(closs)\n",
        "those that an optimizer keeps",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in AGENT
    code = AGENT.replace(old, new)
    refuses(code, reason)


TRAINED = """\
import tensorflow as tf


def quietly(getter, *args, **kwargs):
    return getter(*args, **{**kwargs, "trainable": False})


class Net(object):
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        self.y = self._build(self.x, "one", True)
        self.z = self._build(self.x, "two", False)
        one = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="one")
        two = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="two")
        self.soft = [t.assign(0.5 * t + 0.25 * e) for t, e in zip(two, one)]
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(self.y * self.z), var_list=one)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build(self, x, scope, trainable):
        with tf.variable_scope(scope):
            w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer(), trainable=trainable)
            hidden = tf.matmul(x, w)
            return tf.layers.dense(hidden, 1, kernel_initializer=tf.ones_initializer(), trainable=trainable)

    def learn(self, x):
        self.sess.run(self.train, {self.x: x})
        self.sess.run(self.soft)
        return self.sess.run(self.y + self.z, {self.x: x})


net = Net(2)
print("%.5f" % net.learn([[1.0, 0.5]])[0, 0])
print("%.5f" % net.learn([[1.0, 0.5]])[0, 0])
"""
# What TensorFlow 1.15.5 prints.
TRAINED_OUTPUT = "1.57764\n0.99253\n"


def test_gradients_of_all_variables_of_a_scope() -> None:
    result = made_native(TRAINED)
    assert printed(result.text) == TRAINED_OUTPUT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("variable_scope(scope)", "variable_scope(scope, custom_getter=quietly)"),
        ('"one", True)', '"one", False)'),
        ("var_list=one", "var_list=two"),
        ('"two", False)', '"one/two", False)'),
        ("trainable=trainable)\n            hidden", "trainable=size > 1)\n            hidden"),
    ],
    ids=["a getter", "not trained", "another list", "a scope inside", "a flag that is not known"],
)
def test_gradients_of_variables_that_may_not_be_trained(old: str, new: str) -> None:
    assert old in TRAINED
    code = TRAINED.replace(old, new)
    refuses(code, "gradients are taken of all variables")


COUNTED = """\
import tensorflow as tf

K = 2.0
x = tf.placeholder(tf.float32, [])
y = x * 3.0
sess = tf.Session()


def step(value):
    global K
    K += 1.0
    return sess.run(y, {x: value})


print(step(1.0), step(1.0), K)
"""


def test_a_function_that_binds_a_name_of_the_module() -> None:
    result = made_native(COUNTED)
    assert printed(result.text) == "3.0 3.0 4.0\n"


BOUND_ANEW = {
    "what the graph was built with": ("x * 3.0", "x * K", "`K` has another value here", "2.0 2.0 4.0\n"),
    "a name that nothing else binds": ("K = 2.0\nx =", "x =", "`K` is computed while", None),
    "a part of the graph": ("global K\n", "global K, y\n    y = y if K < 9 else None\n", "a part of the graph", None),
}


@pytest.mark.parametrize("name", BOUND_ANEW)
def test_names_that_functions_bind_anew(name: str) -> None:
    old, new, reason, output = BOUND_ANEW[name]
    assert old in COUNTED
    code = COUNTED.replace(old, new)
    if name == "a name that nothing else binds":
        code = code.replace("y = x * 3.0", "\n\ndef begin():\n    global K\n    K = 2.0\n\n\nbegin()\ny = x * K")
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"bridge"}
    assert any(reason in (site.reason or "") for site in result.sites), [site.reason for site in result.sites]
    if output is not None:
        assert printed(result.text) == output


def test_a_method_of_a_class_that_binds_what_the_graph_was_built_with() -> None:
    late = "class Worker(object):\n    def work(self):\n        global K\n        K += 1.0\n\n\nWorker().work()\nprint("
    code = COUNTED.replace("    global K\n    K += 1.0\n", "").replace("x * 3.0", "x * K").replace("print(", late)
    assert "`K`, which the graph was built with, may be bound anew here" in (deciding_site(code).reason or "")
    assert printed(rewritten(code).text) == "2.0 2.0 3.0\n"
