"""Variables that loops and comprehensions of a script make: the store of its functions has them, under TF1's names."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

AUTOENCODER = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
net = x
sizes = [4, 8, 3]
encoder = []
for i, size in enumerate(sizes[1:]):
    W = tf.Variable(tf.ones([sizes[i], size]) * 0.1)
    b = tf.Variable(tf.zeros([size]), name="b")
    encoder.append(W)
    net = tf.nn.tanh(tf.matmul(net, W) + b)
z = net
encoder.reverse()
for i, size in enumerate(sizes[:-1][::-1]):
    W = tf.transpose(encoder[i])
    b = tf.Variable(tf.zeros([size]))
    net = tf.nn.tanh(tf.matmul(net, W) + b)
cost = tf.reduce_sum(tf.square(net - x))
step = tf.train.GradientDescentOptimizer(0.125).minimize(cost)
saver = tf.train.Saver()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    print("%.4f" % sess.run([cost, step], {x: np.ones([2, 4])})[0])
print("%.4f" % sess.run(z, {x: np.ones([2, 4])})[0, 0])
saver.save(sess, "FOLDER/model")
for name, shape in tf.train.list_variables("FOLDER/model"):
    print(name, shape)
"""
# What TensorFlow 1.15.5 prints.
AUTOENCODER_OUTPUT = """\
6.9120
0.1531
0.8520
Variable [4, 8]
Variable_1 [8, 3]
Variable_2 [8]
Variable_3 [4]
b [8]
b_1 [3]
"""
SERIES = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32)
total = tf.Variable(tf.ones([1]), name="bias")
for power in range(1, 4):
    W = tf.Variable(tf.ones([1]) * 0.5, name="weight_%d" % power)
    total = tf.add(tf.multiply(tf.pow(x, power), W), total)
loss = tf.reduce_sum(tf.square(total - 1.0))
step = tf.train.GradientDescentOptimizer(0.0625).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in (1.0, 0.5):
        sess.run(step, {x: value})
    print(sess.run(total, {x: 2.0}))
    print(sess.run(W))
"""
SERIES_OUTPUT = "[5.1445312]\n[0.31115723]\n"


def test_variables_and_a_list_of_them(tmp_path: object) -> None:
    text = AUTOENCODER.replace("FOLDER", str(tmp_path))
    result = made_native(text)
    assert "            W = compat.Variable(" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == AUTOENCODER_OUTPUT


def test_beside_a_variable_of_the_script() -> None:
    result = made_native(SERIES)
    assert "        total = total_variable\n        for power in range(1, 4):\n" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == SERIES_OUTPUT


REFUSED = {
    "names that are read": (SERIES, "loss =", "print(total.name)\nloss =", "`.name` of a part of the graph is read"),
    "numbers of NumPy": (
        SERIES,
        "tf.ones([1]) * 0.5",
        "np.random.rand(1)",
        "`np.random.rand(1)` is computed while the graph is built",
    ),
    "an assignment": (
        SERIES,
        "loss =",
        "up = tf.assign(W, W * 2.0)\nloss =",
        "the variable that is assigned to is not known",
    ),
    "an initial value that is fed": (
        SERIES,
        "tf.ones([1]) * 0.5",
        "tf.ones([1]) * x",
        "the initial value is computed from `x`",
    ),
    "an initial value that is computed of what is fed": (
        AUTOENCODER,
        "tf.ones([sizes[i], size]) * 0.1",
        "tf.ones([sizes[i], size]) * tf.reduce_mean(net)",
        "`net` is a part of the graph on some paths",
    ),
    "a run in the loop": (
        SERIES,
        "    W =",
        "    tf.Session().run(tf.ones([]))\n    W =",
        "the graph grows inside a loop or a condition",
    ),
}


@pytest.mark.parametrize(("text", "before", "after", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(text: str, before: str, after: str, reason: str) -> None:
    changed = text.replace(before, after)
    assert changed != text
    assert tier_of(changed) == "bridge"
    assert (deciding_site(changed).reason or "").startswith(reason)
