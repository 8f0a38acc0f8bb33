"""States of recurrent cells that runs fetch and feed again: parameters and results of functions, whole as they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import tensorflow as tf

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

rnn = tf.nn.rnn_cell
x = tf.placeholder(tf.float32, [2, None, 4])
ones = tf.constant_initializer(0.1)
"""
LSTMS = "cell = rnn.MultiRNNCell([rnn.LSTMCell(3, initializer=ones) for _ in range(2)])\n"
LOOP = "cells = []\nfor _ in range(2):\n    one = rnn.LSTMCell(3, initializer=ones)\n    cells.append(one)\n"
LSTM = "cell = rnn.LSTMCell(3, initializer=ones)\n"
GRU = "cell = rnn.GRUCell(3, kernel_initializer=ones)\n"
BUILD = """\
init = cell.zero_state(2, tf.float32)
outputs, final = tf.nn.dynamic_rnn(cell, x, initial_state=init)
loss = tf.reduce_mean(tf.square(outputs))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
data = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 24
state = sess.run(init)
for step in range(3):
"""
RUN = "    _, state, value = sess.run([train, final, loss], feed)\n    print('%.4f' % value)\n"
WHOLE = "    feed = {x: data, init: state}\n" + RUN
PARTS = (
    """\
    feed = {x: data}
    for i, (c, h) in enumerate(init):
        feed[c] = state[i].c
        feed[h] = state[i].h
"""
    + RUN
)
BEHIND = "print('%.4f' % sess.run(loss, {x: data}))\n"
PROGRAMS = {
    "a pair": LSTM + BUILD + WHOLE + "print('%.4f' % state.c.sum(), type(state).__name__)\n" + BEHIND,
    "a tensor": GRU + BUILD + WHOLE + "print(state.shape)\n" + BEHIND,
    "pairs": LSTMS + BUILD + WHOLE + BEHIND,
    "pairs of cells of a loop": LOOP + "cell = rnn.MultiRNNCell(cells)\n" + BUILD + WHOLE + BEHIND,
    "part by part": LSTMS + BUILD + PARTS + BEHIND,
    "by its name in the dictionary": LSTMS + BUILD + "    feed = {x: data}\n    feed[init] = state\n" + RUN + BEHIND,
    "other structures": LSTMS
    + BUILD
    + WHOLE
    + "one, zero = np.ones([2, 3], np.float32), np.zeros([2, 3], np.float32)\n"
    + "flat = [state[0].c, state[0].h, one, zero]\n"
    + "print('%.4f' % sess.run(loss, {x: data, init: flat}))\n"
    + "print('%.4f' % sess.run(loss, {init: (state[0], [one, zero]), x: data}))\n"
    + "try:\n    sess.run(loss, {x: data, init: flat[:3]})\nexcept Exception:\n    print('too few')\n",
    "behind layers and a variable": "w = tf.Variable(2.0)\nhidden = tf.layers.dense(x, 4, kernel_initializer=ones)\n"
    + LSTMS
    + BUILD.replace("(cell, x,", "(cell, w * hidden,")
    + WHOLE
    + BEHIND,
}
MODEL = """\
class Model:
    def __init__(self, size, count):
        self.x = tf.placeholder(tf.float32, [size, None, 4])
        cell = rnn.MultiRNNCell([rnn.LSTMCell(3, initializer=ones) for _ in range(count)])
        self.initial_state = cell.zero_state(size, tf.float32)
        outputs, self.final_state = tf.nn.dynamic_rnn(cell, self.x, initial_state=self.initial_state)
        self.loss = tf.reduce_mean(tf.square(outputs))
        self.train_op = tf.train.GradientDescentOptimizer(0.5).minimize(self.loss)


def train(model, sess, epochs):
    for _ in range(epochs):
        state = sess.run(model.initial_state)
        for _ in range(2):
            feed = {model.x: np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 24}
            for i, (c, h) in enumerate(model.initial_state):
                feed[c] = state[i].c
                feed[h] = state[i].h
            loss, state, _ = sess.run([model.loss, model.final_state, model.train_op], feed)
            print('%.4f' % loss)


model = Model(2, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    train(model, sess, 2)
"""
PROGRAMS["a model whose parts a function feeds"] = MODEL


@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_tf1_computed(name: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + PROGRAMS[name]
    expected = run_legacy(code)
    text = made_native(code).text
    assert printed(text) == expected
    tf.config.run_functions_eagerly(True)
    try:
        assert printed(text) == expected
    finally:
        tf.config.run_functions_eagerly(False)


def test_a_state_is_a_parameter() -> None:
    text = made_native(HEAD + PROGRAMS["part by part"]).text
    assert "def train_step(x, init):\n" in text
    assert "final, loss = " not in text
    assert "    state, value = tf.nest.map_structure(lambda value: value.numpy(), train_step(data, state))\n" in text
    assert "enumerate" not in text


def test_its_function_builds_the_cells_alone() -> None:
    text = made_native(HEAD + PROGRAMS["pairs"]).text
    function = text[text.index("def compute_init()") : text.index("    return init")]
    assert function.count("\n") == 3
    assert "dynamic_rnn" not in function


REFUSED = {
    "what it is like is shown by no run": (
        PROGRAMS["a pair"].replace("state = sess.run(init)", "state = (np.zeros([2, 3], np.float32),) * 2"),
        "what is fed in the place of `init` has a type and a shape that no function shows",
    ),
    "a part of it": (
        LSTMS + BUILD + "    feed = {x: data, init[0].c: state[0].c}\n" + RUN,
        "something other than a placeholder is fed",
    ),
    "parts in another order": (
        LSTMS
        + BUILD
        + PARTS.replace("state[i].c", "state[i].h", 1).replace("feed[h] = state[i].h", "feed[h] = state[i].c"),
        "a part of the graph is given to `enumerate`",
    ),
    "names of the loop that are read behind it": (
        LSTMS + BUILD + PARTS + "print(i)\n",
        "a part of the graph is given to `enumerate`",
    ),
    "a state that is another one by then": (
        LSTMS + BUILD + PARTS.replace("    _, state", "    state = sess.run(init)\n    _, state"),
        "`state` in the feed dictionary may have changed",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    code, reason = REFUSED[name]
    refuses(HEAD + code, reason)
