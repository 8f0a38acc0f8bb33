"""Expressions before a dot: whatever kind of expression a program has there, the dot is of all of it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from native import made_native, printed

from tf_migrate.native.layout import operand

EXPRESSIONS = """\
a
a.b
a[0]
a(1)
a if b else c
(a if b else c)
a or b
not a
-a
a + b
(a) + (b)
(a + b)
a < b
a ** 2
lambda: a
(n := a)
await a
1
1.5
"text"
f"{a}"
[a]
[b for b in a]
{a}
{a: b}
(a, b)
a, b
(b for b in a)
(a).b if c else (d)
(a
 .b)
(a +
 b)
"""


@pytest.mark.parametrize("text", EXPRESSIONS.replace("\n ", "\0").splitlines())
def test_a_dot_is_of_the_whole_expression(text: str) -> None:
    text = text.replace("\0", "\n ")
    made = ast.parse(f"{operand(text)}.x", mode="eval").body
    assert isinstance(made, ast.Attribute)
    assert ast.dump(made.value) == ast.dump(ast.parse(f"({text}\n)", mode="eval").body)


def test_what_is_one_already_gets_no_brackets() -> None:
    assert [operand(text) for text in ("a.b", "a[0](1)", "(a or b)")] == ["a.b", "a[0](1)", "(a or b)"]


HEAD = """\
import tempfile
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
u = tf.Variable(1.0)
v = tf.Variable(2.0)
fast = True
loss = tf.square(u * x - 3.0)
adam = tf.train.AdamOptimizer(0.1)
sgd = tf.train.GradientDescentOptimizer(0.01)
"""
START = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
PROGRAMS = {
    "the optimizer of a step": "step = (adam if fast else sgd).minimize(loss)\n"
    + START
    + "print(sess.run(step, {x: 2.0}), sess.run(u))\n",
    "a variable that a function assigns to": "up = tf.assign(u if fast else v, x * 3.0)\n"
    + START
    + "print(sess.run(up, {x: 2.0}), sess.run(u), sess.run(v))\n",
    "a variable whose method assigns": "up = (u if not fast else v).assign_add(x * 3.0)\n"
    + START
    + "print(sess.run(up, {x: 2.0}), sess.run(u), sess.run(v))\n",
    "a variable that is fetched": "up = tf.assign_add(u, x)\n"
    + START
    + "print(*sess.run([up, u if fast else v], {x: 2.0}), sess.run(u if fast else v), sess.run(v if fast else u))\n",
    "assignments in runs": START
    + "sess.run(tf.assign(u if fast else v, 7.0))\nsess.run((v if fast else u).assign_add(5.0))\n"
    "print(sess.run(u), sess.run(v))\n",
    "averages": "ema = tf.train.ExponentialMovingAverage(0.5)\nother = tf.train.ExponentialMovingAverage(0.9)\n"
    "step = sgd.minimize(loss)\nwith tf.control_dependencies([step]):\n"
    "    moved = (ema if fast else other).apply([u])\n"
    "average = (ema if fast else other).average(u)\n"
    + START
    + "sess.run(moved, {x: 3.0})\nprint(sess.run(average), sess.run(u))\n",
    "constants": "c = tf.constant(3.0)\n"
    + START
    + "print(sess.run(-c), sess.run(c if fast else u), (c * 2.0 + 1.0).eval(session=sess))\n"
    + "print((u + v).eval(session=sess))\n",
    "a default": "k = tf.placeholder_with_default(u, [])\ny = k * 2.0\n"
    + START
    + "print(sess.run(y), sess.run(y, {k: 5.0}))\n",
    "what a Saver saves": "step = (adam if fast else sgd).minimize(loss)\nsaver = tf.train.Saver()\n"
    + START
    + "sess.run(step, {x: 2.0})\npath = saver.save(sess, tempfile.mkdtemp() + '/model')\n"
    "print(sorted(name for name, _ in tf.train.list_variables(path)))\n",
}


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_chosen_objects_do_as_in_tf1(body: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(HEAD + body).text) == run_legacy(HEAD + body)
