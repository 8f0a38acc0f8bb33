"""Programs indented with tabs: what is made for them is indented with tabs too."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.native.native import made_native, printed

PROGRAM = '''\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))


def net(t):
    """A net.

        As it stands.
    """
    h = tf.matmul(t, w)
    # a comment
    for scale in (2.0, 0.5):
        h = h * scale
    return tf.nn.relu(h, name="out")


y = net(x)
loss = tf.reduce_mean(tf.square(y - 3.0))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        # one epoch
        for k in range(2):
            _, l = sess.run([train, loss],
                            feed_dict={x: np.ones((2, 2))})
        print(i, "%.4f" % l)
    print("""between
    lines""", "%.4f" % sess.run(y, {x: [[1., 2.]]})[0, 0])
'''
TABS = re.sub(r"^(?: {4})+", lambda spaces: "\t" * (len(spaces[0]) // 4), PROGRAM, flags=re.MULTILINE)


def test_computes_what_tf1_computed(run_legacy: Callable[..., str]) -> None:
    text = made_native(TABS).text
    assert "\n " not in text
    assert "\n\t\tAs it stands.\n" in text
    assert "\n\tfor k in range(2):\n\t\tl = train_step(" in text
    assert printed(text) == run_legacy(TABS)
