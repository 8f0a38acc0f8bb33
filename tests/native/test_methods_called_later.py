"""Objects that are built, or trained, by methods which the script calls behind the constructor, each once."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.native import deciding_site, rewritten
from tests.native.trees import printed as printed_by
from tests.native.trees import reasons, tiers
from tests.native.trees import rewritten as rewritten_tree

NET = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, sess, size):
        self.sess = sess
        self.size = size

    def value(self, x, scope):
        with tf.variable_scope(scope):
            w = tf.get_variable("w", [self.size, 1], initializer=tf.constant_initializer(0.5))
        return tf.matmul(x, w)

    def build(self):
        self.rate = tf.placeholder(tf.float32, [], name="rate")
        self.x = tf.placeholder(tf.float32, [None, self.size])
        self.y = self.value(self.x, "out")
        self.loss = tf.reduce_mean(tf.square(self.y - 1.0))
        self.train_op = tf.train.AdamOptimizer(self.rate).minimize(self.loss)

    def predict(self, data):
        return self.sess.run(self.y, {self.x: data})

    def train(self):
        self.sess.run(tf.global_variables_initializer())
        self.saver = tf.train.Saver()
        for step in range(3):
            data = np.ones([2, self.size]) * (step + 1)
            _, loss = self.sess.run([self.train_op, self.loss], {self.x: data, self.rate: 0.1})
            print("%.4f" % loss)
        self.saver.save(self.sess, "./net.ckpt")
        print("%.4f" % self.predict(data)[0, 0])
"""
MAIN = """

def main():
    with tf.Session() as sess:
        net = Net(sess, 3)
        net.build()
        net.train()
        print("%.4f" % net.predict(np.ones([1, 3]))[0, 0])


if __name__ == "__main__":
    main()
"""
CODE = NET + MAIN
# What TensorFlow 1.15.5 prints, and the names in its checkpoint.
PRINTED = "0.2500\n1.9600\n3.3663\n2.0525\n0.6842\n"
SAVED = {"beta1_power", "beta2_power", "out/w", "out/w/Adam", "out/w/Adam_1"}


def test_methods_that_build_and_train(tmp_path: Path) -> None:
    outcome = rewritten_tree(tmp_path, {"train.py": CODE})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    text = (tmp_path / "train.py").read_text()
    assert "self.train_step = train_step" in text.partition("def build")[2].partition("def predict")[0]
    assert "initializer()" not in text
    assert printed_by(tmp_path, "train.py") == PRINTED
    assert set(tf.train.load_checkpoint(str(tmp_path / "net.ckpt")).get_variable_to_shape_map()) == SAVED


MADE = "        self.train_op = tf.train.AdamOptimizer(self.rate).minimize(self.loss)\n"
SAVER = "        self.saver = tf.train.Saver()\n"
TRAINED = CODE.replace("        net.build()\n", "").replace(SAVER, "")
TRAINED = TRAINED.replace("    def train(self):\n", "    def train(self):\n        self.build()\n")
BY_TRAINING = {
    "and saves all": (TRAINED.replace(MADE, MADE + SAVER), SAVED),
    "and optimizes": (
        TRAINED.replace(MADE, SAVER).replace("        self.build()\n", "        self.build()\n" + MADE),
        {"out/w"},
    ),
}


@pytest.mark.parametrize(("code", "saved"), BY_TRAINING.values(), ids=BY_TRAINING.keys())
def test_a_method_that_trains_builds_first(tmp_path: Path, code: str, saved: set[str]) -> None:
    outcome = rewritten_tree(tmp_path, {"train.py": code})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed_by(tmp_path, "train.py") == PRINTED
    assert set(tf.train.load_checkpoint(str(tmp_path / "net.ckpt")).get_variable_to_shape_map()) == saved


def test_other_attributes_may_be_asked_for() -> None:
    run = "        return self.sess.run(self.y,"
    code, _ = _code(run, f'        assert hasattr(self, "size")\n{run}', "")
    assert {site.tier for site in rewritten(code).sites} == {"native"}


def test_a_class_of_another_module(tmp_path: Path) -> None:
    script = "import numpy as np\nimport tensorflow as tf\nfrom net import *\n" + MAIN
    outcome = rewritten_tree(tmp_path, {"net.py": NET, "train.py": script})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed_by(tmp_path, "train.py") == PRINTED


def _code(old: str, new: str, reason: str) -> tuple[str, str]:
    assert old in CODE
    return CODE.replace(old, new), reason


def _started() -> tuple[str, str]:
    """The object is trained by a function that is given it."""
    start = "def start(net):\n    net.train()\n\n\ndef main"
    return CODE.replace("net.train()", "start(net)").replace("def main", start), _ENDS


_ENDS = "the initializer runs inside a block"
REFUSED = {
    "it is built by training, twice": (
        TRAINED.replace(MADE, MADE + SAVER).replace("net.train()", "net.train()\n        net.train()"),
        "`build` makes a placeholder",
    ),
    "it is built by training, behind a Saver of what no earlier function makes": (
        TRAINED.replace(MADE, SAVER)
        .replace("        self.build()\n", "        self.build()\n" + MADE)
        .replace("        return self.sess.run(self.y, {self.x: data})\n", "        return data\n"),
        "the Saver is made before the functions that make variables",
    ),
    "it is built in a condition": _code(
        "        net.build()", "        if net.size:\n            net.build()", "`build` makes a placeholder"
    ),
    "it is trained in a loop": _code(
        "        net.train()", "        for _ in range(2):\n            net.train()", _ENDS
    ),
    "it is trained twice": _code("        net.train()\n", "        net.train()\n        net.train()\n", _ENDS),
    "it is trained before it is built": _code(
        "        net.build()\n        net.train()\n",
        "        net.train()\n        net.build()\n",
        "`train` runs the session before all that builds `Net` was called",
    ),
    "training may end before the initializer": _code(
        "        self.sess.run(tf.gl",
        "        if self.size > 3:\n            return\n        self.sess.run(tf.gl",
        _ENDS,
    ),
    "the method is passed on": _code("net.train()\n", "train = net.train\n        train()\n", _ENDS),
    "another name of the object trains it": _code("net.train()\n", "other = net\n        other.train()\n", _ENDS),
    "another method binds a part of the graph": _code(
        "        return self.sess.run(self.y,",
        "        self.loss = 0.0\n        return self.sess.run(self.y,",
        "`self.loss`, a part of the graph, is bound again",
    ),
    "the script asks what the object has": _code(
        "        net.build()\n", '        print(hasattr(net, "y"))\n        net.build()\n', "`hasattr` asks by a text"
    ),
    "the class asks what the object has": _code(
        "        return self.sess.run(self.y,",
        '        assert hasattr(self, "y")\n        return self.sess.run(self.y,',
        "`hasattr` asks by a text",
    ),
    "a function trains what it is given": _started(),
    "two objects": _code("        net.build()\n", "        more = Net(sess, 2)\n        net.build()\n", _ENDS),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    code, reason = REFUSED[name]
    assert "native" not in {site.tier for site in rewritten(code).sites}
    assert reason in (deciding_site(code).reason or "")
