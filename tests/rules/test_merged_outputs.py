"""Operations that TensorFlow 2's optimizer may compute of another output: kept apart in datasets, steps elsewhere."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.engine import migrated
from tests.native.native import made_native, refuses

HALVES = """\
import numpy as np
import tensorflow as tf


def half(z):
    a, b = tf.split(z, 2)
    return tf.maximum(b, 0.5 * a)


rows = tf.data.Dataset.from_tensor_slices(np.float32([[1, -2, 3, -4], [-8, 5, 6, 1]])).map(half)
row = rows.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    print([float(each) for _ in range(2) for each in sess.run(row)])
"""
PAIRS = """\
import numpy as np
import tensorflow as tf


class Reader:
    def parse(self, record):
        low, high = tf.unstack(record)
        scaled = tf.multiply(low, 0.1)
        return tf.maximum(x=scaled, y=high)

    def read(self, values):
        return tf.data.Dataset.from_tensor_slices(values).map(self.parse).batch(2)


element = Reader().read(np.float32([[-4, 1], [2, -8]])).make_one_shot_iterator().get_next()
sess = tf.Session()
print([float(each) for each in sess.run(element)])
"""


@pytest.mark.parametrize(("code", "line", "expected"), [(HALVES, 7, [3, -1, 6, 2.5]), (PAIRS, 9, [1, 0.2])])
def test_functions_of_datasets(code: str, line: int, expected: list[float], tmp_path: Path) -> None:
    result = migrated(code)
    assert [finding.line for finding in result.findings if finding.rule == "TFM148"] == [line]
    (tmp_path / "train.py").write_text(result.text)
    environment = {**os.environ, "TF_ENABLE_ONEDNN_OPTS": "1", "PYTHONPATH": str(ROOT)}
    done = warm.run([sys.executable, "train.py"], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == pytest.approx(expected)


@pytest.mark.parametrize(
    "value",
    [
        "tf.maximum(b, 0.0)",
        "tf.maximum(-1e-3, a * b)",
        "tf.maximum(a, 0.5 * a)",
        "tf.maximum(0.2 * (a + b), (a + b))",
        "tf.maximum(a, b)",
        "tf.minimum(b, 0.5 * a)",
    ],
)
def test_what_is_right_stays(value: str) -> None:
    code = HALVES.replace("tf.maximum(b, 0.5 * a)", value)
    assert "set_experimental_options" not in migrated(code).text


OF_ONE = """\
import numpy as np
import tensorflow as tf


def squash(a, slope=0.25):
    less = slope * a
    return tf.maximum(a, less)


rows = tf.data.Dataset.from_tensor_slices(np.float32([[1, -2], [-8, 5]]))
rows = rows.map(lambda z: squash(z) + tf.maximum(.5 * z, z))
row = rows.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    print(sess.run(row))
"""
LAYER = """import tensorflow as tf


class Layer(object):
    def __init__(self, alpha):
        self.alpha = alpha

    def __call__(self, value):
        return tf.maximum(value, value * self.alpha)


x = tf.placeholder(tf.float32, [None])
out = Layer(0.1)(x)
with tf.Session() as sess:
    print(sess.run(out, {x: [1.0, -2.0]}))
"""


def test_what_is_made_of_the_other_value_is_right() -> None:
    assert "set_experimental_options" not in migrated(OF_ONE).text
    assert "@tf.function" in made_native(LAYER).text


def test_a_name_that_is_bound_again_is_another_value() -> None:
    again = OF_ONE.replace("    return tf", "    less, a = slope * a, tf.unstack(a)[1]\n    return tf")
    assert "set_experimental_options" in migrated(again).text


SCRIPT = """\
import tensorflow as tf

z = tf.placeholder(tf.float32, [4])
a, b = tf.split(z, 2)
out = tf.maximum(b, 0.5 * a)
with tf.Session() as sess:
    print(sess.run(out, {z: [1.0, -2.0, 3.0, -4.0]}))
"""
HELPER = SCRIPT.replace("out = tf.maximum(b, 0.5 * a)\n", "out = leaky(b, a)\n").replace(
    "z = tf", "\ndef leaky(x, y):\n    return tf.maximum(x, 0.5 * y)\n\n\nz = tf", 1
)


@pytest.mark.parametrize("code", [SCRIPT, HELPER])
def test_no_plain_function_computes_them(code: str) -> None:
    refuses(code, "may be computed of one output of an operation where two are meant")
    assert "@tf.function" in made_native(code.replace("0.5 * a", "0.5").replace("0.5 * y", "0.5")).text
