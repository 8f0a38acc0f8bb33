"""A symbol that TensorFlow 2 has no equal of is read from `compat`, the run-time half of tf-migrate: the same variable
names, the same numbers, in TensorFlow 2.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(
    id="TFM103",
    name="shimmed-symbol",
    before="""\
import tensorflow as tf


def loss(labels, logits):
    return tf.losses.sparse_softmax_cross_entropy(labels, logits)
""",
    after="""\
import tensorflow as tf
import compat


def loss(labels, logits):
    return compat.losses.sparse_softmax_cross_entropy(labels, logits)
""",
)
