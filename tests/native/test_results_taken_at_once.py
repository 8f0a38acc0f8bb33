"""The one result of a run that is taken out of its list at once needs no list."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed

HEAD = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
w = tf.Variable([1.0, 2.0])
y = tf.square(x * w)
loss = tf.reduce_sum(y)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


@pytest.mark.parametrize(
    ("run", "becomes", "shown"),
    [
        ("[loss, step], {x: [1, 2]})[0]", "train_step([1, 2]).numpy()", "17.0\n"),
        ("[step, loss], {x: [1, 2]})[1]", "train_step([1, 2]).numpy()", "17.0\n"),
        ("(y,), {x: [1, 2]})[0][1]", "compute_y([1, 2]).numpy()[1]", "16.0\n"),
        ("[step, loss], {x: [1, 2]})[0]", "[None, train_step([1, 2]).numpy()][0]", "None\n"),
        ("[loss], {x: [1, 2]})[-1]", "[compute_loss([1, 2]).numpy()][-1]", "17.0\n"),
        ("y, {x: [1, 2]})[0]", "compute_y([1, 2]).numpy()[0]", "1.0\n"),
        ("[loss, y], {x: [1, 2]})[0]", "[value.numpy() for value in compute_loss_and_y([1, 2])][0]", "17.0\n"),
    ],
)
def test_only_where_it_is_the_only_one(run: str, becomes: str, shown: str) -> None:
    text = made_native(f"{HEAD}print(sess.run({run})\n").text
    assert text.endswith(f"\nprint({becomes})\n")
    assert printed(text) == shown


def test_an_index_beyond_the_list_stays_an_error() -> None:
    assert "[compute_loss([1, 2]).numpy()][1]" in made_native(f"{HEAD}print(sess.run([loss], {{x: [1, 2]}})[1])\n").text
