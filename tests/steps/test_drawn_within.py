"""Numbers from the graph's seed alone, of functions that make other operations before they draw than TensorFlow 1's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.steps.migration import migrated, said_by

PROGRAM = """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(5)
x = tf.placeholder_with_default(tf.ones([2, 3]), [None, 3])
keep = tf.placeholder_with_default(0.6, [])
values = [
    tf.random_gamma([2], 1.5),
    tf.random_gamma([2], alpha=[0.5, 3.0], beta=2.0),
    tf.random_gamma(tf.shape(x)[:1], x[0], 1.0 / keep),
    tf.distributions.Beta(2.0, 1.0).sample(3),
    tf.nn.dropout(x, 0.5, noise_shape=[2, 1]),
    tf.nn.dropout(x, keep, noise_shape=[1, 3]),
    tf.nn.dropout(x, keep, noise_shape=[tf.shape(x)[0], 1]),
    tf.layers.dropout(x, 0.5, noise_shape=(None, 1), training=True),
    tf.random_uniform([2]),
]
with tf.Session() as sess:
    for each in sess.run(values) + sess.run(values):
        print(np.round(each, 3).tolist())
"""


def test_what_is_drawn(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(PROGRAM, tmp_path)
    assert outcome.report.sites
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(PROGRAM)
