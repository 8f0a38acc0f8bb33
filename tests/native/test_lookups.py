"""Variables that a function takes as others made them: whatever runs first, they are there."""

from __future__ import annotations

import pytest

from tests.native.models import SESSION
from tests.native.native import deciding_site, made_native, printed, rewritten

DECODER = """\
import numpy as np
import tensorflow as tf
def decode(code, reuse=False):
    with tf.variable_scope("decoder", reuse=reuse):
        weights = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.5))
        return tf.matmul(code, weights)
x = tf.placeholder(tf.float32, [None, 2])
z = tf.placeholder(tf.float32, [None, 2])
"""
TRAINING = """\
loss = tf.reduce_sum(decode(x))
step = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
decoded = decode(z, reuse=True)
"""
DECODING = "print(sess.run(decoded, {z: [[1.0, 2.0]]}).tolist())\n"
STEP = "sess.run(step, {x: [[1.0, 3.0]]})\n"
TRACED = "train_step.get_concrete_function()"


def test_what_makes_the_variables_is_traced_before_what_looks_them_up() -> None:
    result = made_native(DECODER + TRAINING + SESSION + DECODING + STEP + DECODING)
    assert TRACED in result.text
    assert printed(result.text) == "[[1.5]]\n[[-0.25]]\n"


def test_nothing_is_traced_first_where_what_makes_the_variables_runs_first() -> None:
    result = rewritten(DECODER + TRAINING + SESSION + STEP + DECODING)
    assert TRACED not in result.text
    assert printed(result.text) == "[[-0.25]]\n"


@pytest.mark.parametrize(
    "runs",
    [
        f"for _ in range(0):\n    {STEP}{DECODING}",
        f"if z is None:\n    {STEP}{DECODING}",
        f"if z is None:\n    {STEP}else:\n    {DECODING}",
        f"def train():\n    {STEP}{DECODING}",
    ],
)
def test_what_may_not_run_first_is_traced_first(runs: str) -> None:
    result = made_native(DECODER + TRAINING + SESSION + runs.replace("z is None", "np.ones(1)[0] > 2.0"))
    assert TRACED in result.text
    assert printed(result.text) == "[[1.5]]\n"


def test_both_runs_of_one_branch_keep_their_order() -> None:
    runs = f"if np.ones(1)[0] > 0.0:\n    {STEP}    {DECODING}"
    result = rewritten(DECODER + TRAINING + SESSION + runs)
    assert TRACED not in result.text
    assert printed(result.text) == "[[-0.25]]\n"


GAN = """\
import numpy as np
import tensorflow as tf
def generator(code, reuse=False):
    with tf.variable_scope("Gen", reuse=reuse):
        hidden = tf.layers.dense(code, 4, kernel_initializer=tf.constant_initializer(0.5))
        return tf.layers.dense(hidden, 3, kernel_initializer=tf.constant_initializer(0.25))
def discriminator(image, reuse=False):
    with tf.variable_scope("Dis", reuse=reuse):
        return tf.layers.dense(image, 1, kernel_initializer=tf.constant_initializer(0.5))
z = tf.placeholder(tf.float32, [None, 2])
x = tf.placeholder(tf.float32, [None, 3])
fake = generator(z)
real_score = discriminator(x)
fake_score = discriminator(fake, reuse=True)
sample = generator(z, reuse=True)
g_loss = tf.reduce_sum(fake_score)
g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="Gen")
g_step = tf.train.GradientDescentOptimizer(0.125).minimize(g_loss, var_list=g_vars)
"""


def test_unnamed_layers_that_are_looked_up_need_no_others() -> None:
    # The run of `sample` feeds no `x`, and needs none: in a scope of its own the layers of `Gen` keep their numbers.
    code = f"""{GAN}{SESSION}
print(sess.run(sample, {{z: [[1.0, 1.0]]}}).tolist())
print(sess.run(real_score, {{x: [[1.0, 2.0, 3.0]]}}).tolist())
print(sess.run([g_step, g_loss], {{z: [[1.0, 1.0]]}})[1].tolist())
print(sess.run(sample, {{z: [[1.0, 1.0]]}}).tolist())
"""
    result = made_native(code)
    # What TF 1.15.5 prints.
    assert printed(result.text) == "[[1.0, 1.0, 1.0]]\n[[3.0]]\n1.5\n[[0.58203125, 0.58203125, 0.58203125]]\n"


def test_variables_that_no_run_makes_are_not_looked_up() -> None:
    code = DECODER + "trained = decode(x)\ndecoded = decode(z, reuse=True)\n" + SESSION + DECODING
    site = deciding_site(code)
    assert site.tier == "bridge"
    assert site.reason is not None and "looks up variables that no run makes" in site.reason


def test_what_may_be_made_or_looked_up_needs_nothing_before() -> None:
    code = DECODER.replace("reuse=reuse", "reuse=tf.AUTO_REUSE") + "decoded = decode(z)\n" + SESSION + DECODING
    result = made_native(code)
    assert "get_concrete_function" not in result.text
    assert printed(result.text) == "[[1.5]]\n"
