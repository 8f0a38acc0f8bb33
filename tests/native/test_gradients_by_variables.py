"""`tf.gradients` by variables: it gave a list, whatever it was given, and sparse gradients for gathered rows."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import tensorflow as tf

ids = tf.placeholder(tf.int32, [None])
w = tf.get_variable("w", [1, 3], initializer=tf.ones_initializer())
v = tf.Variable(2.0)
"""
RUN = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run({}, {{ids: [0, 0]}}))
"""
DENSE = "loss = tf.reduce_sum(w ** 2) * tf.cast(tf.size(ids), tf.float32) * v\n"
SPARSE = "loss = tf.reduce_sum(tf.nn.embedding_lookup(w, ids) ** 2) * v\n"
BY_ONE = {
    "an item": ("g = tf.gradients(loss, w)[0]\n", "g"),
    "unpacked": ("g, = tf.gradients(loss, w)\n", "g"),
    "as it is": ("g = tf.gradients(loss, w)\n", "g"),
    "summed up": ("g = tf.add_n(tf.gradients(loss, w))\n", "g"),
    "of a sum": ("g = tf.gradients([loss, v * 3.0], v)\n", "g"),
    "in a list": ("g = tf.gradients(loss, [w])\n", "g"),
    "in a tuple": ("g = tf.gradients(loss, (w, v))\n", "g"),
    "in a tuple with a name": ("both = (w, v)\ng = tf.gradients(loss, both)\n", "g"),
}


@pytest.mark.parametrize("name", BY_ONE)
def test_a_list_is_given(name: str, run_legacy: Callable[..., str]) -> None:
    taken, fetched = BY_ONE[name]
    code = HEAD + DENSE + taken + RUN.format(fetched)
    assert re.sub(r"np\.float32\(([\d.]+)\)", r"\1", printed(made_native(code).text)) == run_legacy(code)


FETCHED = {
    "one": ("g = tf.gradients(loss, w)[0]\n", "g"),
    "several": ("g = tf.gradients(loss, [w, v])\n", "g"),
    "beside the loss": ("g, h = tf.gradients(loss, [w, v])\n", "[loss, g]"),
    "pairs": ("pairs = tf.train.AdamOptimizer().compute_gradients(loss, [w])\ng = pairs[0][0]\n", "g"),
    "with another name": ("g = tf.gradients(loss, [w])\nh = g[0]\n", "h"),
    "clipped": ("g = [tf.clip_by_norm(each, 1.0) for each in tf.gradients(loss, [w])]\n", "g"),
    "clipped together": ("g, norm = tf.clip_by_global_norm(tf.gradients(loss, [w, v]), 1.0)\n", "g[0]"),
}


@pytest.mark.parametrize("name", FETCHED)
def test_one_that_may_be_sparse_is_refused(name: str) -> None:
    taken, fetched = FETCHED[name]
    refuses(HEAD + SPARSE + taken + RUN.format(fetched), "may be a sparse gradient")


COMPUTED = {
    "an array of it": ("g = tf.gradients(loss, w)[0]\nh = tf.convert_to_tensor(g)\n", "h"),
    "what is computed of it": ("g = tf.gradients(loss, w)[0]\nh = tf.reduce_sum(g) * 2.0\n", "h"),
    "a norm": ("g, norm = tf.clip_by_global_norm(tf.gradients(loss, [w, v]), 1.0)\n", "norm"),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_an_array_is_native(name: str, run_legacy: Callable[..., str]) -> None:
    taken, fetched = COMPUTED[name]
    code = HEAD + SPARSE + taken + RUN.format(fetched)
    assert printed(made_native(code).text) == run_legacy(code)


def test_a_step_of_sparse_gradients_is_native(run_legacy: Callable[..., str]) -> None:
    code = f"""{HEAD}{SPARSE}\
g = tf.gradients(loss, [w])
step = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(g, [w]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    value, _ = sess.run([loss, step], {{ids: [0, 0]}})
    print(value, sess.run(w))
"""
    assert printed(made_native(code).text) == run_legacy(code)
