"""Assignments that a block builds for the run behind it, as where weights come from elsewhere; runs of one branch."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

MODEL = """\
import os
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, size, rate):
        self.size = size
        self.rate = rate
        self.x = tf.placeholder(tf.int32, [None])
        self.y = tf.placeholder(tf.float32, [None])
        self.rows = tf.get_variable("rows", [size], initializer=tf.zeros_initializer())
        self.scale = tf.get_variable("scale", [], initializer=tf.ones_initializer())
        self.guess = self.compute()
        self.loss = tf.reduce_mean(tf.square(self.guess - self.y))
        self.step = self.train()

    def compute(self):
        return tf.gather(self.rows, self.x) * self.scale

    def train(self):
        return tf.train.GradientDescentOptimizer(self.rate).minimize(self.loss)


def give_rows(sess, model, path):
    import json
    values = np.array(json.loads("[1.0, 2.0, %d]" % len(path)))
    rows = tf.constant(values, dtype=tf.float32)
    given = tf.assign(model.rows, rows)
    sess.run(given)
    print("given")


def main():
    with tf.Session() as sess:
        model = Model(3, 0.1)
        saver = tf.train.Saver()
        if os.path.exists("nowhere/checkpoint"):
            saver.restore(sess, "nowhere/model")
        else:
            sess.run(tf.global_variables_initializer())
            if model.size > 2:
                give_rows(sess, model, "path")
        for _ in range(2):
            print(sess.run([model.loss, model.step], {model.x: [0, 2], model.y: [0.0, 1.0]})[0])
        print(sess.run(model.rows))


main()
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = "given\n5.0\n2.2625003\n[0.89189994 2.         3.6367    ]\n"
BUILT = "    given = tf.assign(model.rows, rows)\n    sess.run(given)\n"


def test_weights_from_elsewhere() -> None:
    result = made_native(MODEL)
    assert "    model.rows.assign(rows)\n    print" in result.text
    assert "        self.train()\n" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUT


@pytest.mark.parametrize(
    ("built", "rows"),
    [
        ("    given = model.rows.assign(rows)\n    print(sess.run(given)[1])\n", "model.rows.assign(rows).numpy()[1]"),
        ("    given = tf.assign_add(model.rows, values)\n    sess.run(given)\n", "model.rows.assign_add(values)"),
        (
            "    for value in values:\n        given = tf.assign(model.scale, value)\n        sess.run(given)\n",
            "        model.scale.assign(value)\n",
        ),
        (
            "    for value in values:\n        given = tf.multiply(model.rows, value)\n"
            "        print(sess.run(given))\n",
            "        print(tf.multiply(model.rows, value).numpy())\n",
        ),
    ],
    ids=["a method, whose value is printed", "another assignment", "in a loop", "a product in a loop"],
)
def test_other_forms(built: str, rows: str) -> None:
    result = made_native(MODEL.replace(BUILT, built))
    assert rows in result.text


GROWS = "the graph grows inside a loop or a condition"
REFUSED = {
    "something between": (
        "    given = tf.assign(model.rows, rows)\n    values[0] = 3.0\n    sess.run(given)\n",
        GROWS,
    ),
    "the name is read again": (
        "    given = tf.assign(model.rows, rows)\n    sess.run(given)\n    print(given)\n",
        GROWS,
    ),
    "it runs in a block of its own": (
        "    given = tf.assign(model.rows, rows)\n    if len(path):\n        sess.run(given)\n",
        GROWS,
    ),
    "something is built that makes variables": (
        "    given = tf.layers.dense(rows[None], 1)\n    sess.run(given)\n",
        GROWS,
    ),
    "something is built that draws": ("    given = tf.random_normal([3])\n    sess.run(given)\n", GROWS),
    "something that another statement of the block built": (
        "    given = tf.square(model.rows)\n    given = tf.reduce_sum(given)\n    sess.run(given)\n",
        GROWS,
    ),
    "a tensor that is fed": (
        "    given = tf.assign(model.rows, model.guess)\n    sess.run(given, {model.x: [0, 1, 2]})\n",
        "`model` would be needed where it is not known",
    ),
}


@pytest.mark.parametrize(("built", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(built: str, reason: str) -> None:
    text = MODEL.replace(BUILT, built)
    refuses(text, reason)


BRANCHES = {
    "before the initializer": (
        "            sess.run(tf.global_variables_initializer())\n            if model.size > 2:\n"
        '                give_rows(sess, model, "path")\n',
        '            give_rows(sess, model, "path")\n            sess.run(tf.global_variables_initializer())\n',
        "the session runs before the initializer provably did",
    ),
    "in the other branch": (
        '            saver.restore(sess, "nowhere/model")\n',
        '            give_rows(sess, model, "path")\n            saver.restore(sess, "nowhere/model")\n',
        "the session runs before the initializer provably did",
    ),
}


@pytest.mark.parametrize(("before", "after", "reason"), BRANCHES.values(), ids=BRANCHES.keys())
def test_runs_that_a_branch_gave_no_values(before: str, after: str, reason: str) -> None:
    text = MODEL.replace(before, after)
    assert text != MODEL
    refuses(text, reason)


def test_a_run_in_the_branch_itself() -> None:
    """Where a branch restores all variables, they have values there too."""
    both = MODEL.replace(
        '            saver.restore(sess, "nowhere/model")\n',
        '            saver.restore(sess, "nowhere/model")\n            print(sess.run(model.scale))\n',
    ).replace(
        "            if model.size > 2:\n", "            print(sess.run(model.scale))\n            if model.size > 2:\n"
    )
    result = made_native(both)
    assert printed(result.text) == "1.0\n" + OUTPUT


GUESSES = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable([[1.0, 2.0, 0.0], [1.0, -2.0, 3.0]])
logits = tf.matmul(x, w)


sess = tf.Session()
sess.run(tf.global_variables_initializer())


def guess(value):
    # The class with
    # the highest logit
    prediction = tf.argmax(logits, 1)  # one of three
    return sess.run(prediction, feed_dict={x: value})


def total(value):
    built = tf.reduce_sum(logits, 1)

    result = sess.run(built, {x: value})
    return result[0]


for i in range(3):
    best = tf.reduce_max(logits)
    print(best.eval(session=sess, feed_dict={x: [[1.0 * i, 1.0]]}), guess([[1.0, 1.0 * i]]), total([[1.0, 1.0 * i]]))
"""
# What TensorFlow 1.15.5 prints.
GUESSED = "3.0 [1] 3.0\n3.0 [2] 5.0\n3.0 [2] 7.0\n"


def test_what_is_computed_is_built_for_the_run() -> None:
    result = made_native(GUESSES)
    assert "    # the highest logit\n    # one of three\n    return predict(value).numpy()\n" in result.text
    assert "(value):\n    result = compute_built(value).numpy()\n" in result.text
    assert printed(result.text) == GUESSED


def test_a_name_that_a_function_reads_as_well() -> None:
    show = "best = None\n\n\ndef show():\n    print(best is None)\n\n\nfor i"
    code = GUESSES.replace("for i", show) + "show()\n"
    refuses(code, GROWS)
