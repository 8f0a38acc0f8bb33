"""Variables of a name that an operation or a scope had already: TensorFlow 1 saved them under another one."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.native.native import made_native, refuses

HEAD = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
"""
SAVING = """\
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(z, {x: 3.0}))
    saver.save(sess, "model")
"""


def scaled_by(variable: str) -> str:
    return f"def f(x):\n    return x * {variable}\n\n"


VARIABLE = scaled_by("tf.Variable(1.0, name='w')")
SCOPED = "def f(x):\n    with tf.name_scope('s'):\n        return x * tf.Variable(1.0, name='w')\n\n"
MAY = "another operation may have the name"
SCOPE = "something else may have the name of the scope `s`"
TAKEN = {
    "an operation": (VARIABLE + "z = f(tf.multiply(x, 2.0, name='w'))\n", "w_1", MAY),
    "an operation whose name stands in its place": (VARIABLE + "z = f(tf.multiply(x, 2.0, 'w'))\n", "w_1", MAY),
    "a name in capitals": (VARIABLE + "z = f(tf.multiply(x, 2.0, name='W'))\n", "w_1", MAY),
    "an operation beside the variable": (
        "def f(x):\n    y = tf.multiply(x, 2.0, name='w')\n    return y * tf.Variable(1.0, name='w')\n\nz = f(x)\n",
        "w_1",
        MAY,
    ),
    "an operation of another function": (
        VARIABLE + "def g(x):\n    return tf.multiply(x, 2.0, name='w')\n\nz = f(g(x))\n",
        "w_1",
        MAY,
    ),
    "an operation whose name a function is given": (
        VARIABLE + "def g(x, name):\n    return tf.multiply(x, 2.0, name=name)\n\nz = f(g(x, 'w'))\n",
        "w_1",
        MAY,
    ),
    "an operation whose name a loop gives": (
        VARIABLE + "for name in ['v', 'w']:\n    y = tf.multiply(x, 2.0, name=name)\nz = f(y)\n",
        "w_1",
        MAY,
    ),
    "an operation whose name is a default": (
        VARIABLE + "def g(x, name='W'):\n    return tf.identity(x, name=name)\n\nz = f(g(x))\n",
        "w_1",
        MAY,
    ),
    "its first value": (scaled_by("tf.Variable(tf.zeros([], name='w'), name='w')") + "z = f(x)\n", "w_1", MAY),
    "a placeholder": (VARIABLE + "p = tf.placeholder(tf.float32, [], name='w')\nz = f(x)\n", "w_1", MAY),
    "a scope": (VARIABLE + "with tf.name_scope('w'):\n    y = x * 2.0\nz = f(y)\n", "w_1", MAY),
    "a default name": (
        "def f(x):\n    y = tf.reduce_sum(x)\n    return y * tf.Variable(1.0, name='sum')\n\nz = f(x)\n",
        "sum_1",
        MAY,
    ),
    "the name of an operator": (scaled_by("tf.Variable(1.0, name='mul')") + "z = f(x * 2.0)\n", "mul_1", MAY),
    "a placeholder, where the variable has no name": (
        scaled_by("tf.Variable(1.0)") + "p = tf.placeholder(tf.float32, [], name='Variable')\nz = f(x)\n",
        "Variable_1",
        MAY,
    ),
    "a placeholder, where the variable of a script has no name": (
        "p = tf.placeholder(tf.float32, [], name='Variable')\nv = tf.Variable(1.0)\nz = x * v\n",
        "Variable_1",
        MAY,
    ),
    "an operator, where a script makes the variable": (
        "y = x * 2.0\nv = tf.Variable(1.0, name='mul')\nz = y * v\n",
        "mul_1",
        MAY,
    ),
    "an operation, where `tf.get_variable` makes the variable": (
        "def f(x):\n    y = tf.multiply(x, 2.0, name='w')\n    return y * tf.get_variable('w', [])\n\nz = f(x)\n",
        "w_1",
        MAY,
    ),
    "an operation of the name of the scope": (SCOPED + "z = f(tf.multiply(x, 2.0, name='s'))\n", "s_1/w", SCOPE),
    "another scope": (SCOPED + "with tf.name_scope('s'):\n    y = x * 2.0\nz = f(x)\n", "s_1/w", SCOPE),
}
FREE = {
    "other names": (VARIABLE + "z = f(tf.multiply(x, 2.0, name='y'))\n", "w"),
    "names of entries": (
        "def f(x):\n    known = {'w': tf.Variable(1.0, name='w')}\n    return x * known['w']\n\nz = f(x)\n",
        "w",
    ),
    "a scope of its own": (SCOPED + "z = f(x)\n", "s/w"),
}


@pytest.mark.parametrize(("code", "name", "reason"), TAKEN.values(), ids=TAKEN.keys())
def test_refused(code: str, name: str, reason: str) -> None:
    refuses(HEAD + code + SAVING, reason)


@pytest.mark.parametrize(("code", "name"), FREE.values(), ids=FREE.keys())
def test_native(code: str, name: str) -> None:
    assert "compat.v1" not in made_native(HEAD + code + SAVING).text


def test_native_where_nothing_goes_by_names() -> None:
    made_native(
        HEAD + TAKEN["an operation"][0] + SAVING.replace('    saver.save(sess, "model")\n', "").partition("\n")[2]
    )


def test_names_in_tensorflow_1(run_legacy: Callable[..., str]) -> None:
    expected = [name for _, name, _ in TAKEN.values()] + [name for _, name in FREE.values()]
    codes = [HEAD + case[0] for case in (*TAKEN.values(), *FREE.values())]
    program = f"""\
import json
import tensorflow as tf
found = []
for code in {codes!r}:
    with tf.Graph().as_default():
        exec(code, {{}})
        found += [variable.op.name for variable in tf.global_variables()]
print(json.dumps(found))
"""
    assert json.loads(run_legacy(program)) == expected
