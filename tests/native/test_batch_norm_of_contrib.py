"""`tf.contrib.layers.batch_norm`, as GANs call it: its averages move in place, or through the collection of updates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

K = tf.constant_initializer([0.5, -1.0, 1.0])
X = np.sin(np.arange(12.0)).reshape(4, 3)
x = tf.placeholder(tf.float32, [None, 3])


def show(*values):
    print(" ".join("%.3f" % number for value in values for number in np.ravel(value)))

"""
NORM = "tf.contrib.layers.batch_norm({}, decay=0.5, updates_collections=None, is_training={}, scope={})"
SCRIPT = f"""
h = tf.layers.dense(x, 3, kernel_initializer=K)
h = tf.nn.relu({NORM.format("h", "True", "'bn'")})
loss = tf.reduce_mean(tf.square(tf.layers.dense(h, 2, kernel_initializer=K) - 1.0))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
kept = {NORM.format("x", "False", "'bn', reuse=True")}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        show(sess.run([step, loss], {{x: X}})[1])
        sess.run(step, {{x: X}})
        show(sess.run(kept, {{x: X}}))
"""
FUNCTION = f"""
def block(t, n, phase, name):
    with tf.variable_scope(name):
        t = tf.layers.conv1d(t, n, 2, padding="same", kernel_initializer=tf.constant_initializer(0.3))
        return tf.nn.relu({NORM.format("t", "phase", "'bn', scale=True, epsilon=1e-5")})


phase = tf.placeholder(tf.bool, [])
y = block(block(x[:, :, None], 2, phase, "one"), 3, phase, "two")
loss = tf.reduce_mean(tf.square(y - 1.0))
step = tf.train.AdamOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        show(sess.run([loss, step], {{x: X, phase: True}})[0])
        show(sess.run(loss, {{x: X, phase: False}}))
        show(sess.run(loss, {{x: X, phase: True}}))
"""
COLLECTED = """
from tensorflow.contrib import slim

phase = tf.placeholder(tf.bool, [])
h = slim.fully_connected(x, 3, weights_initializer=K)
h = slim.batch_norm(h, decay=0.5, is_training=phase)
y = slim.fully_connected(h, 1, weights_initializer=K, activation_fn=None)
loss = tf.reduce_mean(tf.square(y - 1.0))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        show(sess.run([step, loss], {x: X, phase: True})[1])
        show(sess.run(y, {x: X, phase: False}))
        show(sess.run(loss, {x: X, phase: True}))
    saver.save(sess, "./model")
print([name for name, _ in tf.train.list_variables("./model")])
"""
PARTIAL = """
import functools

norm = functools.partial(tf.contrib.layers.batch_norm, updates_collections=None, decay=0.5, scope="bn")
h = norm(x, is_training=True)
kept = norm(x, is_training=False, reuse=True)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        sess.run(h, {x: X})
        show(sess.run(kept, {x: X}))
"""
NETS = """
def norm(t, is_training, scope):
    return tf.contrib.layers.batch_norm(
        t, decay=0.5, updates_collections=None, epsilon=1e-5, scale=True, is_training=is_training, scope=scope
    )


def linear(t, size, name):
    with tf.variable_scope(name):
        return tf.matmul(t, tf.get_variable("w", [t.get_shape()[-1], size], initializer=K))


def generator(z, is_training=True, reuse=False):
    with tf.variable_scope("generator", reuse=reuse):
        h = tf.nn.relu(norm(linear(z, 4, "g1"), is_training, "g_bn"))
        return linear(h, 3, "g2")


def discriminator(t, is_training=True, reuse=False):
    with tf.variable_scope("discriminator", reuse=reuse):
        h = tf.nn.relu(norm(linear(t, 4, "d1"), is_training, scope="d_bn"))
        logits = linear(h, 1, "d2")
        return tf.nn.sigmoid(logits), logits
"""
LOSSES = """
cross = tf.nn.sigmoid_cross_entropy_with_logits
real, real_logits = discriminator(x)
images = generator(z)
fake, fake_logits = discriminator(images, reuse=True)
real_loss = tf.reduce_mean(cross(logits=real_logits, labels=tf.ones_like(real)))
d_loss = real_loss + tf.reduce_mean(cross(logits=fake_logits, labels=tf.zeros_like(fake)))
g_loss = tf.reduce_mean(cross(logits=fake_logits, labels=tf.ones_like(fake)))
t_vars = tf.trainable_variables()
d_vars = [v for v in t_vars if "discriminator" in v.name]
g_vars = [v for v in t_vars if "generator" in v.name]
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    d_step = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(d_loss, var_list=d_vars)
    g_step = tf.train.AdamOptimizer(0.05, beta1=0.5).minimize(g_loss, var_list=g_vars)
sampled = generator(z, is_training=False, reuse=True)
"""
GAN = f"""{NETS}
Z = np.cos(np.arange(16.0)).reshape(8, 2)
z = tf.placeholder(tf.float32, [None, 2])
{LOSSES}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, d_value = sess.run([d_step, d_loss], {{x: X, z: Z}})
        _, g_value = sess.run([g_step, g_loss], {{z: Z}})
        show(d_value, g_value)
        show(sess.run(sampled, {{z: Z}}))
"""
MERGED = {
    "by name": (LOSSES + 'one = tf.summary.scalar("d", d_loss)\nmerged = tf.summary.merge([one])\n'),
    "all": (LOSSES + 'tf.summary.scalar("d", d_loss)\nmerged = tf.summary.merge_all()\n'),
}
NEEDLESS = f"""
h = {NORM.format("x", "True", "'bn'")}
y = tf.shape(h)[0] * 2
sess = tf.Session()
sess.run(tf.global_variables_initializer())
show(sess.run(y, {{x: X}}))
"""


@pytest.mark.parametrize("code", [SCRIPT, FUNCTION, COLLECTED, PARTIAL, GAN])
def test_computes_what_tf1_computed(
    code: str, run_legacy: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert printed(made_native(HEAD + code).text) == run_legacy(HEAD + code, cwd=tmp_path)


@pytest.mark.parametrize("built", MERGED.values(), ids=list(MERGED))
def test_summaries_tell_what_a_run_needs(built: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + GAN.replace(LOSSES, built).replace(
        "_, d_value = sess.run([d_step, d_loss]", "sess.run([d_step, merged]"
    )
    code = code.replace("show(d_value, g_value)", "show(g_value)")
    assert printed(made_native(code).text) == run_legacy(code)


def test_only_what_the_run_asks_for_moves(run_legacy: Callable[..., str]) -> None:
    code = (
        HEAD
        + f"""
a = {NORM.format("x", "True", "'a'")}
b = {NORM.format("x * 2.0", "True", "'b'")}
kept = {NORM.format("x", "False", "'a', reuse=True")} - {NORM.format("x", "False", "'b', reuse=True")}
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for asked in range(2):
    sess.run(a, {{x: X}})
    show(sess.run(kept, {{x: X}}))
    sess.run(b, {{x: X}})
    show(sess.run(kept, {{x: X}}))
"""
    )
    assert printed(made_native(code).text) == run_legacy(code)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("tf.shape(h)[0] * 2", "tf.shape(h)[0] * 2", "the run may need `h`, which does more than compute, or may not"),
        ("updates_collections=None", "updates_collections=X.base", "where a layer puts the updates of its averages"),
        ("updates_collections=None", "renorm=True", "the argument `renorm` of `tf.contrib.layers.batch_norm`"),
        ("tf.shape(h)[0] * 2", "tf.add_n([" + NORM.format("x", "True", "n") + " for n in 'ab'])", "in a comprehension"),
        ("updates_collections=None", "param_regularizers={}", "the argument `param_regularizers`"),
        ("\nh = ", "\nh = x\nfor _ in range(2):\n    h = ", "what it gives may not wait for that"),
    ],
)
def test_refuses_what_it_cannot_prove(old: str, new: str, reason: str) -> None:
    refuses(HEAD + NEEDLESS.replace(old, new, 1), reason)


def test_refuses_steps_of_which_is_not_known_what_they_need() -> None:
    alone = GAN.replace("_, d_value = sess.run([d_step, d_loss]", "d_value = sess.run([d_step]")
    refuses(HEAD + alone, "the run may need `real`, which does more than compute, or may not")


def test_refuses_functions_that_may_give_something_else() -> None:
    early = f"""
def f(t, way):
    h = {NORM.format("t", "True", "'bn'")}
    if way:
        return t * 2.0
    return h


y = f(x, len(X))
"""
    refuses(
        HEAD + NEEDLESS[: NEEDLESS.index("h =")] + early + NEEDLESS[NEEDLESS.index("sess =") :], "may not wait for that"
    )


def test_refuses_blocks_that_give_it_arguments() -> None:
    inside = "\nwith tf.contrib.framework.arg_scope([tf.contrib.layers.batch_norm], decay=0.9):\n    h = "
    refuses(HEAD + NEEDLESS.replace("\nh = ", inside), "which layers the block gives arguments to is not understood")
