"""Tensors that wait for updates: `train_op = tf.identity(loss)` behind a training step; the run of one makes these."""

from __future__ import annotations

import pytest

from tests.native.models import SESSION, STEP
from tests.native.native import made_native, printed, refuses

MODEL = STEP + "inc = n.assign_add(2)\n"
RUN = "for _ in range(2):\n    print(float(sess.run(z, {x: [1.0]})), sess.run(w), sess.run(n))\n"


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        # What TF 1.15.5 prints.
        (
            "with tf.control_dependencies([step]):\n    z = tf.identity(loss, name='train')\n",
            "1.0 2.25 0 0.5625 2.4375 0",
        ),
        ("with tf.control_dependencies([inc]):\n    z = loss * 2.0\n", "2.0 2.0 2 2.0 2.0 4"),
        ("with tf.control_dependencies([step, inc]):\n    z = tf.identity(loss)\n", "1.0 2.25 2 0.5625 2.4375 4"),
        (
            "both = tf.group(step, inc)\nwith tf.control_dependencies([both]):\n    z = loss + 1.0\n",
            "2.0 2.25 2 1.5625 2.4375 4",
        ),
        (
            "with tf.control_dependencies([step]):\n"
            "    with tf.control_dependencies([inc]):\n        z = tf.identity(loss)\n",
            "1.0 2.25 2 0.5625 2.4375 4",
        ),
        (
            "with tf.control_dependencies([tf.group(inc)]):\n    z = tf.reduce_sum(x)\n",
            "1.0 2.0 2 1.0 2.0 4",
        ),
    ],
)
def test_a_run_makes_what_the_tensor_waits_for(block: str, expected: str) -> None:
    assert printed(made_native(MODEL + block + SESSION + RUN).text).split() == expected.split()


FUNCTIONS = """\
def half(t):
    return t / 2.0
def twice(t, k=2.0):
    if k > 3.0:
        k = 2.0
    result = tf.multiply(t, k)
    return result
def both(t):
    return half(twice(t))
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # What TF 1.15.5 prints.
        ("tf.where(x > 0.0, x, -x)[0]", "1.0 2.25 0 1.0 2.4375 0"),
        ("tf.transpose(loss)", "1.0 2.25 0 0.5625 2.4375 0"),
        ("tf.squeeze(loss)", "1.0 2.25 0 0.5625 2.4375 0"),
        ("tf.nn.l2_normalize(x, 0)[0]", "1.0 2.25 0 1.0 2.4375 0"),
        ("half(loss)", "0.5 2.25 0 0.28125 2.4375 0"),
        ("twice(loss)", "2.0 2.25 0 1.125 2.4375 0"),
        ("both(loss)", "1.0 2.25 0 0.5625 2.4375 0"),
    ],
)
def test_what_surely_makes_an_operation_waits(given: str, expected: str) -> None:
    code = f"{FUNCTIONS}with tf.control_dependencies([step]):\n    z = {given}\n"
    assert printed(made_native(MODEL + code + SESSION + RUN).text).split() == expected.split()


def test_several_are_fetched_by_a_list() -> None:
    code = f"""{MODEL}with tf.control_dependencies([step]):
    z = tf.identity(loss)
fetches = [z, inc]
{SESSION}value, count = sess.run(fetches, {{x: [1.0]}})
print(float(value), count, sess.run(w))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(code).text).split() == ["1.0", "2", "2.25"]


def test_an_object_has_such_a_tensor() -> None:
    code = """\
import tensorflow as tf
class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(2.0)
        loss = tf.reduce_mean(tf.square(self.x * self.w - 3.0))
        step = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
        with tf.control_dependencies([step]):
            self.train_op = tf.identity(loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
    def train(self, data):
        return self.sess.run(self.train_op, {self.x: data})
model = Model()
print(float(model.train([1.0])), float(model.train([1.0])))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(code).text).split() == ["1.0", "0.5625"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "def double():\n    return w * 2.0\nwith tf.control_dependencies([step]):\n    z = tf.identity(double())\n",
            "`w` is read where updates come first",
        ),
        (
            "r = tf.reshape(w, [1])\nwith tf.control_dependencies([step]):\n    z = tf.identity(r)\n",
            "`r` is read where updates come first",
        ),
        (
            "with tf.control_dependencies([inc]):\n    z = tf.identity(tf.cond(x[0] > 0.0, lambda: w, lambda: -w))\n",
            "`w` is read where updates come first",
        ),
        (
            "with tf.control_dependencies([step]):\n    z, y = tf.identity(loss), tf.identity(n)\n",
            "several tensors of one statement wait for updates",
        ),
        (
            "with tf.control_dependencies([inc]):\n    a = tf.identity(loss)\nz = a * 2.0\n",
            "used where it is not fetched",
        ),
        ("with tf.control_dependencies([inc]):\n    a = tf.identity(loss)\n    z = a + 1.0\n", "used where it is not"),
        ("with tf.control_dependencies([inc]):\n    a = tf.identity(loss)\nz = a\n", "used where it is not fetched"),
        (
            "with tf.control_dependencies([inc]):\n"
            "    z = tf.get_variable('v', [], initializer=tf.ones_initializer())\n",
            "something else than averages, assignments, groups and tensors",
        ),
        (
            "with tf.control_dependencies([inc]):\n    z = tf.reduce_sum(tf.layers.dense(tf.ones([1, 2]), 1))\n",
            "something else than averages, assignments, groups and tensors",
        ),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(MODEL + code + SESSION + RUN, reason)


HANDING_ON = """\
def same(t):
    return t
def bound(t):
    result = t
    return result
def first(t):
    return [t][0]
def either(t, k=1):
    if k > 0:
        return t
    return tf.negative(t)
"""


@pytest.mark.parametrize(
    "given",
    # In TF 1.15.5 the step is not made where one of these is fetched.
    [
        "tf.convert_to_tensor(loss)",
        "tf.cast(loss, tf.float32)",
        "tf.to_float(loss)",
        "tf.add_n([loss])",
        "tf.accumulate_n([loss])",
        "tf.real(loss)",
        "tf.conj(loss)",
        "tf.saturate_cast(loss, tf.float32)",
        "tf.nn.dropout(loss, 1.0)",
        "[loss][0]",
        "(loss if True else x)",
        "w.value()",
        "tf.stack(loss)",
        "tf.round(tf.cast(loss, tf.int32))",
        "tf.einsum('i->i', x)",
        "same(loss)",
        "bound(loss)",
        "first(loss)",
        "either(loss)",
    ],
)
def test_what_may_make_no_operation_is_refused(given: str) -> None:
    code = f"{HANDING_ON}with tf.control_dependencies([step]):\n    z = {given}\n"
    refuses(MODEL + code + SESSION + RUN, "may make no operation that waits for the updates of its block")
