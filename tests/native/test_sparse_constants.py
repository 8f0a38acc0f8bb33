"""Sparse tensors of Python values, which operations on sparse tensors take."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, tier_of

CODE = """\
import tensorflow as tf

guess = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], list("abc"), [2, 2])
truth = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], list("adc"), [2, 2])
matrix = tf.SparseTensor([[0, 0], [1, 1]], [2.0, 3.0], [2, 2])
x = tf.placeholder(tf.float32, [2, 1])
product = tf.sparse_tensor_dense_matmul(matrix, x)
with tf.Session() as sess:
    print(sess.run(tf.edit_distance(guess, truth, normalize=False)))
    print(sess.run(product, {x: [[1.0], [2.0]]}).ravel())
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = "[1. 0.]\n[2. 6.]\n"


def test_sparse_tensors_of_constants() -> None:
    result = made_native(CODE)
    assert printed(result.text) == OUTPUT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    print(sess.run(product", "    print(sess.run(matrix))\n    print(sess.run(product"),
        ("sparse_tensor_dense_matmul(matrix, x)", "sparse_tensor_to_dense(matrix) * x"),
        ("sparse_tensor_dense_matmul(matrix, x)", "sparse_tensor_dense_matmul(matrix * 2.0, x)"),
        ("sparse_tensor_dense_matmul(matrix, x)", "square(matrix)"),
        ("sparse_tensor_dense_matmul(matrix, x)", "gather(matrix.values, [0]) * x"),
        ("[2.0, 3.0], [2, 2]", "tf.Variable([2.0, 3.0]), [2, 2]"),
        ("with tf.Session", "print(matrix)\nwith tf.Session"),
    ],
)
def test_what_is_not_sure(old: str, new: str) -> None:
    assert old in CODE
    assert tier_of(CODE.replace(old, new)) == "bridge"
