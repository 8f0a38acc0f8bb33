"""Optimizers that a condition chooses: the step asks whichever it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.native import made_native, printed, refuses

SCRIPT = """\
import numpy as np
import tensorflow as tf

X = np.arange(6, dtype=np.float32).reshape(3, 2) / 4
kind = str(KIND)
rate = 0.1
x = tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("net"):
    h = tf.layers.dense(x, 2, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.5))
    y = tf.layers.dense(h, 1, kernel_initializer=tf.constant_initializer(0.3))
loss = tf.reduce_mean(tf.square(y - 1.0))
if kind == "adam":
    optimizer = tf.train.AdamOptimizer(rate)
elif kind == "momentum":
    optimizer = tf.train.MomentumOptimizer(rate, 0.9)
elif kind == "sgd":
    rate = 0.05
    optimizer = tf.train.GradientDescentOptimizer(rate)
else:
    raise ValueError(kind)
step = optimizer.minimize(loss)
init = tf.global_variables_initializer()
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(init)
    for _ in range(3):
        _, value = sess.run([step, loss], {x: X})
        print("%.4f" % value)
    saver.save(sess, "./model")
print([name for name, _ in tf.train.list_variables("./model")])
"""
CLASS = """\
import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, sess, kind):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable([[1.0], [2.0]])
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, self.w)))
        if kind == "adam":
            self.optimizer = tf.train.AdamOptimizer(0.1)
        else:
            self.optimizer = tf.train.RMSPropOptimizer(0.1)
        self.step = self.optimizer.minimize(self.loss)

    def learn(self, x):
        return self.sess.run([self.step, self.loss], {self.x: x})[1]


sess = tf.Session()
model = Model(sess, KIND)
sess.run(tf.global_variables_initializer())
print(["%.4f" % model.learn(np.ones((2, 2))) for _ in range(3)])
"""
COMPUTED = SCRIPT.replace(
    "step = optimizer.minimize(loss)\n",
    "gradients = optimizer.compute_gradients(loss)\n"
    "clipped = [(tf.clip_by_value(g, -0.1, 0.1), v) for g, v in gradients]\n"
    "step = optimizer.apply_gradients(clipped)\n",
)
KINDS = ("adam", "momentum", "sgd")


@pytest.mark.parametrize("code", [SCRIPT, CLASS, COMPUTED], ids=["a script", "a class", "clipped gradients"])
def test_computes_what_tf1_computed(
    code: str, run_legacy: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind in KINDS:
        chosen = code.replace("KIND", repr(kind))
        expected = run_legacy(chosen)
        assert printed(made_native(chosen).text) == expected


OTHERWISE = "else:\n    raise ValueError(kind)\n"
FIRST = 'if kind == "adam":\n    optimizer = tf.train.AdamOptimizer(rate)\n'
REFUSED = {
    "a branch that gives none": (OTHERWISE, "else:\n    optimizer = None\n"),
    "a branch that only prints": (OTHERWISE, "else:\n    print(kind)\n"),
    "one before, and no other branch": (
        FIRST + SCRIPT.split(FIRST)[1].split(OTHERWISE)[0] + OTHERWISE,
        f"optimizer = tf.train.GradientDescentOptimizer(0.1)\n{FIRST}",
    ),
    "bound in a loop of a branch": (
        FIRST,
        FIRST.replace("    optimizer", "    for _ in range(2):\n        optimizer"),
    ),
    "an optimizer of one's own": (FIRST, FIRST.replace("tf.train.AdamOptimizer(rate)", "make(rate)")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    old, new = REFUSED[name]
    assert old in SCRIPT
    reason = "`optimizer` is a part of the graph on some paths and another value on others"
    refuses(SCRIPT.replace("KIND", "'adam'").replace(old, new), reason)
