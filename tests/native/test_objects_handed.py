"""Model classes as applications write them: methods that return a tensor, and functions that are given the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native import trees
from tests.native.native import made_native, printed, refuses, rewritten

MODEL = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, size, rate, initializer=tf.random_normal_initializer(stddev=0.1, seed=3)):
        self.size = size
        self.initializer = initializer
        self.x = tf.placeholder(tf.float32, [None, self.size], name="x")
        self.y = tf.placeholder(tf.float32, [None], name="y")
        self.step = tf.Variable(0, trainable=False, name="step")
        self.rate = tf.Variable(rate, trainable=False)
        self.instantiate_weights()
        self.logits = self.inference()
        self.loss = tf.reduce_mean(tf.square(self.logits - self.y))
        self.train_op = self.train()

    def instantiate_weights(self):
        with tf.name_scope("projection"):
            self.weights = tf.get_variable("weights", shape=[self.size, 1], initializer=self.initializer)

    def inference(self):
        # The scores, before and after the weights.
        self.doubled = self.x * 2.0
        return tf.matmul(self.doubled, self.weights)[:, 0]

    def train(self):
        train_op = tf.train.AdamOptimizer(self.rate).minimize(self.loss, global_step=self.step)
        return train_op


def main(_):
    rs = np.random.RandomState(0)
    x = rs.rand(16, 4).astype(np.float32)
    y = x.sum(1)
    with tf.Session() as sess:
        model = Model(4, 0.1)
        sess.run(tf.global_variables_initializer())
        assign(sess, model, 0.25)
        for start in range(0, 16, 8):
            feed_dict = {model.x: x[start:start + 8]}
            feed_dict[model.y] = y[start:start + 8]
            loss, _ = sess.run([model.loss, model.train_op], feed_dict)
            print("%.4f" % loss)
            print("%.4f %.4f" % evaluate(sess, model, x, y))
        print(sess.run(model.step))


def evaluate(sess, model, x, y):
    loss, doubled = sess.run([model.loss, model.doubled], feed_dict={model.x: x, model.y: y})
    return loss, doubled[0, 0]


def assign(sess, model, share):
    value = np.full([4, 1], share, np.float32)
    sess.run(tf.assign(model.weights, value))


if __name__ == "__main__":
    main(None)
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = """\
1.3781
0.3879 1.0976
0.2797
0.0678 1.0976
2
"""


def test_a_program_around_a_model() -> None:
    result = made_native(MODEL)
    assert printed(result.text) == OUTPUT


def test_the_model_in_a_module_of_its_own(tmp_path: Path) -> None:
    head, body = MODEL.split("\n\n\n", 1)
    model, script = body.split("def main", 1)
    texts = {
        "model.py": f"import tensorflow as tf\n\n\n{model}".rstrip() + "\n",
        "train.py": f"{head}\nfrom model import Model\n\n\ndef main{script}",
    }
    outcome = trees.rewritten(tmp_path, texts)
    assert {site.tier for site in outcome.report.sites} == {"native"}, [site.reason for site in outcome.report.sites]
    assert trees.printed(tmp_path, "train.py") == OUTPUT


def test_the_session_goes_and_the_model_stays() -> None:
    text = rewritten(MODEL).text
    assert "def evaluate(model, x, y):" in text
    assert "evaluate(model, x, y))" in text


def test_what_a_method_returns_is_named_by_its_caller() -> None:
    text = rewritten(MODEL).text
    assert "            logits = tf.matmul(doubled, self.weights)[:, 0]\n" in text


def test_methods_of_which_nothing_stays_go() -> None:
    text = rewritten(MODEL).text
    assert "inference" not in text
    kept = rewritten(MODEL.replace("        # The scores", "        print(self.size)\n        # The scores")).text
    assert "        self.inference()\n" in kept and "    def inference(self):\n        print(self.size)\n" in kept


def test_a_name_scope_means_nothing_to_get_variable() -> None:
    text = rewritten(MODEL).text
    assert '        self.weights = tf.Variable(self.initializer([self.size, 1]), name="weights")\n' in text
    assert "name_scope" not in text


UNKNOWN = "what is fed is not known here"
CALL = "evaluate(sess, model, x, y))"


def renamed(code: str) -> str:
    """The functions call the model by names of their own, and one of them hands it on."""
    assigning = code.index("def assign")
    code = code[:assigning] + code[assigning:].replace("model", "textRNN")
    evaluating = code.index("def evaluate")
    assigning = code.index("def assign")
    return code[:evaluating] + code[evaluating:assigning].replace("model", "net") + code[assigning:]


def test_functions_that_call_the_model_something_else() -> None:
    result = made_native(renamed(MODEL))
    assert printed(result.text) == OUTPUT
    assert "def evaluate(net, x, y):\n    loss, doubled = (value.numpy() for value in net." in result.text
    assert "    textRNN.weights.assign(value)\n" in result.text


HANDED_ON = """\
def both(session, nn, x, y):
    assign(session, nn, 0.25)
    print(session.run(nn.step))
    return evaluate(y=y, x=x, net=nn, sess=session)


if __name__"""


def test_the_model_is_handed_on() -> None:
    code = renamed(MODEL).replace("if __name__", HANDED_ON, 1)
    code = code.replace("        assign(sess, model, 0.25)\n", "        print('%.4f %.4f' % both(sess, model, x, y))\n")
    code = code.replace("% evaluate(sess, model, x, y)", "% both(sess, model, x, y)")
    text = made_native(code).text
    assert "evaluate(y=y, x=x, net=nn)" in text and "both(model, x, y)" in text
    # What TensorFlow 1.15.5 prints.
    assert (
        printed(text)
        == """\
0
1.0776 1.0976
1.3781
1
1.0776 1.0976
0.7770
2
1.0776 1.0976
2
"""
    )


UNSEEN = "is used where no run is"
BODY = "    loss, doubled = sess"
RENAMED = {
    "bound anew in the function": (BODY, "    net = net\n" + BODY, "what is fed is not known here"),
    "bound in a loop": (BODY, "    for net in [net]:\n        pass\n" + BODY, "what is fed is not known here"),
    "called with something else too": (
        CALL,
        CALL + "\n        evaluate(sess, Other(), x, y)",
        "what is fed is not known here",
    ),
    "given under two names": (
        "def evaluate(sess, net, x, y):",
        "def evaluate(sess, net, x, y, again=None):",
        UNKNOWN,
    ),
    "given beside others": (
        "def evaluate(sess, net, x, y):",
        "def evaluate(sess, net, x, y, *rest):",
        "parameters of other kinds",
    ),
    "a part of it is bound again": (BODY, "    net.loss = 3.0\n" + BODY, "is bound again"),
    "asked by a text": (BODY, "    print(getattr(net, 'loss'))\n" + BODY, "asks by a text"),
    "kept by the function": (BODY, "    KEPT.append(net)\n    print(KEPT[0].loss)\n" + BODY, UNSEEN),
    "a function inside": (BODY, "    def loss_of():\n        return net.loss\n" + BODY, "the session runs inside"),
}


@pytest.mark.parametrize("change", RENAMED.values(), ids=RENAMED.keys())
def test_another_name_that_may_mean_something_else(change: tuple[str, str, str]) -> None:
    old, new, reason = change
    code = renamed(MODEL)
    assert old in code
    code = code.replace(old, new)
    if "again" in new or "*rest" in new:
        code = code.replace(CALL, "evaluate(sess, model, x, y, model))")
    code = code.replace(
        "def main", "KEPT = []\n\n\nclass Other(object):\n    x = y = loss = doubled = None\n\n\ndef main"
    )
    refuses(code, reason)


REFUSED = {
    "bound anew in the function": ("    loss, doubled = sess", "    model = model\n    loss, doubled = sess", UNKNOWN),
    "called with something else too": (CALL, CALL + "\n        evaluate(sess, Other(), x, y)", UNKNOWN),
    "another object under the same name": (
        "        assign(sess",
        "        model = Other()\n        assign(sess",
        UNKNOWN,
    ),
    "passed on": (CALL, CALL + "\n        calls = [evaluate]", "is passed on"),
    "made by an argument that is no initializer": ("Model(4, 0.1)", "Model(4, 0.1, np.ones)", "the initializer"),
    "a name scope that names a variable too": (
        "            self.weights =",
        "            self.bias = tf.Variable(0.0)\n            self.weights =",
        "a name scope that names another variable",
    ),
    "a value that is no tensor": (
        "return tf.matmul(self.doubled, self.weights)[:, 0]",
        "return self.size + 1",
        "is no tensor",
    ),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(change: tuple[str, str, str]) -> None:
    old, new, reason = change
    assert old in MODEL
    code = MODEL.replace(old, new)
    if "Other" in new:
        code = code.replace("def main", "class Other(object):\n    x = y = loss = doubled = None\n\n\ndef main")
    refuses(code, reason)
