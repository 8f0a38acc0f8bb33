"""Errors of runs that a program handles: natively some are others than TensorFlow 1 raised."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses

CODE = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
y = x * 2.0
sess = tf.Session()
for value in ([[1.0, 2.0]], [1.0, 2.0]):
    try:
        print(sess.run(y, {x: value}))
    except ERROR:
        print("wrong")
"""


@pytest.mark.parametrize("error", ["ValueError", "(KeyError, TypeError)"])
def test_the_error_for_a_shape_that_is_handled(error: str) -> None:
    refuses(CODE.replace("ERROR", error), "handled, and TensorFlow 2 raises another error")


@pytest.mark.parametrize("error", ["Exception", "(Exception, KeyboardInterrupt)"])
def test_any_error_that_is_handled(error: str) -> None:
    assert printed(made_native(CODE.replace("ERROR", error)).text) == "[[2. 4.]]\nwrong\n"


def test_a_handler_for_what_stands_around_the_run() -> None:
    code = CODE.replace("print(sess.run(y, {x: value}))", "float(value)").replace("ERROR", "TypeError")
    code += "print(sess.run(y, {x: [[1.0, 2.0]]}))\n"
    assert printed(made_native(code).text) == "wrong\nwrong\n[[2. 4.]]\n"
