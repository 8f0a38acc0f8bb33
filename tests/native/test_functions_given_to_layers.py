"""Functions that layers are given and call: activations, regularizers, constraints and initializers of the script."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

HEAD = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
ones = tf.ones_initializer()
scale = 2.0
def given(t):
    return tf.nn.relu(t) * scale
"""
BUILT = "y = tf.layers.dense(x, 2, kernel_initializer=ones, activation=given)\n"
RUNS = """\
loss = tf.reduce_mean(y * y) + tf.losses.get_regularization_loss()
step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.3f" % sess.run(loss, {x: [[1.0, 2.0, 3.0]]}))
        sess.run(step, {x: [[1.0, 2.0, 3.0]]})
"""


@pytest.mark.parametrize(
    "built",
    [
        BUILT,
        "def total(w):\n    return scale * tf.reduce_sum(w * w)\n"
        "y = tf.layers.dense(x, 2, kernel_initializer=ones, kernel_regularizer=total)\n",
        "twice = lambda t: t * scale\ny = tf.layers.dense(x, 2, twice, kernel_initializer=ones)\n",
        "def weight(w, by=0.5):\n    return by * tf.nn.l2_loss(w)\n"
        "y = tf.layers.dense(x, 2, given, kernel_initializer=ones, kernel_regularizer=weight)\n",
        "def bounded(w):\n    return tf.clip_by_value(w, -scale, scale)\n"
        "y = tf.layers.dense(x, 2, kernel_initializer=ones, kernel_constraint=bounded)\n",
        "def first(shape, dtype=None, partition_info=None):\n    return tf.ones(shape) * scale\n"
        "y = tf.layers.dense(x, 2, kernel_initializer=first)\n",
        "def leaky(t):\n    slope = tf.get_variable('slope', [2], initializer=ones)\n"
        "    return tf.nn.relu(t) - slope * tf.nn.relu(-t)\n"
        "y = tf.layers.dense(x, 2, kernel_initializer=ones, activation=leaky)\n",
    ],
    ids=["activation", "regularizer", "lambda", "default", "constraint", "initializer", "variables"],
)
def test_computes_what_tf1_computed(built: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(HEAD + built + RUNS).text) == run_legacy(HEAD + built + RUNS)


CHANGED = "`scale` has another value here than when the graph was built"
KEPT = "`given`, which reads `scale`, is kept, and `scale` gets another value"
MORE = "`given` does more than build a part of the graph"
COMPUTED = "is computed while the graph is built"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("loss =", "scale = 3.0\nloss =", CHANGED),
        ("ones, activation=given)", "ones, activation=given or None)\nscale = 3.0", KEPT),
        ("activation=given)", "activation=(lambda t: t * scale))", COMPUTED),
        ("y = tf", "chosen = [given]\nscale = 3.0\ny = tf", KEPT),
        ("y = tf", "twice = lambda t: t * scale\ny = tf.layers.dense(x, 2, twice)\nscale = 3.0\ny = tf", CHANGED),
        ("activation=given", "kernel_regularizer=given)\nscale = 3.0\ny = tf.layers.dense(y, 1", CHANGED),
        ("activation=given", "kernel_constraint=given)\nscale = 3.0\ny = tf.identity(y", CHANGED),
        ("    return", "    print(t)\n    return", MORE),
        ("    return", "    seen.append(t)\n    return", MORE),
        ("* scale", "* np.random.rand()", COMPUTED),
    ],
)
def test_refused(old: str, new: str, reason: str) -> None:
    refuses((HEAD + BUILT + RUNS).replace(old, new), reason)


SCOPES = """\
slim = tf.contrib.slim
with slim.arg_scope([slim.fully_connected], activation_fn=given, weights_initializer=ones):
    y = slim.fully_connected(x, 2)
"""
NET = """\
def net(t):
    with tf.variable_scope("net", initializer=ones, regularizer=given):
        return tf.layers.dense(t, 2)
y = net(x)
"""


@pytest.mark.parametrize("built", [SCOPES, NET.replace("=given", "=total")], ids=["arguments", "variables"])
def test_functions_given_to_scopes(built: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + "def total(w):\n    return scale * tf.reduce_sum(w * w)\n" + built + RUNS
    assert printed(made_native(code).text) == run_legacy(code)
    refuses(code.replace("loss =", "scale = 3.0\nloss ="), CHANGED)


def test_a_function_that_prints_in_a_scope_of_arguments_is_refused() -> None:
    refuses((HEAD + SCOPES + RUNS).replace("    return", "    print(t)\n    return"), MORE)


@pytest.mark.parametrize("kept", ['{"one": given}["one"]', "[given, None][0]", "table['one']"])
def test_functions_that_the_script_keeps_may_not_read_what_changes(kept: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + "table = {'one': given}\n"
    code += BUILT.replace("activation=given", f"activation={kept}") + RUNS
    assert printed(rewritten(code).text) == run_legacy(code)
    changed = code.replace("loss =", "scale = 3.0\nloss =")
    refuses(changed, "reads")
