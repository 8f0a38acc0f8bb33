"""Metrics whose update a script fetches: natively a call in a function moves their local variables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import tempfile

import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.int32, [None, 3])
out = tf.layers.dense(x, 3, kernel_initializer=tf.ones_initializer())
loss = tf.losses.softmax_cross_entropy(onehot_labels=y, logits=out)
step = tf.train.AdamOptimizer(0.1).minimize(loss)
truth, guess = tf.argmax(y, axis=1), tf.argmax(out, axis=1)
"""
ACCURACY = "accuracy = tf.metrics.accuracy(labels=truth, predictions=guess)[1]\n"
INIT = "init = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())\n"
BATCHES = """\
rng = np.random.RandomState(0)
with tf.Session() as sess:
    sess.run(init)
    for i in range(8):
        a, b = rng.rand(5, 4), np.eye(3)[rng.randint(0, 3, 5)]
"""
RUN = f"""{BATCHES}\
        _, cost = sess.run([step, loss], {{x: a, y: b}})
        if i % 3 == 0:
            found, scores = sess.run([accuracy, out], {{x: a, y: b}})
            print(i, "%.5f %.5f" % (cost, found), scores.shape)
"""
IN_ONE = f"""{BATCHES}\
        print("%.5f" % sess.run([loss, accuracy, step], {{x: a, y: b}})[1])
    print("%.5f" % sess.run(accuracy, {{x: a, y: b}}), "%.5f" % sess.run(loss, {{x: a, y: b}}))
"""


def with_metric(made: str, run: str = RUN) -> str:
    return HEAD + made + INIT + run


NATIVE = {
    "the accuracy": with_metric(ACCURACY),
    "in the run of the training step": with_metric(ACCURACY, IN_ONE),
    "with weights": with_metric("accuracy = tf.metrics.mean(loss, weights=2.0)[1]\n"),
    "errors": with_metric("accuracy = tf.metrics.root_mean_squared_error(tf.to_float(y), out)[1]\n"),
    "initialized beside the others": with_metric(ACCURACY).replace(
        "sess.run(init)",
        "sess.run(tf.global_variables_initializer())\n    sess.run(tf.local_variables_initializer())",
    ),
    "two of their own names": with_metric(
        ACCURACY + "recall = tf.metrics.recall(truth, guess, name='found')[1]\n",
        RUN + "        if i == 4:\n            print('%.5f' % sess.run(recall, {x: a, y: b}))\n",
    ),
    "two that run together": with_metric(
        ACCURACY + "share = tf.metrics.precision(truth, guess)[1]\n",
        RUN.replace("accuracy, out", "accuracy, share").replace("scores.shape", "'%.5f' % scores"),
    ),
    "beside a Saver": with_metric(ACCURACY, RUN).replace("with tf.Session", "saver = tf.train.Saver()\nwith tf.Session")
    + "    path = saver.save(sess, tempfile.mkdtemp() + '/model')\n    names = dict(tf.train.list_variables(path))\n"
    + "    print([name for name in names if 'accuracy' in name], 'dense/kernel' in names)\n",
    "beside variables of the script": with_metric(ACCURACY).replace(
        "out = tf.layers.dense(x, 3, kernel_initializer=tf.ones_initializer())",
        "w = tf.Variable(tf.ones([4, 3]))\nout = tf.matmul(x, w)",
    ),
}


@pytest.mark.parametrize("code", NATIVE.values(), ids=NATIVE.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(code).text) == run_legacy(code)


ANEW = "a metric begins anew"
REFUSED = {
    "its value without the update": (
        with_metric(ACCURACY.replace("accuracy =", "accuracy, update =").replace("[1]", "")),
        "or its value is asked for",
    ),
    "the value by its place": (with_metric(ACCURACY.replace("[1]", "[0]")), "inside another expression"),
    "two of the same name": (with_metric(ACCURACY + ACCURACY.replace("accuracy =", "other =")), "the names of others"),
    "a name that something else has": (
        with_metric(ACCURACY).replace("dense(x, 3,", "dense(x, 3, name='accuracy',"),
        "the names of others",
    ),
    "a name that is computed": (
        with_metric(ACCURACY.replace("guess)", "guess, name=str(3))")),
        "the names of others",
    ),
    "in a scope": (
        with_metric("with tf.name_scope('measured'):\n    " + ACCURACY),
        "a metric is made inside a scope",
    ),
    "in a function": (
        with_metric(
            "def measured(labels, found):\n    return tf.metrics.accuracy(labels, found)[1]\n"
            "accuracy = measured(truth, guess)\n"
        ),
        "is called inside a function",
    ),
    "inside another expression": (with_metric(ACCURACY.replace("[1]", "[1] * 2.0")), "inside another expression"),
    "an update collection": (
        with_metric(ACCURACY.replace("guess)", "guess, updates_collections=['all'])")),
        "this form of `tf.metrics.accuracy`",
    ),
    "another metric": (
        with_metric("accuracy = tf.metrics.auc(truth, tf.to_float(guess))[1]\n"),
        "`tf.metrics.auc` is not understood",
    ),
    "one that begins anew": (
        with_metric(ACCURACY, RUN + "    sess.run(tf.local_variables_initializer())\n" + "    print(1)\n"),
        ANEW,
    ),
    "one that begins anew in each turn": (
        with_metric(
            ACCURACY,
            RUN.replace("        a, b =", "        sess.run(tf.local_variables_initializer())\n        a, b ="),
        ),
        "the initializer runs inside a block",
    ),
    "one that begins twice": (with_metric(ACCURACY, RUN.replace("    for", "    sess.run(init)\n    for")), ANEW),
    "a run that may do without it": (
        with_metric(ACCURACY + "size = tf.size(accuracy)\n", RUN.replace("accuracy, out", "size, out")),
        "moves averages in place, or may not",
    ),
}


@pytest.mark.parametrize(("code", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(code: str, reason: str) -> None:
    refuses(code, reason)
