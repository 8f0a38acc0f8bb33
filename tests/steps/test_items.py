"""Items of lists and dictionaries, another one each time: there is a step for each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

EVALUATOR = """\
import numpy as np
import tensorflow as tf


class Evaluator:
    def __init__(self, graph_inputs, prediction, target):
        self.inputs = graph_inputs
        self.target = target
        with tf.name_scope("metrics"):
            self.metrics = {
                "mae": tf.reduce_mean(tf.abs(prediction - target)),
                "rmse": tf.sqrt(tf.reduce_mean(tf.square(prediction - target))),
                "bias": tf.reduce_mean(prediction - target),
            }

    def report(self, sess, x, y):
        feed = {self.inputs: x, self.target: y}
        for name in sorted(self.metrics):
            value = sess.run(self.metrics[name], feed_dict=feed)
            print("  %s %.5f" % (name, value))

    def table(self, sess, x, y):
        return {k: float(sess.run(v, {self.inputs: x, self.target: y})) for k, v in self.metrics.items()}


def main():
    x = tf.placeholder(tf.float32, [None, 2], "x")
    y = tf.placeholder(tf.float32, [None], "y")
    w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    out = tf.reduce_sum(x * w, 1)
    train = tf.train.GradientDescentOptimizer(0.2).minimize(tf.reduce_mean(tf.square(out - y)))
    evaluator = Evaluator(x, out, y)
    data = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], np.float32)
    target = np.array([1.0, -1.0, 0.5], np.float32)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(3):
            sess.run(train, {x: data, y: target})
            print("epoch", epoch)
            evaluator.report(sess, data, target)
        print(sorted(evaluator.table(sess, data, target).items()))


if __name__ == "__main__":
    main()
"""

LISTS = """\
import tensorflow as tf

step_ops = []
names = ["first", "second"]
variables = [tf.Variable(float(n), name=name) for n, name in enumerate(names)]
scale = tf.placeholder_with_default(1.0, [], name="scale")
ups = [tf.assign_add(v, scale * (n + 1)) for n, v in enumerate(variables)]
squares = [tf.square(v) * scale for v in variables]
sess = tf.InteractiveSession()
tf.global_variables_initializer().run()
for turn in range(2):
    for op in ups:
        print(sess.run(op, {scale: 0.5}))
    for at, name in enumerate(names):
        print(name, squares[at].eval(), sess.run(squares[at], feed_dict={scale: 2.0}))
    for square, name in zip(squares, names):
        print(name, sess.run(square))
for at, square in enumerate(squares):
    print(at, square.eval(), sess.run(square, feed_dict={scale: 3.0}))
table = {}
for v in variables:
    table[v.op.name] = v + scale
for turn in range(2):
    print([(k, sess.run(op)) for k, op in sorted(table.items())], {k: sess.run(op) for k, op in table.items()})
    for k, op in table.items():
        k = k + "!"
        print(k, sess.run(op))
    table[names[turn]] = variables[0] * 10.0
"""

# A dictionary that is filled again, and one in which there is more than tensors.
REFILLED = """\
import tensorflow as tf

name = tf.placeholder(tf.float32, [], name="each")
outs = {"one": name * 1.0, "two": name * 2.0}
mixed = {"one": outs["one"], "none": None}
with tf.Session() as sess:
    for turn in range(2):
        for key in ("one", "two"):
            print(key, sess.run(outs[key], {name: 1.0}))
        outs["two"] = name * 3.0
    for key in ("one", "one"):
        print(sess.run(mixed[key], {name: 5.0}))
    for at in range(2):
        print(sess.run(list(outs.values())[at], {name: 7.0}))
"""


@pytest.mark.parametrize(
    ("program", "natives", "steps"),
    [(EVALUATOR, 4, 1), (LISTS, 5, 2), (REFILLED, 1, 0)],
    ids=["evaluator", "lists", "refilled"],
)
def test_a_run_of_an_item(
    program: str, natives: int, steps: int, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} <= {"native", "dynamic"}
    assert sum(site.tier == "native" for site in outcome.report.sites) == natives
    text = outcome.contents["main.py"].decode()
    assert text.count("_steps = ") + text.count("_steps_2 = ") == steps
    assert said_by(text, tmp_path) == run_legacy(program)


# What a collection holds is not known one by one: each of its items is fetched by the words of the run.
OF_A_COLLECTION = """\
import numpy as np
import tensorflow as tf


def build():
    x = tf.placeholder(tf.float32, [None, 2])
    out = x
    for width in (3, 1):
        out = tf.layers.dense(out, width, kernel_initializer=tf.constant_initializer(0.5 * width))
    return x, out


x, out = build()
weights = tf.trainable_variables()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    value, first, third = sess.run([out, weights[0], weights[2]], {x: np.ones([1, 2])})
    print(value, first.ravel(), third.ravel())
"""


def test_several_items_of_a_collection(tmp_path: Path) -> None:
    outcome = migrated(OF_A_COLLECTION, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    # As TensorFlow 1.15.5 printed.
    wanted = "[[4.5]] [1.5 1.5 1.5 1.5 1.5 1.5] [0.5 0.5 0.5]\n"
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == wanted
