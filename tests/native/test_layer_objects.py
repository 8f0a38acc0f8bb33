"""Objects of the program's own classes that are called as layers are: they keep settings, and build where called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.native import made_native, printed, refuses
from tests.native.trees import printed as printed_by
from tests.native.trees import rewritten

HEAD = """\
import numpy as np
import tensorflow as tf

X = np.sin(np.arange(12.0)).reshape(4, 3)


def show(*values):
    print(" ".join("%.4f" % number for value in values for number in np.ravel(value)))

"""
NORM = """
class BatchNorm(object):
    \"\"\"Batch normalization, as GANs keep it.\"\"\"

    def __init__(self, epsilon=1e-5, momentum=0.5, name="batch_norm"):
        self.epsilon = epsilon
        self.momentum = momentum
        self.name = name

    def __call__(self, x, train=True):
        return tf.contrib.layers.batch_norm(
            x, decay=self.momentum, updates_collections=None, epsilon=self.epsilon, is_training=train, scope=self.name
        )

"""
LINEAR = """
class Linear:
    def __init__(self, size, name, activation=tf.identity, bias=True, shape=(2, 2)):
        self.name = name
        self.activation = activation
        self.bias = bias
        self.size = size * 2 if shape else size

    def weights(self, width):
        return tf.get_variable("w", [width, self.size], initializer=tf.constant_initializer(0.1))

    def __call__(self, x):
        with tf.variable_scope(self.name, reuse=tf.AUTO_REUSE):
            y = tf.matmul(x, self.weights(x.get_shape()[-1]))
            if self.bias:
                y += tf.get_variable("b", [self.size], initializer=tf.constant_initializer(0.5))
        return self.activation(y)

"""
TRAINING = """
x = tf.placeholder(tf.float32, [None, 3])
{built}
loss = tf.reduce_mean(tf.square(y - 1.0))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        show(sess.run([step, loss], {{x: X}})[1])
    show(sess.run(y, {{x: X}}))
"""
SCRIPT = (
    NORM
    + LINEAR
    + TRAINING.format(
        built="""
def squash(t):
    return tf.tanh(t) * 2.0


first, last = Linear(2, "first", tf.nn.relu), Linear(1, name="last", activation=squash, bias=False)
norm = BatchNorm(name="norm")
y = last(norm(first(x))) + last(Linear(2, "first")(x))"""
    )
)
SCOPED = NORM.replace(
    """
        self.epsilon = epsilon
        self.momentum = momentum
        self.name = name
""",
    """
        with tf.variable_scope(name):
            self.epsilon = epsilon
            self.momentum = momentum
            self.name = name
""",
)
FUNCTION = LINEAR + TRAINING.format(
    built="""
def net(t, hidden, name):
    out = Linear(1, name)
    return out(tf.nn.relu(hidden(t)))


y = net(x, Linear(3, "hidden"), "one") - net(x * 0.5, Linear(2, "other"), "two")"""
)
GAN = (
    SCOPED
    + """
def linear(x, size, name):
    with tf.variable_scope(name):
        return tf.matmul(
            x, tf.get_variable("w", [x.get_shape()[1], size], initializer=tf.constant_initializer([0.3, -0.2, 0.1]))
        )


class GAN(object):
    def __init__(self, sess, size=4):
        self.sess = sess
        self.size = size
        self.d_norm = BatchNorm(name="d_norm")
        self.g_norm = BatchNorm(name="g_norm")
        self.build_model()

    def build_model(self):
        self.images = tf.placeholder(tf.float32, [4, 3])
        self.z = tf.placeholder(tf.float32, [4, 2])
        self.made = self.generator(self.z)
        self.real = self.discriminator(self.images)
        self.fake = self.discriminator(self.made, reuse=True)
        self.sampled = self.generator(self.z, train=False, reuse=True)
        self.d_loss = tf.reduce_mean(tf.nn.softplus(-self.real)) + tf.reduce_mean(tf.nn.softplus(self.fake))
        self.g_loss = tf.reduce_mean(tf.nn.softplus(-self.fake))
        t_vars = tf.trainable_variables()
        self.d_vars = [var for var in t_vars if "d_" in var.name]
        self.g_vars = [var for var in t_vars if "g_" in var.name]

    def train(self):
        d_step = tf.train.GradientDescentOptimizer(0.1).minimize(self.d_loss, var_list=self.d_vars)
        g_step = tf.train.GradientDescentOptimizer(0.1).minimize(self.g_loss, var_list=self.g_vars)
        self.sess.run(tf.global_variables_initializer())
        for number in range(3):
            z = np.cos(np.arange(8.0) + number).reshape(4, 2)
            _, d_loss = self.sess.run([d_step, self.d_loss], {self.images: X, self.z: z})
            _, g_loss = self.sess.run([g_step, self.g_loss], {self.z: z})
            show(d_loss, g_loss)
            show(self.sess.run(self.sampled, {self.z: z}))

    def discriminator(self, images, reuse=False):
        with tf.variable_scope("discriminator", reuse=reuse):
            return linear(tf.nn.relu(self.d_norm(linear(images, self.size, "d_1"))), 1, "d_2")

    def generator(self, z, train=True, reuse=False):
        with tf.variable_scope("generator", reuse=reuse):
            return linear(tf.nn.relu(self.g_norm(linear(z, self.size, "g_1"), train=train)), 3, "g_2")


def main():
    with tf.Session() as sess:
        gan = GAN(sess)
        gan.train()


main()
"""
)


@pytest.mark.parametrize("code", [SCRIPT, FUNCTION, GAN], ids=["script", "function", "class"])
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(HEAD + code).text) == run_legacy(HEAD + code)


@pytest.mark.parametrize("imported", ["import ops", "from ops import BatchNorm, linear", "from ops import *"])
def test_may_come_from_another_module(imported: str, run_legacy: Callable[..., str], tmp_path: Path) -> None:
    begin = GAN.index("class GAN")
    ops, train = "import tensorflow as tf\n" + GAN[:begin], HEAD + imported + "\n\n\n" + GAN[begin:]
    if imported == "import ops":
        train = train.replace("BatchNorm(", "ops.BatchNorm(").replace("linear(", "ops.linear(")
    outcome = rewritten(tmp_path, {"ops.py": ops, "train.py": train})
    assert {site.tier for site in outcome.report.sites} == {"native"}, [site.reason for site in outcome.report.sites]
    assert printed_by(tmp_path, "train.py") == run_legacy(HEAD + GAN)


def test_what_they_keep_decides_conditions_and_names(run_legacy: Callable[..., str]) -> None:
    code = (
        HEAD
        + LINEAR
        + TRAINING.format(
            built="""
layer = Linear(2, "layer", bias=False, shape=())
y = layer(x) + Linear(2, "other", shape=None)(x)"""
        )
    )
    assert printed(made_native(code).text) == run_legacy(code)


BUILT = """
norm = BatchNorm(name="norm")
y = norm(x)"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("y = norm(x)", "norm.momentum = 0.9\ny = norm(x)", "a part of the graph is given to `norm`"),
        ("y = norm(x)", "setattr(norm, 'momentum', 0.9)\ny = norm(x)", "a part of the graph is given to `norm`"),
        (
            "        self.name = name",
            "        self.name = name\n        self.calls = []",
            "a part of the graph is given to `norm`",
        ),
        (
            "        return tf.contrib",
            "        self.momentum *= 0.5\n        return tf.contrib",
            "a part of the graph is given to `norm`",
        ),
        ('name="norm")', 'momentum=RATES[0], name="norm")', "`RATES[0]`, which an object of `BatchNorm` keeps, may be"),
        (
            'name="norm")',
            'momentum=tf.constant(0.5), name="norm")',
            "an object of `BatchNorm` keeps a part of the graph",
        ),
        ("y = norm(x)", "BatchNorm.__init__(norm, momentum=0.9)\ny = norm(x)", "`BatchNorm` uses TensorFlow"),
        ("y = norm(x)", "y = norm(x)\nsetattr(BatchNorm, '__call__', tf.identity)", "`BatchNorm` uses TensorFlow"),
        ("momentum=0.5", "momentum=RATES", "a part of the graph is given to `norm`"),
        ("y = norm(x)", "for norm in [BatchNorm()]:\n    pass\ny = norm(x)", "a part of the graph is given to `norm`"),
        (
            "y = norm(x)",
            'y = norm(x)\nnorm = BatchNorm(name="other")',
            "`norm` has another value here than when the graph was built",
        ),
    ],
)
def test_refuses_objects_that_may_change(old: str, new: str, reason: str) -> None:
    code = HEAD + "RATES = [0.5]\n" + NORM + TRAINING.format(built=BUILT)
    refuses(code.replace(old, new, 1), reason)


def test_refuses_scopes_of_constructors_beside_layers_without_names() -> None:
    code = HEAD + SCOPED + TRAINING.format(built=BUILT.replace("norm(x)", "tf.layers.dense(norm(x), 2)"))
    refuses(code, "opens a scope where an object is made, beside layers or variables without names")


DERIVED = """
class Base(object):
    def __init__(self, size):
        self.count = size


class Other(Base):
    def __init__(self):
        Base.__init__(self, 2)
        super(Other, self).__init__(3)


print(Other().count)
"""


def test_constructors_of_other_classes_may_be_called(run_legacy: Callable[..., str]) -> None:
    code = HEAD + DERIVED + LINEAR + TRAINING.format(built='y = Linear(2, "layer")(x)')
    assert printed(made_native(code).text) == run_legacy(code)


def test_refuses_objects_that_another_module_makes_anew(tmp_path: Path) -> None:
    change = "\n\ndef change(layers):\n    layers[0].__init__(momentum=0.9)\n"
    built = 'norm = BatchNorm(name="norm")\ny = norm(x)\nlayers = [norm]\nchange(layers)'
    texts = {
        "ops.py": "import tensorflow as tf\n" + NORM + change,
        "train.py": HEAD + "from ops import BatchNorm, change\n" + TRAINING.format(built=built),
    }
    (reason,) = {site.reason for site in rewritten(tmp_path, texts).report.sites}
    assert reason is not None and "a part of the graph is given to `norm`" in reason


KEEPING = """
k = 3.0


def act(t):
    return t * k


x = tf.placeholder(tf.float32, [None, 3])
y = Scale(2.0, act)(x)
k = 10.0
with tf.Session() as sess:
    show(sess.run(y, {x: X}))
"""
SCALE = """
class Scale(object):
    def __init__(self, factor, act):
        self.factor = factor
        self.act = act

    def __call__(self, t):
        return self.act(tf.multiply(t, self.factor))

"""


def test_refuses_functions_that_they_keep_and_that_read_what_changes(tmp_path: Path) -> None:
    refuses(HEAD + SCALE + KEEPING, "`k` has another value here than when the graph was built")
    texts = {"ops.py": "import tensorflow as tf\n" + SCALE, "train.py": HEAD + "from ops import Scale\n" + KEEPING}
    (reason,) = {site.reason for site in rewritten(tmp_path, texts).report.sites}
    assert reason is not None and "`__call__` of another module is given a function" in reason
