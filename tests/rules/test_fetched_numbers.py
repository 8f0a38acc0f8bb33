"""Python's sums of what a session gives are in float64, as NumPy 1 made them: to the last digit that is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine import migrated, unchanged
from tests.steps.migration import migrated as migrated_program
from tests.steps.migration import said_by

EPOCHS = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder("float", [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.ones([2, 1]))
cost = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(cost)
accuracy = tf.reduce_mean(tf.cast(tf.matmul(x, w) > 0, tf.float32))
rows = np.arange(12, dtype=np.float32).reshape(6, 2) / 7
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(2):
        avg_cost, correct = 0.0, 0
        total_batch = int(len(rows) / 2)
        for i in range(total_batch):
            feed = {x: rows[2 * i : 2 * i + 2], y: [[0.3], [0.7]]}
            _, c = sess.run([train, cost], feed_dict=feed)
            avg_cost += c / total_batch
            correct += sess.run(accuracy, feed) * 2
        print("%.12f" % avg_cost, correct, "%.12f" % (c * 100), (1 - c).dtype)
"""
MODEL = """\
import tensorflow as tf


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.get_variable("w", [], initializer=tf.constant_initializer(0.7))
        self.loss = self.add_loss(self.x * self.w)
        self.train_op = tf.train.AdamOptimizer(0.1).minimize(self.loss)

    def add_loss(self, out):
        return tf.nn.l2_loss(out - 1.0) + 0.1 * tf.nn.l2_loss(self.w)
"""
TRAINER = """\
import tensorflow as tf

from model import Model


def report(value, count):
    print("%.12f" % (value / count))


def main():
    model, losses, smooth = Model(), [], None
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(4):
            loss = sess.run([model.loss, model.train_op], {model.x: [0.1, 0.2, step]})[0]
            losses.append(loss)
            smooth = 0.9 * smooth + 0.1 * loss if smooth else loss * 1.0
        total = sum(losses)
        print("%.12f %.12f %.12f" % (total, total / len(losses), smooth))
        print("%.12f" % sum([sess.run(model.loss, {model.x: [1.0, k]}) for k in range(3)]))
        report(loss, 3)


main()
"""
FILES = {"model.py": MODEL, "main.py": TRAINER}


@pytest.mark.parametrize("files", [{"main.py": EPOCHS}, FILES], ids=["a script", "a model in a module"])
def test_sums_of_what_is_fetched(files: dict[str, str], tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated_program(files, tmp_path / "new")
    for folder in ("old", "new"):
        for name, text in files.items():
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text(outcome.contents[name].decode() if folder == "new" else text)
    said = said_by((tmp_path / "new/main.py").read_text(), tmp_path / "new")
    assert said == run_legacy(files["main.py"], cwd=tmp_path / "old")


EXACT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
top = tf.reduce_max(x)
with tf.Session() as sess:
    total, seen = 0, []
    for _ in range(3):
        total += sess.run(top, {x: [0.1, -1.0]})
        seen.append(top.eval({x: [0.7]}))
    value = sess.run(top, {x: [0.3]})
    print("%.12f %.12f %.12f" % (total, sum(seen), value * 0.1), 2.5 - value)
"""


def test_to_the_last_digit(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated_program(EXACT, tmp_path).contents["main.py"].decode()
    assert said_by(text, tmp_path) == run_legacy(EXACT)


OTHERS = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
n = tf.placeholder(tf.int32, [])
with tf.Session() as sess:
    count, rows = sess.run([n + 1, x], {n: 1, x: [1.0]})
    total = 0
    total += count
    total += rows
    print(rows * 2, count + 1, "%s" % count)
"""


def test_whole_numbers_and_arrays_stay(tmp_path: Path) -> None:
    text = migrated(OTHERS).text
    assert "float(" not in text and "np.float64" not in text


@pytest.mark.parametrize("text", ["sum(rows)", "sum(x for x in rows)", "sum([1, 2.5])", "sum(rows, 1)"])
def test_sums_of_other_things(text: str) -> None:
    unchanged(f"import tensorflow as tf\n\n\ndef f(rows):\n    return {text}\n")


BYTES = {
    "cast to bytes": """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
level = tf.cast(x, tf.uint8)


def brighter(sess, by):
    return sess.run(level, {x: 200.0}) + by


with tf.Session() as sess:
    n = sess.run(level, {x: 200.0})
    print(n + 100, n * 2, 300 - n, n // 7, brighter(sess, 90))
    total = 0
    for k in range(3):
        total += sess.run(level, {x: 100.0})
    print(total)
""",
    "the peak of a signal": """\
import tensorflow as tf


class Meter(object):
    def __init__(self):
        self.signal = tf.placeholder(tf.int8, [3])
        self.peak = tf.reduce_max(self.signal)
        self.sess = tf.Session()

    def read(self, values):
        top, same = self.sess.run([self.peak, self.signal], {self.signal: values})
        return top + 100, top - 300, (same + 1).dtype


print("%d %d %s" % Meter().read([100, 1, 2]))
""",
}


@pytest.mark.parametrize("name", BYTES)
def test_whole_numbers_of_few_bits(name: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    """NumPy 2 keeps the type that a session gave, and wraps around: 200 + 100 was 300."""
    text = migrated_program(BYTES[name], tmp_path).contents["main.py"].decode()
    assert said_by(text, tmp_path) == said_by(migrated(BYTES[name]).text, tmp_path) == run_legacy(BYTES[name])
