"""One could compute with entries of shapes that nobody knows in TensorFlow 1: what came out was not known either."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine import migrated, unchanged
from tests.steps.migration import migrated as migrated_program
from tests.steps.migration import said_by

SCRIPT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4, 6], name="x")
batch = x.get_shape()[0]
steps = x.get_shape()[0] * x.get_shape()[1]
print(steps.value, (batch + 1).value, (2 * batch).value, (x.shape[1] * x.shape[2]).value)
"""
NETWORK = """\
import tensorflow as tf


def flat(layer, units):
    size = layer.get_shape()[1] * layer.get_shape()[2]
    weights = tf.get_variable("weights", [size.value, units], initializer=tf.ones_initializer())
    return tf.matmul(tf.reshape(layer, [-1, size.value]), weights)


images = tf.placeholder(tf.float32, shape=[None, 2, 3])
half = images.shape[0] // 2
if half.value is None:
    print("any number of images")
out = flat(images, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(out, {images: [[[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]]}).tolist(), (half - 1).value)
"""


@pytest.mark.parametrize("program", [SCRIPT, NETWORK], ids=["a script", "a network"])
def test_what_is_computed_is_what_it_was(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated_program(program, tmp_path).contents["main.py"].decode()
    assert said_by(text, tmp_path) == run_legacy(program)


def test_known_entries_and_arrays_stay() -> None:
    text = migrated(
        "import tensorflow as tf\n\nx = tf.placeholder(tf.float32, [None, 4])\nprint(x.shape[1] * 2)\n"
    ).text
    assert text.endswith("print(x.shape[1] * 2)\n")
    unchanged("import numpy as np\nimport tensorflow as tf\n\n\ndef f(a):\n    return a.shape[0] * 2 + tf.zeros([2])\n")
