"""Runs that name tensors of a graph that a statement without a value brings: their steps stand behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

FROZEN = """\
import tensorflow as tf
from tensorflow.python.framework import graph_util


def main():
    x = tf.placeholder(tf.float32, [None, 3], name="input")
    train = tf.placeholder_with_default(False, [], name="train")
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [3, 2], initializer=tf.constant_initializer(0.5))
        h = tf.matmul(x, w)
        out = tf.cond(train, lambda: tf.nn.relu(h) * 2.0, lambda: h, name="drop")
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    gd = graph_util.convert_variables_to_constants(sess, sess.graph_def, [out.op.name])
    sess.close()
    tf.reset_default_graph()
    tf.import_graph_def(gd, name="")
    with tf.Session() as sess:
        print(sess.run("net/drop/Merge:0", {"input:0": [[1.0, 2.0, 3.0]]}).tolist())


main()
"""
LOADED = """\
import tensorflow as tf

source = tf.GraphDef()
for name, op in (("a", "Placeholder"), ("b", "Neg")):
    node = source.node.add()
    node.name, node.op = name, op
    node.attr["dtype" if op == "Placeholder" else "T"].type = tf.float32.as_datatype_enum
source.node[1].input.append("a")


def load(prefix):
    tf.reset_default_graph()
    tf.import_graph_def(source, name=prefix)
    sess = tf.Session()
    value = sess.run(prefix + "/b:0", feed_dict={prefix + "/a:0": [1.0, -2.0]})
    sess.close()
    return value.tolist()


print(load("m"))
"""


@pytest.mark.parametrize("program", [FROZEN, LOADED])
def test_a_step_stands_behind_what_brings_its_names(
    program: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert "open_graph" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
