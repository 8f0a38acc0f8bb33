"""A Saver where some variables are made by the script and others by its functions: TF1 counted the names of both."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses

SCRIPT = """\
import os
import tempfile
import numpy as np
import tensorflow as tf


def init_weights(shape):
    return tf.Variable(tf.ones(shape) * 0.5)


def model(X, w):
    return tf.matmul(X, w)


X = tf.placeholder(tf.float32, [None, 3])
w = init_weights([3, 2])
v = init_weights([2, 1])
out = tf.reduce_sum(model(model(X, w), v))
train_op = tf.train.MomentumOptimizer(0.01, 0.9).minimize(out)
step = tf.Variable(0, name="step", trainable=False)
saver = tf.train.Saver()
# It is not saved.
later = tf.Variable(777)
path = os.path.join(tempfile.mkdtemp(), "m")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(2):
        sess.run(train_op, {X: np.ones([2, 3])})
        sess.run(tf.assign(step, i + 1))
    saver.save(sess, path)
    reader = tf.train.load_checkpoint(path)
    for name, _ in tf.train.list_variables(path):
        print(name, "%.4f" % np.sum(reader.get_tensor(name)))
    sess.run(train_op, {X: np.ones([2, 3])})
    if os.path.exists(path + ".index"):
        saver.restore(sess, path)
    print(int(sess.run(step)), int(sess.run(later)), "%.4f" % sess.run(out, {X: np.ones([2, 3])}))
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = """\
Variable 2.8296
Variable/Momentum 11.0400
Variable_1 0.8272
Variable_1/Momentum 11.2800
step 2.0000
2 777 2.3406
"""


def test_saves_what_tf1_saved() -> None:
    assert printed(made_native(SCRIPT).text) == OUTPUT


def test_functions_that_name_their_variables() -> None:
    code = SCRIPT.replace("* 0.5)", '* 0.5, name="weights")')
    *lines, step, last = OUTPUT.replace("Variable", "weights").splitlines()
    # What TensorFlow 1.15.5 prints, where names stand in the order of the alphabet.
    assert printed(made_native(code).text).splitlines() == [step, *lines, last]


def test_the_script_has_one_made_by_get_variable() -> None:
    code = SCRIPT.replace(
        'tf.Variable(0, name="step", trainable=False)',
        'tf.get_variable("step", [], tf.int32, tf.zeros_initializer(), trainable=False)',
    )
    assert printed(made_native(code).text) == OUTPUT


def test_functions_that_open_scopes() -> None:
    code = SCRIPT.replace("    return tf.V", '    with tf.name_scope("layer"):\n        return tf.V')
    code = code.replace("tf.Variable(777)", 'tf.Variable(777, name="later")')
    lines = [f"{line}\n".replace("Variable", "layer/Variable", 1) for line in OUTPUT.splitlines()]
    # What TensorFlow 1.15.5 prints: the second one is `layer_1/Variable`.
    expected = "".join(lines).replace("layer/Variable_1", "layer_1/Variable")
    assert printed(made_native(code).text) == expected


LATE = "the Saver is made before the functions that make variables"
CLASH = "their names may clash"
STEP = 'tf.Variable(0, name="step", trainable=False)'
X = "X = tf.placeholder"
REFUSED = {
    "one without a name is saved": (STEP, "tf.Variable(0, trainable=False)", CLASH),
    "one without a name comes first": (X, "first = tf.Variable(1.0)\n" + X, LATE),
    "one without a name comes between": ("v = init", "first = tf.Variable(1.0)\nv = init", LATE),
    "one without a name comes before a second Saver": ("path =", "again = tf.train.Saver()\npath =", LATE),
    "the same name": ("* 0.5)", '* 0.5, name="step")', CLASH),
    "the same name in capital letters": ("* 0.5)", '* 0.5, name="STEP")', CLASH),
    "a name with a number": ('"step"', '"variable_1"', CLASH),
    "a name that is computed": ("* 0.5)", '* 0.5, name="w%d" % shape[0])', CLASH),
    "arguments in a dictionary": ("* 0.5)", '* 0.5, **dict(name="step"))', "not understood"),
    "an operation of the name": (X, 'one = tf.constant(1.0, name="Variable")\n' + X, CLASH),
    "an operation of the name in a function": ("tf.matmul(X, w)", 'tf.matmul(X, w, name="Variable")', CLASH),
    "an operation of the script's name": (X, 'one = tf.constant(1.0, name="step")\n' + X, "another operation"),
    "a scope": ("    return tf.V", '    with tf.name_scope("step"):\n        return tf.V', CLASH),
    "a scope around the script's own": (
        f"step = {STEP}",
        f'with tf.name_scope("layer"):\n    step = {STEP}',
        "their names may clash",
    ),
    "a name is asked for": ("path =", "print(step.name)\npath =", "`.name` of a part of the graph is read"),
}


@pytest.mark.parametrize(("old", "new", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_may_have_other_names(old: str, new: str, reason: str) -> None:
    assert old in SCRIPT
    refuses(SCRIPT.replace(old, new), reason)
