"""Conditions whose branches build a graph each, and run it: one of them runs, in a graph that is its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

X = np.arange(6, dtype=np.float32).reshape(3, 2) / 4
mode = MODE

"""
TRAIN = """\
def build(x, units):
    h = tf.layers.dense(x, units, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.4))
    return tf.layers.dense(h, 1, kernel_initializer=tf.constant_initializer(0.3))


def train(units, epochs=2):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = build(x, units)
    loss = tf.reduce_mean(tf.square(y - 1.0))
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(epochs):
            _, value = sess.run([step, loss], feed_dict={x: X})
            print("%.4f" % value)
        saver.save(sess, "./model")


"""
TEST = """\
def test(units):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = build(x, units)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        saver.restore(sess, "./model")
        print(np.round(sess.run(y, feed_dict={x: X}), 4).tolist())


"""
CALLED = """\
if mode == "train":
    print("begin")
    train(3)
elif mode == "test":
    test(3)
else:
    print("neither")
print("end", mode)
"""
MAIN = """\
def main(_):
    if mode == "train":
        train(3, epochs=1)
    else:
        test(3)


main(None)
"""
ALONE = 'if mode == "train":\n    train(4)\n'
WRITTEN = """\
if mode == "train":
    x = tf.placeholder(tf.float32, [None, 2])
    w = tf.Variable([[1.0], [2.0]])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        print("%.4f" % sess.run([loss, step], {x: X})[0])
    sess.close()
else:
    # Another graph, with names of its own
    x = tf.placeholder(tf.float32)
    y = tf.layers.dense(X, 2, kernel_initializer=tf.ones_initializer()) * x
    with tf.Session() as sess:
        tf.set_random_seed(3)
        sess.run(tf.global_variables_initializer())
        print(sess.run(y, {x: 2.0}).tolist())
print("end")
"""
BEHIND = "tf.reset_default_graph()\nz = tf.constant(3.0) * len(mode)\nwith tf.Session() as s:\n    print(s.run(z))\n"
BOTH = HEAD + TRAIN + TEST
PROGRAMS = {
    "functions": (BOTH + CALLED, ("train", "test", "other")),
    "a function around": (BOTH + MAIN, ("train", "test")),
    "one branch": (HEAD + TRAIN + ALONE, ("train", "other")),
    "statements": (HEAD + WRITTEN, ("train", "test")),
    "another graph behind": (BOTH + CALLED + BEHIND, ("train", "test", "other")),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_tf1_computed(
    name: str, run_legacy: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, modes = PROGRAMS[name]
    monkeypatch.chdir(tmp_path)
    for mode in modes:
        chosen = code.replace("MODE", f"str({mode!r})")
        expected = run_legacy(chosen)
        text = made_native(chosen).text
        assert printed(text) == expected
        tf.config.run_functions_eagerly(True)
        try:
            assert printed(text) == expected
        finally:
            tf.config.run_functions_eagerly(False)


REFUSED = {
    "a graph that goes on behind": (
        BOTH
        + CALLED
        + "z = tf.placeholder(tf.float32)\nwith tf.Session() as s:\n    print(s.run(z * 2.0, {z: 1.0}))\n",
        "behind the block of another one",
    ),
    "names of the graph behind": (
        HEAD + WRITTEN + "print(x.shape)\n",
        "`x` is a part of the graph on some paths",
    ),
    "variables that are listed behind": (
        BOTH + CALLED + "print(len(tf.global_variables()))\n",
        "`tf.global_variables`",
    ),
    "a graph before": (BOTH + "base = tf.placeholder(tf.float32)\n" + CALLED, "is called in a loop or a condition"),
    "a session before": (
        HEAD + "sess = tf.Session()\n" + WRITTEN.replace("    sess = tf.Session()\n", ""),
        "the graph grows inside a loop or a condition",
    ),
    "a branch that only builds": (
        BOTH + CALLED.replace('    print("neither")', "    z = tf.placeholder(tf.float32)"),
        "is called in a loop or a condition",
    ),
    "a loop": (
        BOTH + "for mode in ('train', 'test'):\n    " + CALLED.replace("\n", "\n    ").rstrip() + "\n",
        "in a loop or a condition",
    ),
    "a function that is called behind": (
        BOTH + 'if mode == "train":\n    train(3)\ntest(3)\n',
        "behind the block of another one",
    ),
    "one condition behind another": (
        BOTH + 'if mode == "train":\n    train(3)\nif len(mode) > 3:\n    test(3)\n',
        "behind the block of another one",
    ),
    "a session that a branch makes for others": (
        HEAD
        + 'sess = None\nif mode == "train":\n    sess = tf.Session()\n'
        + WRITTEN.split("sess = tf.Session()\n")[0].replace("    ", "").split("\n", 1)[1]
        + "sess.run(tf.global_variables_initializer())\nsess.run(step, {x: X})\n",
        "",
    ),
    "the same function in both": (
        BOTH + "if mode == 'train':\n    train(3)\nelse:\n    train(4)\n",
        "is not called just once",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    code, reason = REFUSED[name]
    refuses(code.replace("MODE", "str('train')"), reason)
