"""Variables that are made where they are not there yet, and looked up where they are: `reuse=tf.AUTO_REUSE`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

X = np.sin(np.arange(12.0)).reshape(4, 3)
K = tf.constant_initializer([0.5, -1.0, 0.25])
x = tf.placeholder(tf.float32, [None, 3])
z = tf.placeholder(tf.float32, [None, 3])


def show(*values):
    print(" ".join("%.4f" % number for value in values for number in np.ravel(value)))


"""
SCALED = """
def scaled(t, start, name="net"):
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        return t * tf.get_variable("w", [3], initializer=tf.constant_initializer(start))

"""
BEGUN = """
first = scaled(x, 1.0)
second = scaled(z, 2.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(second, {z: X}))
    show(sess.run(first, {x: X}))
"""
NET = """
def net(t, training=True):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        h = tf.layers.batch_normalization(t, training=training, momentum=0.5, name="norm")
        return tf.layers.dense(h, 1, kernel_initializer=K, name="out")


y = net(x)
loss = tf.reduce_mean(tf.square(y - 1.0))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
test = net(z, training=False)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(test, {z: X}))
    for _ in range(2):
        show(sess.run([step, loss], {x: X})[1])
        show(sess.run(test, {z: X * 2}))
"""
PROGRAMS = {
    "what is built first makes them": SCALED + BEGUN,
    "several names": SCALED
    + """
a1 = scaled(x, 1.0, "a")
b1 = scaled(x, 2.0, "b")
a2 = scaled(z, 3.0, "a") + scaled(z, 5.0, "b")
b2 = scaled(z, 4.0, "b")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(b2, {z: X}))
    show(sess.run(a2, {z: X}))
    show(*sess.run([a1, b1], {x: X}))
""",
    "made by other code": SCALED
    + """
def other(t):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        return t - tf.get_variable("w", [3], initializer=tf.constant_initializer(7.0))


first = scaled(x, 1.0)
second = other(z)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(second, {z: X}))
    show(sess.run(first, {x: X}))
""",
    "a test behind training": NET,
    "said to the layer": """
def dense(t):
    return tf.layers.dense(t, 2, kernel_initializer=K, name="h", reuse=tf.AUTO_REUSE)


loss = tf.reduce_mean(tf.square(dense(x) - 1.0)) + tf.reduce_mean(dense(z))
out = dense(z)
step = tf.train.AdamOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        show(sess.run(out, {z: X}))
        show(sess.run([step, loss], {x: X, z: X})[1])
""",
    "a GAN with a penalty": """
def generator(t):
    with tf.variable_scope("generator", reuse=tf.AUTO_REUSE):
        return tf.layers.dense(t, 3, kernel_initializer=K, name="out")


def critic(t):
    with tf.variable_scope("critic", reuse=tf.AUTO_REUSE):
        h = tf.nn.tanh(tf.layers.dense(t, 4, kernel_initializer=K, name="h"))
        return tf.layers.dense(h, 1, kernel_initializer=K, name="out")


made = generator(z)
real, fake = critic(x), critic(made)
mixed = 0.25 * x + 0.75 * made
grads = tf.gradients(critic(mixed), [mixed])[0]
penalty = tf.reduce_mean(tf.square(tf.sqrt(tf.reduce_sum(tf.square(grads), axis=1)) - 1.0))
d_loss = tf.reduce_mean(fake) - tf.reduce_mean(real) + 10.0 * penalty
g_loss = -tf.reduce_mean(fake)
d_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="critic")
g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="generator")
d_step = tf.train.GradientDescentOptimizer(0.05).minimize(d_loss, var_list=d_vars)
g_step = tf.train.GradientDescentOptimizer(0.05).minimize(g_loss, var_list=g_vars)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        show(sess.run([g_step, g_loss], {z: X})[1])
        show(sess.run([d_step, d_loss], {x: X, z: X})[1])
        show(sess.run(made, {z: X}))
""",
    "a class": """
class Agent:
    def __init__(self):
        self.s = tf.placeholder(tf.float32, [None, 3])
        self.s2 = tf.placeholder(tf.float32, [None, 3])
        self.q, self.target = self.build(self.s, "eval"), self.build(self.s2, "target")
        self.best = tf.stop_gradient(self.build(self.s2, "eval"))
        e = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="eval")
        t = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target")
        self.copy = [tf.assign(a, b) for a, b in zip(t, e)]
        self.loss = tf.reduce_mean(tf.square(self.q - tf.stop_gradient(self.target) - 0.1 * self.best - 1.0))
        self.step = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss, var_list=e)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def build(self, s, scope):
        with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
            h = tf.layers.dense(s, 4, tf.nn.tanh, kernel_initializer=K, name="h")
            return tf.layers.dense(h, 1, kernel_initializer=K, name="q")

    def learn(self, s, s2):
        return self.sess.run([self.step, self.loss], {self.s: s, self.s2: s2})[1]

    def update(self):
        self.sess.run(self.copy)


agent = Agent()
for number in range(4):
    show(agent.learn(X, X[::-1]))
    if number % 2:
        agent.update()
""",
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=list(PROGRAMS))
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(HEAD + code).text) == run_legacy(HEAD + code)


def test_what_is_built_first_is_traced_first_where_another_run_comes_before() -> None:
    assert "first.get_concrete_function()" in made_native(HEAD + SCALED + BEGUN).text
    alone = SCALED + BEGUN.replace("first = scaled(x, 1.0)\n", "").replace("    show(sess.run(first, {x: X}))\n", "")
    assert "get_concrete_function" not in made_native(HEAD + alone).text


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ('"net", **MODE', "MODE = dict(reuse=tf.AUTO_REUSE)\n"),
        ('"net", reuse=MODE["kept"]', 'MODE = {"kept": tf.AUTO_REUSE}\n'),
        ('"net", reuse=None or tf.AUTO_REUSE', ""),
        ('"net", reuse=tf.AUTO_REUSE if len(X) > 2 else None', ""),
        ('"net", None, None, None, None, None, None, None, tf.AUTO_REUSE', ""),
    ],
    ids=["a dictionary", "a part of one", "one of two", "a condition", "by its place"],
)
def test_what_may_say_so_counts_as_well(said: str, before: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + before + SCALED.replace("name, reuse=tf.AUTO_REUSE", said) + BEGUN
    result = made_native(code).text
    assert "first.get_concrete_function()" in result
    assert printed(result) == run_legacy(code)


def test_refuses_what_shares_variables_with_something_that_never_runs() -> None:
    code = SCALED + BEGUN.replace("    show(sess.run(first, {x: X}))\n", "")
    refuses(HEAD + code, "may share variables with something that is built before it and never runs")


def test_the_report_tells_of_variables_that_are_looked_up_beside_their_step() -> None:
    code = NET.replace("sess.run([step, loss], {x: X})[1]", "sess.run([step, loss, test], {x: X, z: X})[2]")
    messages = [finding.message for finding in made_native(HEAD + code).findings]
    assert any("left open whether a value here sees a variable before or after" in message for message in messages)


SHARED = """
def build(t):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        return t * tf.get_variable("w", [3], initializer=K)


class Model(object):
    def __init__(self, sess):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.y = build(self.x)

    def predict(self, value):
        return self.sess.run(self.y, {self.x: value})


sess = tf.Session()
model = Model(sess)
sess.run(tf.global_variables_initializer())
show(model.predict(X))
"""


def test_one_object_may_keep_them(run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(HEAD + SHARED).text) == run_legacy(HEAD + SHARED)


@pytest.mark.parametrize("other", ["other = Model(sess)", "y = build(x)"])
def test_refuses_to_share_them_among_objects(other: str) -> None:
    code = SHARED.replace("model = Model(sess)\n", f"model = Model(sess)\n{other}\n")
    code += "show(sess.run(y, {x: X}))\n" if "y = " in other else "show(other.predict(X))\n"
    refuses(HEAD + code, "may share variables with other objects, by `tf.AUTO_REUSE`")


@pytest.mark.parametrize("name", ["net/w", "net", "w"])
def test_refuses_variables_that_the_script_makes_itself(name: str) -> None:
    made = f'w = tf.get_variable("{name}", [3], initializer=tf.constant_initializer(2.0))\n'
    inside = 'with tf.variable_scope("net"):\n    ' if name == "w" else ""
    code = SCALED + inside + made + BEGUN
    reason = "another operation may have the name" if name == "w" else "may look up a variable that the script makes"
    refuses(HEAD + code, reason)


def test_variables_of_other_names_are_none_of_its_own(run_legacy: Callable[..., str]) -> None:
    made = 'w = tf.get_variable("other", [3], initializer=tf.constant_initializer(2.0))\n'
    code = HEAD + SCALED + made + BEGUN.replace("scaled(z, 2.0)", "scaled(z, 2.0) * w")
    assert printed(made_native(code).text) == run_legacy(code)
