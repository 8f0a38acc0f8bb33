"""Several graphs of one script that layers build: each has its variables, names and checkpoints by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf


def constant(value):
    return tf.constant_initializer(value)


X = np.arange(8, dtype=np.float32).reshape(4, 2) / 8
"""
FIRST = """\
x = tf.placeholder(tf.float32, [None, 2])
hidden = tf.layers.dense(x, 3, activation=tf.nn.relu, kernel_initializer=constant(0.5))
out = tf.layers.dense(hidden, 1, kernel_initializer=constant(0.5))
loss = tf.reduce_mean(tf.square(out))
step = tf.train.AdamOptimizer(0.1).minimize(loss)
init = tf.global_variables_initializer()
saver = tf.train.Saver()
with tf.Session() as sess:
    init.run()
    for epoch in range(3):
        sess.run(step, feed_dict={x: X})
        print("%.4f" % loss.eval(feed_dict={x: X}))
    saver.save(sess, "./first")
"""
SECOND = (
    FIRST.replace("tf.nn.relu", "tf.nn.tanh")
    .replace("constant(0.5)", "constant(0.25)")
    .replace("AdamOptimizer(0.1)", "MomentumOptimizer(0.1, 0.9)")
    .replace("./first", "./second")
)
SAVED = """\
with tf.Session() as sess:
    saver.restore(sess, "./second")
    print("%.4f" % loss.eval(feed_dict={x: X}))
for name in ("./first", "./second"):
    print(sorted(tf.train.list_variables(name)))
"""
RESET = "tf.reset_default_graph()\n"
FUNCTION = """\
def reset_graph(seed=42):
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    np.random.seed(seed)


"""
DRAWN = """\
x = tf.placeholder(tf.float32, [None, 2])
h = tf.layers.dense(x, 2, kernel_initializer=constant(0.5))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(h, {x: np.float32(np.random.rand(1, 2))}))
"""
ALONE = """\
a = tf.Variable(3, name="a")
b = tf.Variable(4, name="b")
c = a * a * b + b
with tf.Session() as sess:
    a.initializer.run()
    b.initializer.run()
    print(c.eval())
"""
NOISE = """\
x = tf.placeholder(tf.float32, [None, 2])
h = tf.layers.dense(x, 3)
dropped = tf.nn.dropout(h, 0.5)
noise = tf.random_normal([2])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    drawn = [sess.run(h, {x: X}), sess.run(noise), sess.run(noise), sess.run(dropped, {x: X})]
"""
PROGRAMS = {
    "one seed for both": HEAD
    + FUNCTION
    + "reset_graph()\n"
    + NOISE
    + "before = drawn\nprint((drawn[1] == drawn[2]).all())\nreset_graph()\n"
    + NOISE
    + "print([bool((old == new).all()) for old, new in zip(before, drawn)])\n",
    "one behind the other": HEAD + FIRST + RESET + SECOND + SAVED,
    "layers behind variables": HEAD + ALONE + RESET + FIRST,
    "variables behind layers": HEAD + FIRST + RESET + ALONE,
    "blocks": HEAD
    + "with tf.Graph().as_default():\n    "
    + FIRST.replace("\n", "\n    ").rstrip(" ")
    + "with tf.Graph().as_default():\n    "
    + SECOND.replace("\n", "\n    ").rstrip(" "),
    "a function that resets": HEAD
    + FUNCTION
    + "reset_graph()\n"
    + ALONE
    + "reset_graph()\n"
    + DRAWN
    + "reset_graph(seed=3)\n"
    + DRAWN,
    "a function that builds for both": HEAD
    + "def net(x, size):\n    return tf.layers.dense(x, size, kernel_initializer=constant(0.1))\n\n\n"
    + DRAWN.replace("tf.layers.dense(x, 2, kernel_initializer=constant(0.5))", "net(net(x, 2), 1)").replace(
        "np.float32(np.random.rand(1, 2))", "X"
    )
    + RESET
    + DRAWN.replace("tf.layers.dense(x, 2, kernel_initializer=constant(0.5))", "net(x, 3)").replace(
        "np.float32(np.random.rand(1, 2))", "X"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_tf1_computed(
    name: str, run_legacy: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = PROGRAMS[name]
    monkeypatch.chdir(tmp_path)
    expected = run_legacy(code)
    text = made_native(code).text
    assert printed(text) == expected
    tf.config.run_functions_eagerly(True)
    try:
        assert printed(text) == expected
    finally:
        tf.config.run_functions_eagerly(False)


def test_each_graph_has_a_store() -> None:
    text = made_native(PROGRAMS["one behind the other"]).text
    assert text.count("store = compat.VariableStore()\n") == 2
    assert "reset_default_graph" not in text


def test_a_function_that_resets_sets_the_seed_that_is_left() -> None:
    text = made_native(PROGRAMS["a function that resets"]).text
    assert "def reset_graph(seed=42):\n    tf.random.set_seed(seed)\n    np.random.seed(seed)\n" in text
    assert text.count("\nreset_graph(") == 3


AGAIN = HEAD + FUNCTION + "reset_graph()\n" + DRAWN + "reset_graph()\n" + DRAWN
LATE = "    tf.set_random_seed(seed)\n    tf.reset_default_graph()\n"
REFUSED = {
    "what is left behind": (AGAIN.replace(DRAWN, DRAWN + "old = h\n", 1) + "print(sess.run(old, {x: X}))\n", "`old`"),
    "a function that builds": (
        AGAIN.replace("    np.random.seed(seed)\n", "    return tf.constant(1.0)\n"),
        "`reset_graph` does more than build a part of the graph",
    ),
    "a seed before the graph": (
        AGAIN.replace("    tf.set_random_seed(seed)\n", "").replace("    tf.reset_default_graph()\n", LATE),
        "`reset_graph` does more than build a part of the graph",
    ),
    "a loop of graphs": (
        HEAD + FUNCTION + "for _ in range(2):\n    reset_graph()\n    " + DRAWN.replace("\n", "\n    ").rstrip(" "),
        "the graph is thrown away and another one begins",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    code, reason = REFUSED[name]
    refuses(code, reason)
