"""Functions that make a step, a placeholder or what is fed: their statements stand where they are called."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses, rewritten
from tf_migrate.files.source import read
from tf_migrate.names.exports import Index
from tf_migrate.programs.inlining import with_inlined
from tf_migrate.stages.values import Refused

HEAD = """\
import numpy as np
import tensorflow as tf


def inference(x):
    w = tf.Variable(tf.ones([2, 1]), name="w")
    return tf.matmul(x, w)


"""
TRAINING = """\
# How it learns.
def training(loss, rate=0.1):
    \"\"\"Makes the step.

    It counts.
    \"\"\"
    optimizer = tf.train.GradientDescentOptimizer(rate)
    # the number of steps
    steps = tf.Variable(0, name="steps", trainable=False)
    train_op = optimizer.minimize(loss, global_step=steps)
    return train_op


"""
GRAPH = """\
x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
loss = tf.reduce_mean(tf.square(inference(x) - y))
"""
RUN = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, value = sess.run([train_op, loss], {x: [[1.0, 0.5]], y: [[1.0]]})
        print("%.4f" % value)
"""
# What TensorFlow 1.15.5 prints.
SAID = "0.2500\n0.1406\n0.0791\n"
SCRIPT = HEAD + TRAINING + GRAPH + "train_op = training(loss)\n" + RUN


def within(name: str, code: str) -> str:
    body = "".join(f"    {line}\n" if line else "\n" for line in code.splitlines())
    return f"def {name}():\n{body}\n\nif __name__ == '__main__':\n    {name}()\n"


WRITTEN = {
    "a step": SCRIPT,
    "a step under another name": SCRIPT.replace("train_op = training", "step = training").replace("[train_op", "[step"),
    "in a function": HEAD + TRAINING + within("main", GRAPH + "train_op = training(loss)\n" + RUN),
    "a rate that is a setting": SCRIPT.replace("training(loss)", "training(loss, rate=RATE * 2)").replace(
        "\n\ndef inference", "\nRATE = 0.05\n\n\ndef inference"
    ),
    "arguments under the names of locals": SCRIPT.replace(
        "x = tf.placeholder", "optimizer = 3\nsteps = 4\nx = tf.placeholder"
    ),
    "what is returned is an expression": SCRIPT.replace("train_op = optimizer", "made = optimizer").replace(
        "return train_op", "return tf.group(made)"
    ),
    "several results": SCRIPT.replace("return train_op", "return train_op, 2 * loss  # both").replace(
        "train_op = training(loss)", "train_op, double = training(loss)  # one and two"
    ),
    "a function in a function": HEAD
    + TRAINING
    + "def build(loss):\n    step = training(loss, 0.1)\n    return step\n\n\n"
    + GRAPH
    + "train_op = build(loss)\n"
    + RUN,
    "placeholders": HEAD
    + TRAINING
    + "def inputs(size):\n    shape = (None, size)\n    images = tf.placeholder(tf.float32, shape)\n"
    + "    labels = tf.placeholder(tf.float32, [None, 1])\n    return images, labels\n\n\n"
    + GRAPH.replace("y = tf.placeholder(tf.float32, [None, 1])\n", "")
    .replace("tf.placeholder(tf.float32, [None, 2])", "0.0\nx, y = inputs(2)")
    .replace("x = 0.0\n", "")
    + "train_op = training(loss)\n"
    + RUN,
    "what is fed, in two functions": HEAD
    + TRAINING
    + "def fed(pictures, names, value):\n    given = [[value, 0.5]]\n"
    + "    feed = {pictures: given, names: [[1.0]]}\n    return feed\n\n\n"
    + "def check(sess, loss, x, y):\n    feed = fed(x, y, 1.0)\n    return sess.run(loss, feed)\n\n\n"
    + GRAPH
    + "train_op = training(loss)\n"
    + RUN.replace(
        "        _, value", "        feed = fed(x, y, 1.0)\n        before = check(sess, loss, x, y)\n        _, value"
    )
    .replace("{x: [[1.0, 0.5]], y: [[1.0]]}", "feed")
    .replace('"%.4f" % value', '"%.4f" % before'),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_native(name: str) -> None:
    text = made_native(WRITTEN[name]).text
    assert "def training" not in text and "def inputs" not in text and "def fed" not in text
    assert printed(text) == SAID


def test_functions_that_only_compute_stay_and_comments_move() -> None:
    text = made_native(SCRIPT).text
    assert "def inference(x):" in text
    lines = [line.strip() for line in text.splitlines()]
    place = lines.index("# How it learns.")
    assert lines[place + 1] == "# Makes the step." and "# the number of steps" in lines[place:]
    assert "It counts." not in text


def test_places_are_those_of_the_file() -> None:
    result = rewritten(SCRIPT)
    lines = SCRIPT.splitlines()
    assert [lines[site.line - 1][site.column - 1 :][:9] for site in result.sites] == ["sess.run("] * 2
    refused = rewritten(SCRIPT + "print(train_op.name)\n").sites
    assert {site.tier for site in refused} == {"bridge"}


KEPT = {
    "two calls of what makes a step": SCRIPT.replace("with tf.Session", "other = training(loss, 0.2)\nwith tf.Session"),
    "a call in an expression": SCRIPT.replace("training(loss)", "[training(loss)][0]"),
    "passed on": SCRIPT.replace("training(loss)", "(lambda make: make(loss))(training)"),
    "decorated": SCRIPT.replace("# How it learns.\n", "@staticmethod\n"),
    "bound again": SCRIPT.replace("x = tf.placeholder", "if np is None:\n    training = None\nx = tf.placeholder"),
    "any number of arguments": SCRIPT.replace("training(loss, rate=0.1)", "training(loss, rate=0.1, *others)"),
    "arguments in a list": SCRIPT.replace("= training(loss)", "= training(*[loss])"),
    "an argument too many": SCRIPT.replace("= training(loss)", "= training(loss, 0.1, 3)"),
    "a default that is computed": SCRIPT.replace("rate=0.1", "rate=np.float32(0.1)"),
    "a default that is kept from call to call": SCRIPT.replace("rate=0.1", "rate=[0.1]")
    .replace("(rate)", "(rate[0])")
    .replace("train_op = training(loss)", "for _ in range(1):\n    train_op = training(loss)"),
    "a function inside that sees its names later": SCRIPT.replace(
        "    train_op = optimizer", "    shown = lambda: steps\n    train_op = optimizer"
    ).replace("train_op = training(loss)", "for _ in range(1):\n    train_op = training(loss)"),
    "two ways out": SCRIPT.replace(
        "    train_op = optimizer", "    if rate > 1:\n        return None\n    train_op = optimizer"
    ),
    "a generator": SCRIPT.replace("return train_op", "yield train_op"),
    "it binds names of the module": SCRIPT.replace("    optimizer = tf", "    global steps\n    optimizer = tf"),
    "it asks for its names": SCRIPT.replace(
        "    train_op = optimizer", "    print(locals())\n    train_op = optimizer"
    ),
    "a function inside": SCRIPT.replace(
        "    train_op = optimizer", "    def f():\n        pass\n    train_op = optimizer"
    ),
    "an import inside": SCRIPT.replace("    train_op = optimizer", "    import os\n    train_op = optimizer"),
    "it calls itself": SCRIPT.replace(
        "    train_op = optimizer", "    again = training(loss)\n    train_op = optimizer"
    ),
    "nothing is returned": SCRIPT.replace("    return train_op\n", ""),
    "on one line": SCRIPT.replace(
        TRAINING, "def training(loss): return tf.train.AdamOptimizer(0.1).minimize(loss)\n\n\n"
    ),
    "two statements on the line of the call": SCRIPT.replace(
        "train_op = training(loss)", "a = 1; train_op = training(loss)"
    ),
    "a comment in the call": SCRIPT.replace("training(loss)", "training(loss,  # what\n    rate=0.1)"),
    "a target of another kind": SCRIPT.replace(
        "train_op = training(loss)", "train_op = [0]\ntrain_op[0] = training(loss)"
    ),
    "a name that means something else where it is called": HEAD
    + TRAINING
    + within("main", "tf = None\n" + "train_op = training(loss)\n"),
    "a local name in an f-string, under another name": SCRIPT.replace(
        "    train_op = optimizer", "    print(f'{steps}')\n    train_op = optimizer"
    ).replace("x = tf.placeholder", "steps = 4\nx = tf.placeholder"),
    "an error under a name that is taken": SCRIPT.replace(
        "    train_op = optimizer",
        "    try:\n        pass\n    except ValueError as np_:\n        pass\n    train_op = optimizer",
    ).replace("x = tf.placeholder", "np_ = 4\nx = tf.placeholder"),
}


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    assert with_inlined(read("train.py", KEPT[name].encode()), Index({}, {}), "compat") is None


CLASS = """\
import tensorflow as tf


class Model(object):
    def __init__(self, sess):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.y = tf.placeholder(tf.float32, [None, 1])
        w = tf.Variable(tf.ones([2, 1]), name="w")
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, w) - self.y))
        self.step = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def learn(self, value):
        feed = self.fed(value, times=1.0)
        _, loss = self.sess.run([self.step, self.loss], feed_dict=feed)
        return loss

    def ask(self, value):
        feed_dict = self.fed(value)
        return self.sess.run(self.loss, feed_dict)

    def fed(self, value, times=1.0):
        given = [[value * times, 0.5]]
        return {self.x: given, self.y: [[1.0]]}


sess = tf.Session()
model = Model(sess)
sess.run(tf.global_variables_initializer())
for _ in range(3):
    model.ask(1.0)
    print("%.4f" % model.learn(1.0))
"""


def test_what_a_method_feeds() -> None:
    text = made_native(CLASS).text
    assert "def fed" not in text
    assert text.count("given = [[value * 1.0, 0.5]]") == 2
    assert "\n\n\nmodel = " in text
    assert printed(text) == SAID


METHODS = {
    "another class has such a method": CLASS.replace(
        "sess = tf.Session", "class Other(Model):\n    def fed(self, value):\n        return {}\n\n\nsess = tf.Session"
    ),
    "it is asked of an object": CLASS + "print(len(model.fed(1.0)))\n",
    "it is asked for by a text": CLASS + "print(getattr(model, 'fed'))\n",
    "the object is bound again": CLASS.replace("        feed = self", "        self = self\n        feed = self"),
    "the object of a function inside": CLASS.replace(
        "        feed_dict = self.fed(value)\n", "        def asked(self):\n            feed_dict = self.fed(value)\n"
    ),
    "a static method": CLASS.replace("    def fed(self, value", "    @staticmethod\n    def fed(value"),
    "a method that another one replaces": CLASS.replace(
        "\n\nsess = tf.Session", "    def fed(self, value):\n        return {}\n\n\nsess = tf.Session"
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_that_are_kept(name: str) -> None:
    source = read("train.py", METHODS[name].encode())
    assert with_inlined(source, Index({}, {}), "compat", frozenset({"fed"})) is None


NAMES = """\
import tensorflow as tf


def build(a, b):
    c = [b for b in range(a)]
    d = tf.placeholder(tf.float32, [a + len(c) + b])
    e = lambda c: c + a + b
    text = '''{}
  x'''
    return d, e, text


b = 2
c = 5
d, f, e = build(c, 3)
"""
RENAMED = """\
import tensorflow as tf


b = 2
c = 5
build_b = 3
build_c = [b for b in range(c)]
d = tf.placeholder(tf.float32, [c + len(build_c) + build_b])
f = lambda c: c + c + build_b
e = '''{}
  x'''
"""


def test_a_parameter_that_a_function_inside_would_hide_is_no_name() -> None:
    source = read("train.py", NAMES.encode())
    assert with_inlined(source, Index({}, {}), "compat") is None


def test_names_that_are_taken_get_others() -> None:
    source = read("train.py", NAMES.replace("lambda c: c +", "lambda g: g +").encode())
    inlined = with_inlined(source, Index({}, {}), "compat")
    assert inlined is not None and inlined.text == RENAMED.replace("lambda c: c +", "lambda g: g +")


def test_a_name_of_the_script_is_not_taken_for_what_a_function_feeds() -> None:
    code = """\
import tensorflow as tf


def fed(x, value):
    return {x: value}


x = tf.placeholder(tf.float32, [])
a = x * 2.0
value = 7.0
sess = tf.Session()
print(sess.run(a, fed(x, 1.0)))
"""
    refuses(code, "`fed` makes what is fed")
    assert printed(rewritten(code).text) == "2.0\n"


def test_which_functions_these_are_no_words_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal carries the functions that it concerns: what it says is for people."""
    code = HEAD + "def scaled(a):\n    print('scaled')\n    return a * 2.0\n\n\n" + TRAINING
    code += GRAPH.replace("loss =", "wide = scaled(x)\nloss =").replace("inference(x)", "inference(wide)")
    code += "train_op = training(loss)\n" + RUN
    expected = made_native(code).text
    init = Refused.__init__
    monkeypatch.setattr(Refused, "__init__", lambda self, node, reason, step: init(self, node, "no", step))
    assert made_native(code).text == expected
