"""A symbol that TensorFlow 2 has under another name gets that name; it is called the same way and computes the same."""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(
    id="TFM101",
    name="renamed-symbol",
    before="""\
import tensorflow as tf


def entropy(p):
    return -p * tf.log(p)
""",
    after="""\
import tensorflow as tf


def entropy(p):
    return -p * tf.math.log(p)
""",
)
