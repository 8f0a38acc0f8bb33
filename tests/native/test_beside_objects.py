"""Functions made beside an object that built a part of what they compute: the object computes that part itself."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, tier_of

MODEL = """\
import tensorflow as tf

class Model(object):
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        self.y = tf.placeholder(tf.float32, [None])
        with tf.variable_scope("line"):
            w = tf.get_variable("w", [size, 1], initializer=tf.ones_initializer())
        self.count = tf.Variable(0.0, trainable=False, name="count")
        self.up = tf.assign_add(self.count, 1.0)
        # what the line says
        self.value = tf.squeeze(tf.matmul(self.x, w), axis=1) + self.count
        self.loss = tf.reduce_mean(tf.square(self.value - self.y))
        self.error = tf.reduce_max(tf.abs(self.value - self.y))

"""
USE = """\
def main():
    model = Model(2)
    steps = tf.Variable(0, trainable=False, name="steps")
    train_op = tf.train.AdamOptimizer(0.1).minimize(model.loss, global_step=steps)
    worst = model.error * 2.0
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())

        def learn(rows, target):
            _, loss, error = sess.run([train_op, model.loss, worst], {model.x: rows, model.y: target})
            print("%.4f %.4f" % (loss, error))

        for _ in range(2):
            learn([[1.0, 2.0], [0.5, 0.0]], [1.0, 2.0])
            sess.run(model.up)
        print("%.4f" % sess.run(model.value, {model.x: [[1.0, 2.0]]})[0], sess.run(steps))

main()
"""
# What TensorFlow 1.15.5 prints, here and below.
PRINTED = "3.1250 4.0000\n3.7963 5.4000\n4.4038 2\n"


def native(code: str) -> str:
    result = made_native(code)
    return result.text


def test_a_step_of_the_script_on_a_loss_of_the_object() -> None:
    text = native(MODEL + USE)
    assert "self.x = tf.TensorSpec([None, size], tf.float32)" in text
    assert "    self.w = w = tf.Variable(" in text
    assert "def compute_loss_and_error(x, y):" in text
    assert "input_signature=[model.x, tf.TensorSpec([None], tf.float32)]" in text
    assert "            loss, error = model.compute_loss_and_error(x, y)\n" in text
    assert "variables = [model.w]" in text
    assert printed(text) == PRINTED


def test_a_name_that_the_script_gives_the_loss_too() -> None:
    use = USE.replace("    train_op", "    loss = model.loss\n    train_op").replace(
        "minimize(model.loss", "minimize(loss"
    )
    text = native(MODEL + use)
    assert "loss = loss" not in text
    assert printed(text) == PRINTED


LAYERS = MODEL.replace("w = tf.get_variable(", "h = tf.layers.dense(").replace(
    '"w", [size, 1], initializer=tf.ones_initializer()', "self.x, 1, kernel_initializer=tf.ones_initializer()"
)


def test_layers_of_the_object() -> None:
    model = LAYERS.replace("tf.matmul(self.x, w)", "h")
    text = native(model + USE)
    assert "with model.store, tf.GradientTape() as tape:" in text
    assert "*model.store.trainable_variables" in text or "variables = model.store.trainable_variables" in text
    assert printed(text) == "3.1250 4.0000\n3.5913 5.2000\n4.2141 2\n"


REFUSED = {
    "another value has the name of a part of the object": (
        MODEL,
        USE.replace("    worst =", "    error = tf.identity(model.error)\n    worst =").replace(
            "= model.error", "= error"
        ),
        "`error` names a part of an object of `Model` and another value",
    ),
    "a value of the script has the name of a placeholder": (
        MODEL,
        USE.replace("    worst =", "    x = tf.constant(2.0)\n    worst =").replace("* 2.0", "* x"),
        "`x` names a part of an object of `Model` and another value",
    ),
    "a step of the object in one run with the script's": (
        MODEL.replace("        self.up", "        self.step = 0\n        self.up"),
        USE.replace("[train_op, model.loss, worst]", "[train_op, model.up, worst]"),
        "or updates of theirs",
    ),
    "parts that two methods build": (
        MODEL.replace(
            "        self.error", "        self._rest(size)\n\n    def _rest(self, size):\n        self.error"
        )
        + "",
        USE,
        "several methods build",
    ),
    "layers of the script beside those of the object": (
        LAYERS.replace("tf.matmul(self.x, w)", "h"),
        USE.replace("model.error * 2.0", "tf.reduce_sum(tf.layers.dense(tf.reshape(model.error, [1, 1]), 1))"),
        "layers of",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    model, use, reason = REFUSED[name]
    assert reason in (deciding_site(model + use).reason or "")
    assert tier_of(model + use) == "bridge"
