"""Checks of datasets, shapes and features: what they find, and much more of what they leave alone."""

from __future__ import annotations

import pytest

from tests.engine import migrated


def rules_told(code: str) -> list[str]:
    head = "import cv2\nimport numpy as np\nimport tensorflow as tf\n\ndata = tf.data.Dataset.range(8)\n"
    found = migrated(head + code + "\n", advice=True).findings
    return [finding.rule for finding in found if finding.rule.startswith("TFM4")]


@pytest.mark.parametrize(
    "code",
    ["data.repeat(True)", "data.batch(4).repeat(count=False)", "data.shuffle(True)", "d = data.map(f)\nd.take(True)"],
)
def test_booleans_for_counts(code: str) -> None:
    assert rules_told(code) == ["TFM421"]


@pytest.mark.parametrize(
    "code",
    [
        "data.repeat()",
        "data.repeat(-1)",
        "data.repeat(None)",
        "data.repeat(forever)",
        "np.arange(3).repeat(True)",
        "other.repeat(True)",
        "data.shuffle(8, reshuffle_each_iteration=True)",
        "data.batch(4, True)",
        "data.batch(4, drop_remainder=True)",
        "data = np.ones(3)\ndata.repeat(True)",
    ],
)
def test_other_counts(code: str) -> None:
    assert rules_told(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "data.map(lambda x: np.square(x))",
        "data.map(lambda x: x.numpy() + 1)",
        "def f(path):\n    return cv2.imread(path)\ndata.map(f)",
        "def f(x, y):\n    z = np.log(y)\n    return x, z\ndata.batch(2).map(f, num_parallel_calls=4)",
    ],
)
def test_python_in_mapped_functions(code: str) -> None:
    assert rules_told(code) == ["TFM422"]


@pytest.mark.parametrize(
    "code",
    [
        "data.map(lambda x: tf.square(x))",
        "data.map(lambda x: x * np.pi)",
        "data.map(lambda x: x * np.sqrt(2.0))",
        "data.map(lambda x: tf.numpy_function(np.square, [x], tf.int64))",
        "def f(x):\n    return np.square(x)\ndata.map(lambda x: tf.py_function(f, [x], tf.int64))",
        "def f(x):\n    g = lambda y: np.square(y)\n    return tf.numpy_function(g, [x], tf.int64)\ndata.map(f)",
        "map(lambda x: np.square(x), numbers)",
        "pool.map(lambda x: np.square(x), numbers)",
        "def f(x):\n    return np.square(x)\nf(3)",
        "def f(x):\n    return x + np.array([1, 2])\ndata.map(f)",
    ],
)
def test_other_mapped_functions(code: str) -> None:
    assert rules_told(code) == []


def signed(line: str, shape: str = "[None, 3]") -> str:
    return f"@tf.function(input_signature=[tf.TensorSpec({shape}, tf.float32)])\ndef f(x):\n    {line}"


@pytest.mark.parametrize(
    "code",
    [
        signed("return tf.reshape(x, [x.shape[0], 3, 1])"),
        signed("return tf.zeros([x.get_shape()[0], 2])"),
        signed("return tf.zeros((x.get_shape().as_list()[0], 2))"),
        signed("return tf.range(x.shape[0] * 2)"),
        signed("return tf.reshape(x, [-1, x.shape[-1] * 2])", "[2, None]"),
        "def f(c):\n    image = tf.io.decode_jpeg(c)\n    return tf.reshape(image, [image.shape[0], -1])\ndata.map(f)",
    ],
)
def test_static_shapes_that_are_not_known(code: str) -> None:
    assert rules_told(code) == ["TFM423"]


@pytest.mark.parametrize(
    "code",
    [
        signed("return tf.zeros([tf.shape(x)[0], 2])"),
        signed("return tf.zeros([x.shape[1], 2])"),
        signed("return tf.zeros([x.shape[-1] * 2])"),
        signed("return tf.zeros([x.shape[0], 2])", "[4, 3]"),
        signed("return x.shape[0]"),
        signed("print(x.shape[0])"),
        signed("return tf.zeros([x.shape[0] or 3, 2])"),
        signed("return tf.zeros([x.shape[0], 2]) if x.shape[0] is not None else x"),
        signed("x = g(x); return tf.zeros([x.shape[0], 2])"),
        signed("x.set_shape([None, x.shape[0]])"),
        signed("return tf.TensorShape([x.shape[0], 2])"),
        "@tf.function\ndef f(x):\n    return tf.zeros([x.shape[0], 2])",
        "def f(c):\n    image = tf.io.decode_jpeg(c)\n    return tf.zeros([image.shape[0], 2])\nf(contents)",
        "def f(c):\n    image = tf.io.decode_jpeg(c, channels=3)\n    return tf.zeros([image.shape[2]])\ndata.map(f)",
    ],
)
def test_other_static_shapes(code: str) -> None:
    assert rules_told(code) == []


def written(value: str, read: str) -> str:
    feature = f"tf.train.Features(feature={{'k': {value}}})"
    return f"example = {feature}\nparsed = tf.io.parse_single_example(r, {{'k': {read}}})"


TWO = "tf.train.Feature(int64_list=tf.train.Int64List(value=[a, b]))"
MANY = "tf.train.Feature(int64_list=tf.train.Int64List(value=numbers))"


@pytest.mark.parametrize(
    ("value", "read", "told"),
    [
        (TWO, "tf.io.FixedLenFeature([], tf.int64)", True),
        (TWO, "tf.io.FixedLenFeature([3], tf.int64)", True),
        (TWO, "tf.io.FixedLenFeature([2], tf.float32)", True),
        (TWO, "tf.io.FixedLenFeature([2], tf.int32)", True),
        (TWO, "tf.io.FixedLenFeature([2], tf.int64)", False),
        (TWO, "tf.io.FixedLenFeature([1, 2], tf.int64)", False),
        (TWO, "tf.io.FixedLenFeature(shape, tf.int64)", False),
        (TWO, "tf.io.FixedLenFeature([2], kind)", False),
        (TWO, "tf.io.VarLenFeature(tf.int64)", False),
        (MANY, "tf.io.FixedLenFeature([3], tf.int64)", False),
        ("of(a)", "tf.io.FixedLenFeature([2], tf.int64)", False),
    ],
)
def test_lengths_of_features(value: str, read: str, told: bool) -> None:
    assert rules_told(written(value, read)) == (["TFM424"] if told else [])


def test_a_function_that_makes_features_is_seen_through() -> None:
    function = "def number(v):\n    return tf.train.Feature(int64_list=tf.train.Int64List(value=[v]))\n"
    assert rules_told(function + written("number(a)", "tf.io.FixedLenFeature([2], tf.int64)")) == ["TFM424"]
    assert rules_told(function + written("number(a)", "tf.io.FixedLenFeature([], tf.int64)")) == []


def test_a_key_that_is_written_in_two_ways_is_left_alone() -> None:
    other = f"tf.train.Features(feature={{'k': {MANY}}})\n"
    assert rules_told(other + written(TWO, "tf.io.FixedLenFeature([3], tf.int64)")) == []
