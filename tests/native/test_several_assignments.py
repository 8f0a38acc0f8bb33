"""Several assignments that are built in the run itself: eager ones, where their order cannot matter."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses

MODEL = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
w = tf.Variable(2.0)
n = tf.Variable(0)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
SHOW = "print(sess.run(w), sess.run(n))\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # What TF 1.15.5 prints.
        ("sess.run([tf.assign(w, 5.0), n.assign(3)])\n", "5.0 3"),
        ("for k in range(3):\n    sess.run((w.assign_add(1.0), tf.assign(n, k)))\n", "5.0 2"),
        ("sess.run([w.assign(5.0), tf.no_op()])\n", "5.0 0"),
        ("got = sess.run([tf.assign(w, w * 2.0), n.assign_add(3)])\nprint(*got)\n", "4.0 3 4.0 3"),
        ("a, _ = sess.run([w.assign(7.0), n.assign(1)])\nprint(a)\n", "7.0 7.0 1"),
        ("_, = sess.run([w.assign(7.0)])\n", "7.0 0"),
        ("got = sess.run({'w': tf.assign(w, 5.0), 'n': tf.assign(n, 3)})\nprint(got['w'], got['n'])\n", "5.0 3 5.0 3"),
    ],
)
def test_assignments_of_one_run(code: str, expected: str) -> None:
    assert printed(made_native(MODEL + code + SHOW).text).split() == expected.split()


def test_assignments_whose_results_nothing_reads_are_statements() -> None:
    text = made_native(MODEL + "if w is not n:\n    sess.run([tf.assign(w, 5.0), n.assign(3)])\n" + SHOW).text
    assert "if w is not n:\n    w.assign(5.0)\n    n.assign(3)\n" in text


@pytest.mark.parametrize(
    ("fetches", "reason"),
    [
        ("[w.assign(5.0), n.assign(tf.cast(w * 2.0, tf.int32))]", "is computed of, in no order"),
        ("[w.assign(5.0), n.assign(tf.cast(w, tf.int32))]", "one run updates `w` and copies it, in no order"),
        ("[w.assign(5.0), w.assign(6.0)]", "one run updates `w` twice, in no order"),
        ("[w.assign(5.0), w]", "an update is built in the run itself, beside other fetches"),
        ("[w.assign(5.0), tf.scatter_update(n, [0], [1])]", ""),
    ],
)
def test_what_is_not_sure_is_refused(fetches: str, reason: str) -> None:
    refuses(f"{MODEL}sess.run({fetches})\n{SHOW}", reason)
