"""Functions that tell the scope which is open to reuse variables, as networks do that are called more than once."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.trees import printed, reasons, rewritten, tiers

CODE = """\
import numpy as np
import tensorflow as tf
import tensorflow.contrib.slim as slim


def conv2d(x, units, name="conv2d"):
    with tf.variable_scope(name):
        initializer = tf.constant_initializer(0.1)
        return slim.conv2d(x, units, 3, 2, activation_fn=None, biases_initializer=None, weights_initializer=initializer)


def deconv2d(x, units, name="deconv2d"):
    with tf.variable_scope(name):
        return slim.conv2d_transpose(x, units, 3, 2, weights_initializer=tf.constant_initializer(0.2))


def generator(x, reuse=False, name="generator"):
    with tf.variable_scope(name):
        if reuse:
            tf.get_variable_scope().reuse_variables()
        else:
            assert tf.get_variable_scope().reuse is False
        return deconv2d(tf.nn.relu(conv2d(x, 2, name="one")), 1, name="two")


def discriminator(x, reuse=False, name="discriminator"):
    with tf.variable_scope(name) as scope:
        if reuse:
            scope.reuse_variables()
        h = slim.flatten(conv2d(x, 2, name="one"))
        return slim.fully_connected(h, 1, activation_fn=None, weights_initializer=tf.constant_initializer(0.1))


real = tf.placeholder(tf.float32, [None, 4, 4, 1])
past = tf.placeholder(tf.float32, [None, 4, 4, 1])
fake = generator(real)
g_loss = tf.reduce_mean(tf.square(discriminator(fake) - 1.0))
d_real = discriminator(real, reuse=True)
d_past = discriminator(past, reuse=True)
d_loss = tf.reduce_mean(tf.square(d_real - 1.0)) + tf.reduce_mean(tf.square(d_past))
test = generator(past, reuse=True)
t_vars = tf.trainable_variables()
d_vars = [var for var in t_vars if "discriminator" in var.name]
g_vars = [var for var in t_vars if "generator" in var.name]
g_step = tf.train.AdamOptimizer(0.01).minimize(g_loss, var_list=g_vars)
d_step = tf.train.AdamOptimizer(0.01).minimize(d_loss, var_list=d_vars)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    data = np.arange(32).reshape([2, 4, 4, 1]) / 16.0
    for step in range(3):
        made, g, _ = sess.run([fake, g_loss, g_step], {real: data})
        for _ in range(2):
            d, _ = sess.run([d_loss, d_step], {real: data, past: made})
        print("%.4f %.4f" % (g, d))
    print("%.4f" % sess.run(test, {past: data}).mean())
    saver.save(sess, "./gan.ckpt")
"""
# What TensorFlow 1.15.5 prints; it takes both steps of the discriminator after one of the generator.
PRINTED = "0.5776 0.3628\n0.3847 0.4072\n0.3476 0.4231\n0.6340\n"


def _swapped(code: str) -> str:
    """The same with the step of the discriminator built first."""
    start, middle, end = code.index("g_step ="), code.index("d_step ="), code.index("saver =")
    return code[:start] + code[middle:end] + code[start:middle] + code[end:]


def test_networks_that_share_variables(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"train.py": CODE})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == PRINTED
    saved = tf.train.load_checkpoint(str(tmp_path / "gan.ckpt"))
    # The first step that was built is the generator's: it ran three times, the other one six times.
    assert saved.get_tensor("beta1_power") == pytest.approx(0.9**4)
    assert saved.get_tensor("beta1_power_1") == pytest.approx(0.9**7)
    assert "generator/two/Conv2d_transpose/weights/Adam" in saved.get_variable_to_shape_map()


def test_functions_of_another_module(tmp_path: Path) -> None:
    start = CODE.index("real =")
    head = "import numpy as np\nimport tensorflow as tf\nfrom nets import *\n\n"
    outcome = rewritten(tmp_path, {"nets.py": CODE[:start], "train.py": head + CODE[start:]})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == PRINTED


def _code(old: str, new: str) -> str:
    assert old in CODE
    return CODE.replace(old, new)


_OPEN = "    with tf.variable_scope(name):\n"
REFUSED = {
    "the names of what optimizers keep would be others": (_swapped(CODE), "looks up variables that one makes"),
    "a scope outside of the function": (
        _code(f"{_OPEN}        if reuse:\n            tf", "    if True:\n        if reuse:\n            tf"),
        "`tf.get_variable_scope` is not understood",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    code, reason = REFUSED[name]
    outcome = rewritten(tmp_path, {"train.py": code})
    assert "native" not in tiers(outcome), (tmp_path / "train.py").read_text()
    assert any(reason in found for found in reasons(outcome)), reasons(outcome)
