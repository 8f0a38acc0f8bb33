"""Blocks of building begin and end with what builds: definitions and plain statements around stay as they were."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.steps.migration import migrated, said_by

TABLES = """\
import tensorflow as tf


def half(x):
    return x * 0.5


shapes = {"half": half, "double": lambda x: x * 2.0}
rates = [0.1, 0.01]


def layer(x, n, kernel=tf.constant_initializer(0.5)):
    w = tf.get_variable("w", [3, n], initializer=kernel)
    return shapes["half"](tf.matmul(x, w))


x = tf.placeholder(tf.float32, [None, 3])
y = layer(x, 2)
limit = 2.5


def show(sess, value):
    print(sess.run(y, {x: value}).tolist(), limit)


with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    show(session, [[1.0, 2.0, 3.0]])
"""

LIBRARY = {
    "layers.py": """\
import tensorflow as tf


def scaled(x, rate):
    return tf.multiply(x, rate)


rates = {"slow": 0.5, "fast": 2.0}
kinds = {"scaled": scaled}


def make(kind, x, speed, first=tf.ones_initializer()):
    with tf.variable_scope(kind):
        w = tf.get_variable("w", [], initializer=first)
        return kinds[kind](x + w, rates[speed])
""",
    "main.py": """\
import tensorflow as tf

import layers

x = tf.placeholder(tf.float32, [])
y = layers.make("scaled", x, "fast")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: 1.5}))
""",
}


def test_a_script_with_tables_of_functions(tmp_path: Path) -> None:
    text = migrated(TABLES, tmp_path).contents["main.py"].decode()
    block = """\
    with compat.building():
        x = compat.Input(tf.float32, [None, 3])
        y = layer(x, 2)
    y_step = compat.step(y, x)
    limit = 2.5
    """
    assert textwrap.dedent(block) in text and text.count("compat.building()") == 1
    assert '\nshapes = {"half": half' in text and "\ndef layer(x, n, kernel=" in text
    assert said_by(text, tmp_path) == "[[1.5, 1.5]] 2.5\n"


def test_a_module_that_only_defines_has_no_block(tmp_path: Path) -> None:
    contents = migrated(LIBRARY, tmp_path).contents
    assert b"building()" not in contents["layers.py"]
    (tmp_path / "layers.py").write_bytes(contents["layers.py"])
    assert said_by(contents["main.py"].decode(), tmp_path) == "5.0\n"
