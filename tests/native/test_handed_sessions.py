"""Sessions that are handed to functions and methods: natively the argument goes, and the parameter with it."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten

HEAD = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None])
w = tf.Variable(tf.ones([2, 1]))
pred = tf.squeeze(tf.matmul(x, w), 1)
loss = tf.reduce_mean(tf.square(pred - y))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
xs, ys = np.ones([3, 2], np.float32), np.arange(3.0)


"""
EVALUATE = """\
def evaluate(sess, xs, ys):
    return "%.4f" % sess.run(loss, feed_dict={x: xs, y: ys})


"""
BEGIN = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
"""
MODEL = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.y = tf.placeholder(tf.float32, [None])
        w = tf.Variable(tf.ones([2, 1]))
        self.pred = tf.squeeze(tf.matmul(self.x, w), 1)
        self.loss = tf.reduce_mean(tf.square(self.pred - self.y))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def train(self, sess, xs, ys):
        loss, _ = sess.run([self.loss, self.train_op], {self.x: xs, self.y: ys})
        return "%.4f" % loss

    def fit(self, xs, ys, session=None, times=1):
        for _ in range(times):
            print(self.train(session, xs, ys))


model = Model()
xs, ys = np.ones([3, 2], np.float32), np.arange(3.0)
"""


def native(code: str) -> str:
    result = made_native(code)
    assert "sess" not in result.text.lower()
    assert rewritten(result.text).text == result.text
    return result.text


def test_a_function_that_runs_it_and_one_that_hands_it_on() -> None:
    train = """\
def train(xs, ys, session, times=2):
    for _ in range(times):
        session.run(train_op, feed_dict={x: xs, y: ys})
        print(evaluate(session, xs, ys))


"""
    calls = "    print(evaluate(sess, xs, ys=ys))\n    train(xs, ys, session=sess, times=2)\n"
    text = native(f"{HEAD}{EVALUATE}{train}{BEGIN}{calls}")
    assert "def evaluate(xs, ys):" in text and "def train(xs, ys, times=2):" in text
    assert "train(xs, ys, times=2)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == "1.6667\n1.0267\n0.7963\n"


@pytest.mark.parametrize(
    ("parameters", "arguments"),
    [("sess", "sess"), ("sess,", "sess,"), ("values, sess", "xs, sess"), ("values, sess, size=1", "xs, sess, 2")],
)
def test_wherever_it_stands(parameters: str, arguments: str) -> None:
    helper = f"def show({parameters}):\n    print(sess.run(pred, {{x: xs}}))\n\n\n"
    assert printed(native(f"{HEAD}{helper}{BEGIN}    show({arguments})\n")) == "[2. 2. 2.]\n"


def test_a_variable_that_a_function_shows() -> None:
    helper = "def show(sess):\n    print(sess.run(w)[0])\n\n\n"
    assert printed(native(f"{HEAD}{helper}{BEGIN}    show(sess)\n")) == "[1.]\n"


def test_a_function_inside_of_another() -> None:
    lines = [f"    {line}".rstrip() for line in HEAD.partition("\n\n")[2].splitlines()]
    helper = "    def predict(xs, sess):\n        return sess.run(pred, feed_dict={x: xs})\n\n"
    body = "\n".join(lines).rstrip() + "\n\n" + helper + "".join(f"    {line}\n" for line in BEGIN.splitlines())
    imports = "import numpy as np\nimport tensorflow as tf\n"
    text = native(f"{imports}\n\ndef main():\n{body}        print(predict(xs, sess))\n\n\nmain()\n")
    assert printed(text) == "[2. 2. 2.]\n"


def test_methods() -> None:
    text = native(f"{MODEL}{BEGIN}    print(model.train(sess, xs, ys))\n    model.fit(xs, ys, sess, 2)\n")
    assert "def train(self, xs, ys):" in text and "def fit(self, xs, ys, times=1):" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == "1.6667\n1.0267\n0.7963\n"


def test_a_method_that_nobody_calls_keeps_its_parameter() -> None:
    text = rewritten(f"{MODEL}{BEGIN}    print(sess.run(model.loss, {{model.x: xs, model.y: ys}}))\n").text
    assert "def fit(self, xs, ys, session=None, times=1):" in text
    assert "def train(self, xs, ys):" in text


REFUSED = {
    "a call without the session": (
        f"{HEAD}{EVALUATE.replace('sess, xs, ys', 'xs, ys, sess=None')}{BEGIN}    print(evaluate(xs, ys))\n",
        "`evaluate` is not given the session that it runs as `sess`",
    ),
    "another value in its place": (
        f"{HEAD}{EVALUATE}{BEGIN}    print(evaluate(sess, xs, ys))\n    print(evaluate(len(xs), xs, ys))\n",
        "`evaluate` is not given the session",
    ),
    "a function that is passed on as well": (
        f"{HEAD}{EVALUATE}{BEGIN}    print(evaluate(sess, xs, ys))\n    print(list(map(evaluate, [sess], xs, ys)))\n",
        "`evaluate`, which runs the session, is passed on",
    ),
    "a method that is passed on as well": (
        f"{MODEL}{BEGIN}    print(model.train(sess, xs, ys))\n    again = model.train\n",
        "`train`, which a session is handed to, is used where that is not seen",
    ),
    "a call that is not seen": (
        f"{MODEL}\n\ndef later(session):\n    return model.train(session, xs, ys)\n\n\n{BEGIN}"
        "    print(model.train(sess, xs, ys))\n",
        "`train`, which a session is handed to, is used where that is not seen",
    ),
    "several sessions": (
        f"{HEAD}{EVALUATE}{BEGIN}    print(evaluate(sess, xs, ys))\n"
        f"{BEGIN.replace('sess', 'other')}    print(evaluate(other, xs, ys))\n",
        "several sessions hold values",
    ),
    "the session in another place": (
        f"{HEAD}{EVALUATE}{BEGIN}    print(evaluate(sess, sess, ys))\n",
        "a part of the graph is used as a Python value",
    ),
    "a parameter that is bound anew": (
        f"{HEAD}{EVALUATE.replace('    return', '    sess = sess or None' + chr(10) + '    return')}{BEGIN}"
        "    print(evaluate(sess, xs, ys))\n",
        "the graph depends on a condition",
    ),
    "any number of arguments": (
        f"{HEAD}{EVALUATE.replace('xs, ys)', 'xs, ys, *more)')}{BEGIN}    print(evaluate(sess, xs, ys, 1))\n",
        "`evaluate` takes a session beside parameters of other kinds",
    ),
    "a call in a formatted string": (
        f"{HEAD}{EVALUATE}{BEGIN}    print(f'{{evaluate(sess, xs, ys)}}')\n",
        "`evaluate` is called inside a formatted string",
    ),
    "unpacked arguments": (
        f"{HEAD}{EVALUATE}{BEGIN}    print(evaluate(sess, xs, ys))\n    print(evaluate(*[sess, xs, ys]))\n",
        "a part of the graph is used as a Python value",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    code, reason = REFUSED[name]
    site = deciding_site(code)
    assert site.tier == "bridge"
    assert reason in str(site.reason), site.reason


OPTIONAL = """\
import tensorflow as tf


class Net:
    def __init__(self, size, sess=None):
        # the session
        IDIOM
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, size])
        self.w = tf.Variable(tf.ones([size, 1]))
        self.y = tf.matmul(self.x, self.w)
        self.sess.run(tf.global_variables_initializer())

    def go(self, x):
        return self.sess.run(self.y, {self.x: x})


MAKE
print(net.go([[1.0, 2.0]]))
"""
MAKING = ("net = Net(2)", "net = Net(2, None)", "sess = tf.Session()\nnet = Net(2, sess)")
IDIOMS = {
    "a branch": "if sess is None:\n            sess = tf.Session()",
    "two branches": (
        "if sess is None:\n            # a new one\n            sess = tf.Session()\n            print('new')  # told\n"
        "        else:\n            # given\n            print('given')\n\n        # behind"
    ),
    "the other way round": (
        "if sess is not None:\n            print('given')\n        else:\n            sess = tf.Session()"
    ),
}


@pytest.mark.parametrize("name", IDIOMS)
@pytest.mark.parametrize("making", MAKING)
def test_a_session_that_may_be_given(name: str, making: str) -> None:
    result = made_native(OPTIONAL.replace("IDIOM", IDIOMS[name]).replace("MAKE", making))
    assert "if sess" not in result.text
    assert ("# the session\n" in result.text) is ("print(" in result.text.partition("def go")[0])
    assert rewritten(result.text).text == result.text
    # What TensorFlow 1.15.5 prints.
    told = {"a branch": "", "two branches": "new\n", "the other way round": ""}[name]
    if "sess)" in making:
        told = {"a branch": "", "two branches": "given\n", "the other way round": "given\n"}[name]
    assert printed(result.text) == f"{told}[[3.]]\n"


@pytest.mark.parametrize(
    "idiom",
    [
        "if sess is None: sess = tf.Session()",
        "if not sess:\n            sess = tf.Session()",
        "if size > 2 or sess is None:\n            sess = tf.Session()",
        "if sess is None:\n            sess = tf.Session()\n        elif size > 2:\n            print(size)",
    ],
    ids=["one line", "another question", "two questions", "a chain"],
)
def test_what_is_asked_in_another_way(idiom: str) -> None:
    site = deciding_site(OPTIONAL.replace("IDIOM", idiom).replace("MAKE", MAKING[0]))
    assert site.tier == "bridge" and "inside a loop or a condition" in (site.reason or "")
