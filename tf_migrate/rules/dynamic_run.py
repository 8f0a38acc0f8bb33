"""A place that runs a session computes what the running program alone knows: fetches that grow by a condition, or keys
of feeds that a loop finds. It becomes a call of `compat.run`, which has one pruned function for each set of them.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(
    id="TFM206",
    name="dynamic-run",
    before="""\
import tensorflow as tf


class Model:
    def __init__(self, sess):
        self.sess = sess
        self.inputs = {name: tf.placeholder(tf.float32, name=name) for name in ("a", "b")}

    def values(self, fetches, numbers):
        feeds = {self.inputs[name]: number for name, number in numbers.items()}
        return self.sess.run(fetches, feed_dict=feeds)
""",
    after="""\
import tensorflow as tf
import compat


class Model:
    @compat.builder
    def __init__(self):
        self.inputs = {name: compat.Input(tf.float32, name=name) for name in ("a", "b")}

    def values(self, fetches, numbers):
        feeds = {self.inputs[name]: number for name, number in numbers.items()}
        return compat.run(fetches, feeds)
""",
)
