"""The states of recurrent cells as runs fetch them: tensors, pairs, or tuples of pairs, as the cell has it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed

HEAD = """\
import numpy as np
import tensorflow as tf


def shown(value):
    return np.array2string(value, precision=4, suppress_small=True)


rnn = tf.nn.rnn_cell
x = tf.placeholder(tf.float32, [2, 3, 1])
ones = tf.constant_initializer(0.1)
"""
TAIL = """
sess = tf.Session()
sess.run(tf.global_variables_initializer())
images = np.arange(6).reshape(2, 3, 1)
"""
LSTM = """\
out, state = tf.nn.dynamic_rnn(rnn.LSTMCell(2, initializer=ones), x, dtype=tf.float32)
"""
RUNS = {
    "a pair": (
        LSTM,
        "o, s = sess.run([out, state], {x: images})\n"
        "print(o.shape, type(s).__name__, shown(s.c), shown(s[1]))\n"
        "s = sess.run(state, {x: images})\nprint(len(s), shown(s.h))\n"
        "print(shown(sess.run(state.c, {x: images})))\n",
    ),
    "a pair under its own names": (
        LSTM,
        "for _ in range(2):\n    out_, (c, h) = sess.run([out, state], {x: images})\n    print(shown(c), shown(h))\n",
    ),
    "a tensor": (
        "out, state = tf.nn.dynamic_rnn(rnn.GRUCell(2, kernel_initializer=ones), x, dtype=tf.float32)\n",
        "o, s = sess.run([out, state], {x: images})\nprint(shown(o[:, -1]), shown(s))\n",
    ),
    "pairs": (
        "cells = rnn.MultiRNNCell([rnn.LSTMCell(2, initializer=ones) for _ in range(2)])\n"
        "out, state = tf.nn.dynamic_rnn(cells, x, dtype=tf.float32)\n"
        "last = state[1]\nfirst, second = state\n",
        "s = sess.run(state, {x: images})\nprint(type(s).__name__, shown(s[0].c))\n"
        "s = sess.run(last, {x: images})\nprint(type(s).__name__, shown(s.h))\n"
        "print([shown(value.h) for value in sess.run([first, second], {x: images})])\n",
    ),
    "an unrolled cell": (
        "outputs, state = tf.nn.static_rnn(rnn.LSTMCell(2, initializer=ones), tf.unstack(x, 3, 1), dtype=tf.float32)\n",
        "o, s = sess.run([outputs[-1], state], {x: images})\nprint(shown(o), shown(s.c))\n"
        "print(len(sess.run(outputs, {x: images})))\n",
    ),
    "both directions": (
        "cells = rnn.LSTMCell(2, initializer=ones), rnn.GRUCell(2, kernel_initializer=ones)\n"
        "outputs, states = tf.nn.bidirectional_dynamic_rnn(cells[0], cells[1], x, dtype=tf.float32)\n"
        "forth, back = states\n",
        "s = sess.run(states, {x: images})\nprint(shown(s[0].c), shown(s[1]))\n"
        "f, b = sess.run([forth, back], {x: images})\nprint(shown(f.h), shown(b))\n",
    ),
    "a state that is given": (
        "c = tf.placeholder(tf.float32, [2, 2])\nh = tf.placeholder(tf.float32, [2, 2])\n"
        "given = rnn.LSTMStateTuple(c, h=h)\n"
        "out, state = tf.nn.dynamic_rnn(rnn.LSTMCell(2, initializer=ones), x, initial_state=given)\n",
        "s = np.zeros([2, 2]), np.ones([2, 2])\nfor _ in range(3):\n"
        "    o, s = sess.run([out, state], {x: images, c: s[0], h: s[1]})\n    print(shown(s.c), shown(s.h))\n",
    ),
    "a cell that is called": (
        "cell = rnn.LSTMCell(2, initializer=ones)\nstate = cell.zero_state(2, tf.float32)\n"
        "for i in range(3):\n    out, state = cell(x[:, i], state)\n",
        "o, s = sess.run([out, state], {x: images})\nprint(shown(o), shown(s.c))\n",
    ),
    "a function": (
        "def unrolled(values):\n"
        "    return tf.nn.dynamic_rnn(rnn.LSTMCell(2, initializer=ones), values, dtype=tf.float32)\n"
        "out, state = unrolled(x)\n",
        "o, s = sess.run([out, state], {x: images})\nprint(shown(o[0]), shown(s.h))\n",
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_computes_what_tf1_computed(name: str, run_legacy: Callable[..., str]) -> None:
    build, runs = RUNS[name]
    code = HEAD + build + TAIL + runs
    assert printed(made_native(code).text) == run_legacy(code)


SIZES = """\
import tensorflow as tf


def flat(images):
    rows, columns = images.get_shape()[1:3]
    return tf.reshape(images, [-1, images.shape[3].value * rows.value * columns.value])


x = tf.placeholder(tf.float32, [None, 2, 2, 3])
depth = x.get_shape()[3].value
y = flat(x) * depth
z = tf.zeros([depth, x.shape[1].value])
sess = tf.Session()
images = [[[[1.0, 2.0, 3.0]] * 2] * 2]
print(sess.run(y, {x: images}))
print(sess.run(z, {x: images}))
"""


def test_a_size_is_a_number(run_legacy: Callable[..., str]) -> None:
    result = made_native(SIZES)
    assert "depth = x.get_shape()[3]\n" in result.text
    assert printed(result.text) == run_legacy(SIZES)
