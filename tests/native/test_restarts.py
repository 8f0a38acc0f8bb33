"""The initializer, run again: in TF 1.15.5 every variable that it knows begins anew, and so does every slot."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.native import deciding_site, made_native, printed

MODEL = """\
import numpy as np
import tensorflow as tf
start = 2.0
w = tf.Variable(start, name="w")
y = w * 3.0
train = tf.train.GradientDescentOptimizer(0.1).minimize(y)
sess = tf.Session()
init = tf.global_variables_initializer()
sess.run(init)
sess.run(train)
print(sess.run(w))
"""
AGAIN = "sess.run(tf.global_variables_initializer())\n"


def _native(code: str) -> str:
    result = made_native(code)
    return result.text


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f"{MODEL}{AGAIN}print(sess.run(y))\n", ["1.7", "6.0"]),
        (f"{MODEL}sess.run(init)\nprint(sess.run(y))\n", ["1.7", "6.0"]),
        (f"{MODEL}{AGAIN}sess.run(train)\nprint(sess.run(w))\n", ["1.7", "1.7"]),
        (f"{MODEL}v = tf.Variable(5.0)\n{AGAIN}print(sess.run(v + w))\n", ["1.7", "7.0"]),
        (f"{MODEL}def f():\n    return sess.run(w)\nprint(f())\n{AGAIN}print(f())\n", ["1.7", "1.7", "2.0"]),
    ],
    ids=["a built initializer", "the same initializer", "a step behind it", "a new variable", "a function that runs"],
)
def test_variables_begin_anew(code: str, expected: list[str]) -> None:
    assert printed(_native(code)).split() == expected


def test_a_shape_is_that_of_the_variable_where_it_may_be_another_by_now() -> None:
    code = MODEL.replace("2.0\n", "[1.0, 1.0]\n").replace("Variable(start", "Variable(tf.ones(shape=[len(start)])")
    text = _native(f"{code}start.append(1.0)\n{AGAIN}print(sess.run(w)[1])\n")
    assert "w.assign(tf.ones(shape=w.shape))" in text
    assert printed(text).split()[-1] == "1.0"


def test_names_stay_out_of_the_first_values() -> None:
    code = MODEL.replace('start, name="w"', "start").replace("y = ", "k = tf.Variable(start)\ny = k * ")
    assert "k.assign(start)\n" in _native(f"{code}{AGAIN}print(sess.run(y))\n")


def test_random_numbers_are_drawn_anew() -> None:
    code = MODEL.replace("tf.Variable(start", "tf.Variable(tf.random_normal([2], start)")
    first, second = printed(_native(f"{code}{AGAIN}print(sess.run(w))\n")).strip().split("\n")
    assert first != second


def test_a_saver_sees_what_begins_anew(tmp_path: Path) -> None:
    save = f"saver = tf.train.Saver()\nsaver.save(sess, {str(tmp_path / 'm')!r})\n"
    text = _native(f"{MODEL}v = tf.Variable(1.0)\n{AGAIN}{save}print(sess.run(v))\n")
    assert printed(text).split() == ["1.7", "1.0"]
    assert tf.train.load_variable(str(tmp_path / "m"), "w") == 2.0


def test_what_nothing_sees_any_more_is_left_alone() -> None:
    text = _native(f"{MODEL}v = tf.Variable(1.0)\n{AGAIN}print(sess.run(v))\n")
    assert ".assign(" not in text
    assert "initializer" not in text


ADAM = MODEL.replace("GradientDescentOptimizer", "AdamOptimizer")
REFUSED = {
    "the slots of an optimizer": f"{ADAM}{AGAIN}sess.run(train)",
    "slots that a function uses": ADAM.replace("sess.run(train)", "def f():\n    sess.run(train)\nf()") + f"{AGAIN}f()",
    "slots that are saved": f"{ADAM}{AGAIN}saver = tf.train.Saver()\nsaver.save(sess, './m')",
    "random numbers of NumPy": MODEL.replace("Variable(start", "Variable(np.random.rand()") + f"{AGAIN}sess.run(w)",
    "a value that is another by then": f"{MODEL}start = 3.0\n{AGAIN}sess.run(w)",
    "a value that was changed in place": MODEL.replace("start = 2.0", "start = [2.0]")
    + f"start[0] = 3.0\n{AGAIN}sess.run(w)",
    "a shape that is a value as well": MODEL.replace("Variable(start", "Variable(tf.ones([start]) * start")
    + f"start = 3.0\n{AGAIN}sess.run(w)",
    "a variable that has lost its name": f"{MODEL}w = 1\n{AGAIN}sess.run(y)",
    "a random operation with a seed": MODEL.replace("Variable(start", "Variable(tf.random_normal([], seed=1)")
    + f"{AGAIN}sess.run(w)",
    "random numbers that were drawn before": MODEL.replace(
        "w = tf.Variable(start", "drawn = tf.random_normal([])\nw = tf.Variable(drawn"
    )
    + f"{AGAIN}sess.run(w)",
    "variables of functions": MODEL.replace(
        'w = tf.Variable(start, name="w")', "def make():\n    return tf.Variable(start)\nw = make()"
    )
    + f"{AGAIN}sess.run(y)",
}


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED)
def test_refused(code: str) -> None:
    reason = deciding_site(f"{code}\n").reason or ""
    assert "initialized again" in reason or "initialized twice" in reason or "after other runs" in reason, reason


def test_an_older_initializer_does_not_know_newer_variables() -> None:
    late = f"{MODEL}late = tf.Variable(7.0)\nsess.run(late.initializer)\nsess.run(late.assign(9.0))\n"
    other = "other = tf.global_variables_initializer()\n"
    assert "initialized again" in (deciding_site(f"{late}{other}sess.run(init)\nprint(sess.run(w))\n").reason or "")
