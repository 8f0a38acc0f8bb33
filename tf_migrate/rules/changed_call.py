"""A function whose parameters are others in TensorFlow 2 is called in the new way: by keyword where an argument has
moved, under its new keyword where that has changed, with TensorFlow 1's default written out where TensorFlow 2 has
another one. Where the arguments cannot be told (`*args`), the call goes to the shim, or is left to a person.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(
    id="TFM102",
    name="changed-call",
    before="""\
import tensorflow as tf


def total(x):
    return tf.reduce_sum(x, reduction_indices=[1], keep_dims=True)
""",
    after="""\
import tensorflow as tf


def total(x):
    return tf.reduce_sum(x, axis=[1], keepdims=True)
""",
)
