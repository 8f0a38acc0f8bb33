"""What draws numbers by a seed of its own draws one sequence for all runs: no two functions may have a copy of it."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

_SEEDED = ["seed=7", "mean=0.0, seed=7", "0.0, 1.0, tf.float32, 7"]
DRAWN = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 2]))


def model(data, train=False):
    hidden = tf.matmul(data, w)
    return tf.nn.dropout(hidden, 0.5, seed=7) if train else hidden


noise = model(x, True) + tf.random_normal([2], seed=5)
loss = tf.reduce_mean(tf.square(noise))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
total = tf.reduce_sum(model(x))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        value, drawn, _ = sess.run([loss, noise, train_op], {x: np.ones([1, 2])})
        print("%.4f" % value, drawn.round(4).tolist())
    print("%.4f" % sess.run(total, {x: np.ones([1, 2])}))
"""
# What TensorFlow 1.15.5 prints.
PRINTED = """\
6.1062 [[-1.1780999898910522, 3.29010009765625]]
3.5005 [[-0.33709999918937683, 2.6243999004364014]]
1.6342
"""


@pytest.mark.parametrize("seeded", _SEEDED)
def test_numbers_drawn_by_a_seed_of_their_own(seeded: str) -> None:
    code = f"import tensorflow as tf\ny = tf.random_normal([3], {seeded}) + 1.0\nsess = tf.Session()\n"
    code += "print(sess.run(y))\n"
    assert tier_of(code) == "native"
    both = code + "z = y * 2.0\nprint(sess.run(z))\n"
    assert "which several runs, sessions or threads go through" in str(deciding_site(both).reason)
    assert tier_of(both.replace("7", "None")) == "native"


def test_arguments_that_may_hold_a_seed() -> None:
    code = "import tensorflow as tf\ny = tf.random_normal([3], *[0.0, 1.0, tf.float32, None]) + 1.0\n"
    code += "sess = tf.Session()\nprint(sess.run(y))\nprint(sess.run(y * 2.0))\n"
    assert tier_of(code) == "bridge"


@pytest.mark.parametrize("seeded", ["seed=7", "0.5, None, 7"])
def test_dropout_by_a_seed_of_its_own(seeded: str) -> None:
    code = f"import tensorflow as tf\ny = tf.layers.dropout(tf.ones([3]), {seeded}, training=True)\n"
    code += (
        "z = tf.reduce_sum(y)\nsess = tf.Session()\nsess.run(tf.global_variables_initializer())\nprint(sess.run(y))\n"
    )
    assert tier_of(code) == "native"
    assert tier_of(code + "print(sess.run(z))\n") == "bridge"
    assert tier_of(code.replace("7", "None") + "print(sess.run(z))\n") == "native"


def test_the_numbers_are_those_of_tensorflow_1() -> None:
    result = made_native(DRAWN)
    assert printed(result.text) == PRINTED


BEGUN = """\
import tensorflow as tf

first = tf.Variable(tf.truncated_normal([3], seed=11))
second = tf.Variable(tf.truncated_normal(
    [3], seed=11))
third = tf.get_variable("third", [3], initializer=tf.truncated_normal_initializer(seed=11))
alone = tf.Variable(tf.random_uniform([3], seed=11))
x = tf.placeholder(tf.float32, [])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for values in sess.run([first * x, second * x, third * x], {x: 1.0}):
        print(["%.4f" % value for value in values])
"""


def test_variables_that_begin_with_numbers_of_one_seed() -> None:
    """Each has a sequence of its own; a call that has no other beside it stays as it is."""
    text = rewritten(BEGUN).text
    assert text.count("first_draw(tf.random.truncated_normal,") == 2
    assert "tf.Variable(tf.random.uniform([3], seed=11)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == "['1.4039', '-1.6896', '-0.2113']\n" * 3


REFUSED = {
    "another session, where the sequence begins anew": DRAWN
    + """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(noise, {x: np.ones([1, 2])}))
""",
    "another run": DRAWN + "    print(sess.run(noise, {x: np.ones([1, 2])}))\n",
    "what another run computes of it": DRAWN + "    print(sess.run(noise * 2.0, {x: np.ones([1, 2])}))\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    assert tier_of(REFUSED[name]) == "bridge"


APART = """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(7)
x = tf.placeholder(tf.float32, [])


def shaken(t):
    return t + tf.random_uniform([20])


z = tf.random_uniform([20])
a = z * x
b = z + 0.0 * x
c = shaken(0.0 * x)
d = tf.layers.dropout(tf.ones([20]) * x, 0.5, training=True)
e = tf.nn.dropout(tf.ones([20]) * x, 0.5)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    first = sess.run(a, {x: 1.0})
    again = sess.run(a, {x: 1.0})
    second = sess.run(b, {x: 1.0})
    third = sess.run(c, {x: 1.0})
    kept = sess.run(d, {x: 1.0})
    other = sess.run(e, {x: 1.0})
print(len({tuple(value) for value in (first, again, second, third)}), len({tuple(value) for value in (kept, other)}))
"""


def test_functions_draw_numbers_of_their_own_by_the_seed_of_the_graph() -> None:
    """TensorFlow 1 drew none twice; TensorFlow 2 begins with the same in each function."""
    result = made_native(APART)
    assert result.text.count("    compat.random.new_sequence()\n") == 5
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == "4 2\n"
    assert printed(result.text.replace("compat.random.new_sequence()", "pass")) != "4 2\n"


def test_where_functions_need_no_numbers_of_their_own() -> None:
    """Without a seed they have them, and one alone shares them with none."""
    assert "new_sequence" not in rewritten(APART.replace("tf.set_random_seed(7)\n", "")).text
    alone = APART.partition("c = shaken")[0] + "with tf.Session() as sess:\n    print(sess.run(a, {x: 1.0}))\n"
    assert "new_sequence" not in rewritten(alone).text
