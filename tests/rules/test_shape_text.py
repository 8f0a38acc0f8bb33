"""Shapes that a program prints, where TensorFlow 2 writes None for TensorFlow 1's `?`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine import migrated
from tests.native.native import printed, rewritten

HEAD = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
n = 3
fixed = tf.placeholder(tf.float32, [n, 4])
any_shape = tf.placeholder(tf.float32)
h = tf.layers.dense(x, 2)
total = tf.reduce_sum(h)
sess = tf.Session()
"""


@pytest.mark.parametrize(
    "line",
    [
        "print(x.get_shape())",
        "print('shape', h.shape)",
        "print('%s' % tf.nn.relu(h * 2.0).get_shape())",
        "print('{}'.format(x))",
        "print(f'{h.shape}')",
        "print((2.0 * h).shape, tf.reshape(x, [-1, 2, 2]).get_shape())",
        "print(tf.reshape(x, (-1, 2, 2)).get_shape())",
        "print(str(tf.argmax(h, axis=1).shape))",
        "print(tf.concat([h, h], 1).shape)",
        "print(tf.nn.embedding_lookup(tf.ones([5, 2]), tf.argmax(h, 1)))",
        "def net(a):\n    b = tf.layers.dense(tf.nn.relu(a), 3)\n    print('b', b.get_shape())",
        "i, r = tf.while_loop(cond, body, [i, r], [i.shape, tf.TensorShape([None])])\nprint(r.shape)",
        "data = tf.data.Dataset.range(5).batch(2)\na = data.make_one_shot_iterator().get_next()\nprint(a.shape)",
    ],
)
def test_shapes_with_an_unknown_size_are_told(line: str) -> None:
    (finding,) = [each for each in migrated(f"{HEAD}{line}\n{line}\n").findings if each.rule == "TFM145"]
    assert (finding.line, finding.severity) == (11 + line.count("\n"), "warning")


@pytest.mark.parametrize(
    "line",
    [
        "print(fixed.get_shape())",
        "print(any_shape.get_shape())",
        "print(total.shape)",
        "print(x.get_shape().as_list(), x.shape.ndims, x.shape[1])",
        "print(sess.run(h, {x: np.ones([1, 4])}).shape)",
        "a = np.ones([2])\nprint(a.shape)",
        "def f(x):\n    print(x.shape)",
        "def f(w):\n    print(tf.matmul(w, w).shape)",
        "print(tf.reduce_sum(h, 0).shape, tf.reshape(h, [3, 4]).shape, tf.concat([h, h], 0)[0].shape)",
        "data = tf.data.Dataset.range(5).batch(2, drop_remainder=True)\n"
        "a = data.make_one_shot_iterator().get_next()\nprint(a.shape)",
        "i, rows = tf.while_loop(cond, body, [i, row])\nprint(rows.shape)",
    ],
)
def test_other_texts_are_not(line: str) -> None:
    assert not [each for each in migrated(f"{HEAD}{line}\n").findings if each.rule == "TFM145"]


def test_only_what_is_told_of_is_written_otherwise(run_legacy: Callable[..., str]) -> None:
    code = f"{HEAD}print(fixed.get_shape(), any_shape.get_shape(), total.shape)\nprint(x.get_shape())\n"
    assert run_legacy(code).splitlines() == ["(3, 4) <unknown> ()", "(?, 4)"]
    assert printed(rewritten(code).text).splitlines() == ["(3, 4) <unknown> ()", "(None, 4)"]
