"""Modules that do nothing when they are executed but define names, for whoever imports them by a text."""

from __future__ import annotations

import pytest

from tf_migrate.files.source import read
from tf_migrate.names.exports import Index
from tf_migrate.names.summary import summarize
from tf_migrate.syntax.outline import outline


@pytest.mark.parametrize(
    ("code", "gives"),
    [
        ('"""A model."""\nx = tf.placeholder(tf.float32)\ntf.summary.scalar("x", x)\n', True),
        ('with tf.variable_scope("net"):\n    w = tf.get_variable("w", [])\n    tf.add_to_collection("w", w)\n', True),
        ("def train(sess):\n    print(sess.run(x))\n", True),
        ("with tf.Session() as sess:\n    train(sess)\n", False),
        ("losses = [sess.run(loss) for _ in range(3)]\n", False),
        ("net = Net()\nnet.fit()\n", False),
        ("if __name__ == '__main__':\n    pass\n", False),
    ],
)
def test_what_a_module_does_when_it_is_executed(code: str, gives: bool) -> None:
    source = read("net.py", f"import tensorflow as tf\n{code}".encode())
    assert summarize(outline(source), Index([("net", False)], {}), "compat").gives is gives
