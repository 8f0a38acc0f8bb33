"""Imports that share their line with other statements, and those behind an import that goes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.native.trees import printed, rewritten

TREES: Mapping[str, tuple[Mapping[str, str], str]] = {
    "a use on the same line": (
        {
            "main.py": """\
import os; import tensorflow as tf; tf.logging.set_verbosity(tf.logging.ERROR); x = tf.placeholder(tf.float32)
with tf.Session() as sess: print(sess.run(x * 2, {x: 3.0}))
""",
        },
        "6.0\n",
    ),
    "native code below": (
        {
            "main.py": """\
import tensorflow as tf; tf.logging.set_verbosity(tf.logging.ERROR)
x = tf.placeholder(tf.float32, [None])
y = x * tf.Variable(2.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: [1.0, 2.0]}).tolist())
""",
        },
        "[2.0, 4.0]\n",
    ),
    "the program on the same line": (
        {
            "main.py": "import train; train.main()\n",
            "train.py": """\
import tensorflow as tf

def main():
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    with tf.Session() as sess:
        sess.run(w.initializer)
        print(sess.run(w + 1.0).tolist())
""",
        },
        "[2.0, 2.0]\n",
    ),
    "behind a docstring": (
        {
            "main.py": '''\
"""Doc."""; import tensorflow as tf; from tensorflow.contrib import layers; v = tf.Variable(4.0, name="v")
sess = tf.InteractiveSession(); v.initializer.run(); print(v.eval(), v.op.name)
''',
        },
        "4.0 v\n",
    ),
    "behind an import that goes": (
        {
            "main.py": """\
import tensorflow as tf

from tensorflow.contrib.tensorboard.plugins import projector

x = tf.placeholder(tf.float32, [2])
total = tf.reduce_sum(x)
print([node.op for node in tf.get_default_graph().as_graph_def().node][-1])
with tf.Session() as sess:
    print(sess.run(total, {x: [1.0, 2.0]}))
""",
        },
        "Sum\n3.0\n",
    ),
    "between imports that go": (
        {
            "main.py": """\
import tensorflow as tf


from tensorflow.contrib.tensorboard.plugins import projector
from tensorflow.python.framework import ops

with tf.Graph().as_default() as graph:
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.log(x, name="y")
with tf.Session(graph=graph) as sess:
    print(sess.run(y, {x: 1.0}), ops.get_default_graph() is graph)
""",
        },
        "0.0 True\n",
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_what_the_code_needs_is_imported_before_it(name: str, tmp_path: Path) -> None:
    texts, shown = TREES[name]
    rewritten(tmp_path, texts)
    assert printed(tmp_path, "main.py") == shown


def test_the_import_stands_behind_that_of_tensorflow(tmp_path: Path) -> None:
    line = "import tensorflow as tf; {0}x = {1}.placeholder('float32'); y = x + 1\n"
    outcome = rewritten(tmp_path, {"main.py": line.format("", "tf")})
    expected = line.format("import compat; compat.open_graph(); ", "compat")
    assert outcome.contents["main.py"].decode() == expected
