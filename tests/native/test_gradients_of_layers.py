"""Gradients that `compute_gradients` takes of the variables of layers, and what programs do to them before a step."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

CODE = """\
import numpy as np
import tensorflow as tf


def net(x, reuse):
    with tf.variable_scope("net", reuse=reuse):
        init = tf.constant_initializer(np.linspace(-1, 1, 40))
        x = tf.layers.dense(x, 8, activation=tf.nn.relu, kernel_initializer=init)
        return tf.layers.dense(x, 3, kernel_initializer=tf.constant_initializer(np.linspace(-1, 1, 24)))


x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=net(x, False), labels=y))
optimizer = tf.train.AdamOptimizer(0.01)
grads = optimizer.compute_gradients(loss)
train_op = optimizer.apply_gradients(grads)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    points, labels = np.linspace(-1, 2, 40).reshape([8, 5]), np.eye(3)[np.arange(8) % 3]
    for step in range(12):
        _, value = sess.run([train_op, loss], feed_dict={x: points, y: labels})
    print("%.4f" % value)
    saver.save(sess, "FOLDER/model")
for name, shape in tf.train.list_variables("FOLDER/model"):
    print(name, shape)
"""
TAKEN = "grads = optimizer.compute_gradients(loss)\n"
STEP = "train_op = optimizer.apply_gradients(grads)\n"
NAMES = """\
beta1_power []
beta2_power []
net/dense/bias [8]
net/dense/bias/Adam [8]
net/dense/bias/Adam_1 [8]
net/dense/kernel [5, 8]
net/dense/kernel/Adam [5, 8]
net/dense/kernel/Adam_1 [5, 8]
net/dense_1/bias [3]
net/dense_1/bias/Adam [3]
net/dense_1/bias/Adam_1 [3]
net/dense_1/kernel [8, 3]
net/dense_1/kernel/Adam [8, 3]
net/dense_1/kernel/Adam_1 [8, 3]
"""
WAYS = {
    "as they are": (STEP, STEP),
    "clipped one by one": (
        STEP,
        "clipped = [(tf.clip_by_norm(g, 0.1), v) for g, v in grads if g is not None]\n"
        "train_op = optimizer.apply_gradients(clipped)\n",
    ),
    "clipped in place": (
        STEP,
        "for i, (g, v) in enumerate(grads):\n    if g is not None:\n"
        "        grads[i] = (tf.clip_by_norm(g, 0.05), v)\n" + STEP,
    ),
    "put into another list": (
        STEP,
        "scaled = []\nfor g, v in grads:\n    g = tf.clip_by_norm(g, 0.05)\n    scaled.append((g, v))\n"
        "train_op = optimizer.apply_gradients(scaled)\n",
    ),
    "clipped together": (
        TAKEN + STEP,
        "gs, vs = zip(*optimizer.compute_gradients(loss))\ngs, norm = tf.clip_by_global_norm(gs, 0.1)\n"
        "train_op = optimizer.apply_gradients(zip(gs, vs))\n",
    ),
    "of a list": (
        TAKEN,
        'kernels = [v for v in tf.trainable_variables() if "kernel" in v.name]\n'
        "grads = optimizer.compute_gradients(loss, var_list=kernels)\n",
    ),
    "of all, by tf.gradients": (
        TAKEN + STEP,
        "grads = tf.gradients(loss, tf.trainable_variables())\n"
        "train_op = optimizer.apply_gradients(zip(grads, tf.trainable_variables()))\n",
    ),
    "averaged by a function": (
        STEP,
        "def average(towers):\n    result = []\n    for pairs in zip(*towers):\n        gs = []\n"
        "        for g, _ in pairs:\n            gs.append(tf.expand_dims(g, 0))\n"
        "        result.append((tf.reduce_mean(tf.concat(gs, 0), 0), pairs[0][1]))\n    return result\n\n\n"
        "train_op = optimizer.apply_gradients(average([grads, grads]))\n",
    ),
}
# What TensorFlow 1.15.5 prints.
LOSSES = {
    "as they are": "1.0768",
    "clipped one by one": "1.0747",
    "clipped in place": "1.0744",
    "put into another list": "1.0744",
    "clipped together": "1.0733",
    "of a list": "1.0833",
    "of all, by tf.gradients": "1.0768",
    "averaged by a function": "1.0768",
}


def _changed(before: str, after: str) -> str:
    assert before in CODE
    return CODE.replace(before, after)


@pytest.mark.parametrize("way", WAYS)
def test_steps(way: str, tmp_path: object) -> None:
    result = made_native(_changed(*WAYS[way]).replace("FOLDER", str(tmp_path)))
    assert "store.trainable_variables" in result.text
    assert rewritten(result.text).text == result.text
    value, _, names = printed(result.text).partition("\n")
    assert value == LOSSES[way]
    assert names == (NAMES if way != "of a list" else _without_slots_of_biases(NAMES))


def _without_slots_of_biases(names: str) -> str:
    return "".join(line for line in names.splitlines(keepends=True) if "bias/Adam" not in line)


REFUSED = {
    "layers behind it": (STEP, STEP + "more = tf.layers.dense(x, 3)\n", "layers are built behind a list"),
    "a list that has no name": (
        "compute_gradients(loss)",
        "compute_gradients(loss, tf.trainable_variables())",
        "`var_list` is made in the call of `compute_gradients`",
    ),
    "a collection": (
        TAKEN,
        'kept = tf.get_collection("mine")\ngrads = optimizer.compute_gradients(loss, kept)\n',
        "what joined the collection `mine` is not known",
    ),
    "pairs that are fetched": ("[train_op, loss]", "[train_op, grads]", "variables of layers are fetched as a list"),
    "a list under two names": (
        STEP,
        "again = grads\nfor i, (g, v) in enumerate(grads):\n    grads[i] = (g * 2.0, v)\n"
        "train_op = optimizer.apply_gradients(again)\n",
        "a part of the graph is used as a Python value",
    ),
    "a list that holds something else": (
        STEP,
        "pairs = []\nfor g, v in grads:\n    pairs.append((g, v))\n    pairs.append(g)\n"
        "train_op = optimizer.apply_gradients(pairs)\n",
        "a part of the graph is used as a Python value",
    ),
}


@pytest.mark.parametrize(("before", "after", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(before: str, after: str, reason: str) -> None:
    changed = _changed(before, after)
    assert tier_of(changed) == "bridge"
    assert (deciding_site(changed).reason or "").startswith(reason)
