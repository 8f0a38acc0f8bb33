"""Functions that read the input by queues: natively each returns an iterator, and the runs take elements of that."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten

CODE = """\
import numpy as np
import tensorflow as tf


def read(count, batch_size):
    values = list()
    for number in range(count):
        values.append(float(number))
    names = tf.convert_to_tensor(list(range(count)), dtype=tf.int32)
    value, label = tf.train.slice_input_producer([tf.convert_to_tensor(values), names], shuffle=False)
    # Twice as much
    value = value * 2.0
    X, labels = tf.train.batch([value, label], batch_size)
    return X, labels


batch_size = 3
X, labels = read(5, batch_size)
w = tf.Variable(1.0)
loss = tf.reduce_mean(X * w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    for step in range(3):
        _, shown, numbers = sess.run([train, loss, labels])
        print("%.4f" % shown, numbers.tolist())
    coord.request_stop()
    coord.join(threads)
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = "2.0000 [0, 1, 2]\n3.7333 [3, 4, 0]\n1.3333 [1, 2, 3]\n"
HEAD, _, SCRIPT = CODE.partition("batch_size = 3\n")
LINES = """\
import os
import tempfile

import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "numbers.csv")
with open(path, "w") as file:
    file.write("1,2\\n3,4\\n5,6\\n")


def read(names, epochs):
    queue = tf.train.string_input_producer(names, num_epochs=epochs, shuffle=False)
    _, line = tf.TextLineReader().read(queue)
    x, y = tf.decode_csv(line, [[0.0], [0.0]])
    x, y = tf.train.batch([x, y], 2, allow_smaller_final_batch=True)
    return x, y


def main():
    first, second = read([path], 1)
    x = 3.0
    total = tf.reduce_sum(first * 10.0 + second)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        try:
            while not coord.should_stop():
                print(sess.run(total), x)
        except tf.errors.OutOfRangeError:
            print("end", x)
        finally:
            coord.request_stop()
        coord.join(threads)


main()
"""


def test_a_function_that_reads_the_input() -> None:
    result = made_native(CODE)
    assert "    return iterator\n" in result.text
    assert "iterator = read(5, batch_size)\n" in result.text
    assert "        # Twice as much\n" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUT


def test_the_script_has_names_of_its_own() -> None:
    code = CODE.replace("X, labels = read", "labels, X = read").replace("[train, loss, labels]", "[train, loss, X]")
    # The names mean something else in the function and outside of it.
    assert printed(made_native(code.replace("(X * w)", "(labels * w)")).text) == OUTPUT
    code = CODE.replace("X, labels = read", "images, classes = read").replace("loss, labels]", "loss, classes]")
    result = made_native(code.replace("(X * w)", "(images * w)"))
    assert printed(result.text) == OUTPUT


def test_the_order_is_that_of_what_is_returned() -> None:
    code = CODE.replace("return X, labels", "return labels, X").replace("X, labels = read", "labels, X = read")
    result = made_native(code)
    assert printed(result.text) == OUTPUT


def test_a_part_of_what_is_read() -> None:
    code = CODE.replace("return X, labels", "return X").replace("X, labels = read", "X = read")
    code = code.replace("_, shown, numbers = sess.run([train, loss, labels])", "_, shown = sess.run([train, loss])")
    code = code.replace("shown, numbers.tolist()", "shown")
    result = made_native(code)
    assert printed(result.text) == "2.0000\n3.7333\n1.3333\n"


def test_a_loop_over_all_that_is_read_keeps_the_names_around_it() -> None:
    result = made_native(LINES)
    assert "for next_x, y in iterator" in result.text
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "46.0 3.0\n56.0 3.0\nend 3.0\n"


@pytest.mark.usefixtures("as_it_stands")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "X, labels = read(5, batch_size)\n",
            "X, labels = read(5, batch_size)\nA, B = read(5, 2)\n",
            "called inside a function",
        ),
        ("    return X, labels", "    X = X * 2.0\n    return X, labels", "something else than what one of them gives"),
        ("    return X, labels", "    names = X * 2.0\n    return X, names", "called inside a function"),
        ("    return X, labels", "    return X * 1.0, labels", "is called inside a function"),
        (
            "    return X, labels",
            "    if count:\n        return X, labels\n    return X, labels",
            "called inside a function",
        ),
        ("    # Twice", "    tf.summary.scalar('value', value)\n    # Twice", "does more than read the input"),
        ("    # Twice", "    unused = tf.Variable(2.0)\n    # Twice", "does more than read the input"),
        ("    # Twice", "    global seen\n    seen = 1\n    # Twice", "more than build"),
        ("def read(", "@staticmethod\ndef read(", "decorated"),
        ("value * 2.0", "value * tf.Variable(2.0)", "inside an expression"),
        ("read(5, batch_size)\n", "read(5, tf.size([1, 2, 3]))\n", "used as a Python value"),
        ("loss = tf", "value = 1.0\nprint(value)\nloss = tf", "called inside a function"),
        (
            "X, labels = read(5, batch_size)\n",
            "for _ in range(1):\n    X, labels = read(5, batch_size)\n",
            "called inside a function",
        ),
    ],
)
def test_what_is_not_sure(old: str, new: str, reason: str) -> None:
    assert old in CODE
    site = deciding_site(CODE.replace(old, new, 1))
    assert site.tier == "bridge"
    assert reason in (site.reason or ""), site.reason
