"""Layers that compute beside a training step of their own variables: TF1 left open which came first, as is told."""

from __future__ import annotations

import pytest

from tests.native.native import made_native

NET = """\
import numpy as np
import tensorflow as tf


def net(t, reuse=False):
    with tf.variable_scope("net", reuse=reuse):
        return tf.layers.dense(t, 2)


x = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_sum(net(x))
again = net(x * 2.0, reuse=True)
other = tf.layers.dense(x, 1)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
CELL = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
cell = tf.nn.rnn_cell.BasicRNNCell(2)
output, _ = cell(x, tf.zeros([1, 2]))
loss = tf.reduce_sum(output)
again, _ = cell(x * 2.0, tf.zeros([1, 2]))
other = tf.layers.dense(x, 1)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
TOGETHER = """\
import numpy as np
import tensorflow as tf


def net(t, reuse=False):
    with tf.variable_scope("net", reuse=reuse):
        return tf.layers.dense(t, 2)


def build(x):
    loss = tf.reduce_sum(net(x))
    again = net(x * 2.0, reuse=True)
    return loss, again


x = tf.placeholder(tf.float32, [None, 3])
loss, again = build(x)
other = tf.layers.dense(x, 1)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
RUN = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([FETCHED, step], {x: np.ones((1, 3))})[0])
"""


@pytest.mark.parametrize("model", [NET, CELL, TOGETHER])
@pytest.mark.parametrize(
    ("fetched", "told"), [("again", True), ("loss", False), ("loss * 2.0", False), ("other", False)]
)
def test_what_is_told(model: str, fetched: str, told: bool) -> None:
    result = made_native(model + RUN.replace("FETCHED", fetched))
    assert any("left open" in finding.message for finding in result.findings) == told


AVERAGED = """\
import numpy as np
import tensorflow as tf


def net(t, training, reuse=False):
    with tf.variable_scope("net", reuse=reuse):
        return tf.layers.dense(tf.layers.batch_normalization(t, training=training), 2)


x = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_sum(net(x, True))
again = net(x * 2.0, False, reuse=True)
with tf.variable_scope("apart"):
    other = tf.layers.dense(x, 1)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
LOST = NET.replace("dense(t, 2)", "dense(t, 2, kernel_regularizer=tf.contrib.layers.l2_regularizer(0.5))").replace(
    "minimize(loss)", "minimize(loss + tf.losses.get_regularization_loss())"
)
APPLIED = NET.replace(
    ".minimize(loss)", "\nheld = optimizer.compute_gradients(loss)\nstep = optimizer.apply_gradients(held)"
).replace("step = tf", "optimizer = tf", 1)
IN_PLACE = """\
import numpy as np
import tensorflow as tf


def net(t, training, name, reuse=False):
    with tf.variable_scope(name, reuse=reuse):
        return tf.contrib.layers.batch_norm(t, is_training=training, updates_collections=None, scope="bn")


x = tf.placeholder(tf.float32, [None, 3])
step = net(x, True, "net")
again = net(x * 2.0, False, "net", reuse=True)
with tf.variable_scope("apart"):
    other = tf.layers.dense(x, 1)
loss = step * 2.0
"""


@pytest.mark.parametrize("model", [AVERAGED, LOST, APPLIED, IN_PLACE])
@pytest.mark.parametrize(("fetched", "told"), [("again", True), ("loss", False), ("other", False)])
def test_neither_listed_updates_nor_losses_come_before(model: str, fetched: str, told: bool) -> None:
    result = made_native(model + RUN.replace("FETCHED", fetched))
    assert any("left open" in finding.message for finding in result.findings) == told


STEPS = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
a, b = tf.Variable(np.ones((3, 2), np.float32)), tf.Variable([[1.0], [0.25]])
c = tf.Variable([1.0, 2.0])
loss = tf.reduce_sum(tf.matmul(tf.matmul(x, a), b))
optimizer = tf.train.AdamOptimizer(0.1)
of_a = optimizer.compute_gradients(loss, [a])
of_b = OTHER.compute_gradients(LOSS, [OF])
step = tf.group(optimizer.apply_gradients(of_a), OTHER.apply_gradients(of_b))
"""


@pytest.mark.parametrize(
    ("other", "of", "told"),
    [
        ("optimizer", "loss", True),
        ("optimizer", "tf.reduce_sum(c)", True),
        ("apart", "loss", True),
        ("apart", "tf.reduce_sum(c)", False),
    ],
)
def test_two_steps_in_one_run(other: str, of: str, told: bool) -> None:
    # TensorFlow 1.15.5 gave four results in eight runs for the first of these, three for the third.
    code = (
        STEPS.replace("OTHER", other)
        .replace("LOSS", "second")
        .replace("OF", "c" if "(c)" in of else "b")
        .replace("optimizer =", f"apart = tf.train.GradientDescentOptimizer(0.1)\nsecond = {of}\noptimizer =")
    )
    result = made_native(code + RUN.replace("[FETCHED, step]", "step").replace(")[0])", "))"))
    assert any("left open" in finding.message for finding in result.findings) == told


@pytest.mark.parametrize(("training", "told"), [("True", True), ("False", False)])
def test_two_updates_of_the_same_averages(training: str, told: bool) -> None:
    # A run of the step makes both, whatever it fetches; TensorFlow 1 made none for a layer that does not train.
    result = made_native(AVERAGED.replace("x * 2.0, False", f"x * 2.0, {training}") + RUN.replace("FETCHED", "loss"))
    assert any("left open" in finding.message for finding in result.findings) == told


LISTS = """\
import numpy as np
import tensorflow as tf


def net(t, scope):
    with tf.variable_scope(scope):
        return tf.layers.dense(t, 2)


x = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_mean(tf.square(net(x, "main") - tf.stop_gradient(net(x, "target"))))
main = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="main")
target = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target")
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=main)
copy = tf.group(*[tf.assign(t, m) for t, m in zip(target, main)])
both = tf.group(step, copy)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


@pytest.mark.parametrize(
    ("runs", "told"), [("sess.run(both, DATA)\n", True), ("sess.run(step, DATA)\nsess.run(copy)\n", False)]
)
def test_lists_of_variables_assigned_to_beside_a_step(runs: str, told: bool) -> None:
    result = made_native(f"{LISTS}DATA = {{x: np.ones((1, 3))}}\n{runs}")
    assert any("left open" in finding.message for finding in result.findings) == told
