"""Lists of all trainable variables: of a script's own, of its layers, of both, and what is computed of each of them."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

one = tf.ones_initializer()
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
"""
OWN = """\
W = tf.Variable(0.1 * tf.ones([4, 3]), name="W")
c = tf.Variable(0.2 * tf.ones([3]), name="bias")
U = tf.Variable(0.3 * tf.ones([3, 1]), name="U")
out = tf.matmul(tf.matmul(x, W) + c, U)
"""
LAYERS = """\
h = tf.layers.dense(x, 3, kernel_initializer=one, name="h")
out = 0.1 * tf.layers.dense(h, 1, kernel_initializer=one, name="out")
"""
BOTH = """\
V = tf.Variable(0.5 * tf.ones([4]), name="V")
h = tf.layers.dense(x * V, 3, kernel_initializer=one, name="h")
U = tf.Variable(0.3 * tf.ones([3, 1]), name="U")
out = tf.matmul(h, U)
"""
LOSS = "loss = tf.reduce_mean(tf.square(out - y))\n"
DESCENT = "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
RUN = """\
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(train, {x: 0.5 * np.ones([2, 4]), y: np.zeros([2, 1])})
        print("%.4f" % sess.run(loss, {x: 0.5 * np.ones([2, 4]), y: np.zeros([2, 1])}))
"""
STEPS = {
    "clipped": (
        "tvars = tf.trainable_variables()\n"
        "grads, norm = tf.clip_by_global_norm(tf.gradients(loss, tvars), 0.5)\n"
        "train = tf.train.AdamOptimizer(0.1).apply_gradients(zip(grads, tvars))\n"
    ),
    "penalized": (
        "loss += 0.1 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if 'bias' not in v.name])\n"
        + DESCENT
    ),
    "summed": (
        "some = [v for v in tf.trainable_variables() if v.name != 'U:0']\n"
        "penalty = sum(tf.nn.l2_loss(v) for v in some)\n"
        "loss = loss + 0.1 * penalty\n" + DESCENT
    ),
    "pairs": (
        "optimizer = tf.train.GradientDescentOptimizer(0.1)\n"
        "gradients, variables = zip(*optimizer.compute_gradients(loss))\n"
        "gradients, _ = tf.clip_by_global_norm(gradients, 0.5)\n"
        "train = optimizer.apply_gradients(zip(gradients, variables))\n"
    ),
    "some": (
        "some = [v for v in tf.trainable_variables() if 'bias' not in v.name]\n"
        "train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=some)\n"
    ),
}
OUTPUTS = {
    # What TensorFlow 1.15.5 prints.
    ("own", "clipped"): "0.0036 0.0027 0.0038",
    ("own", "penalized"): "0.0970 0.0691 0.0522",
    ("own", "summed"): "0.0917 0.0650 0.0487",
    ("own", "pairs"): "0.0969 0.0708 0.0517",
    ("own", "some"): "0.0948 0.0724 0.0570",
    ("layers", "clipped"): "0.2016 0.1018 0.0448",
    ("layers", "penalized"): "1.0409 0.9793 0.9242",
    ("layers", "summed"): "1.0409 0.9795 0.9245",
    ("layers", "pairs"): "0.3345 0.3104 0.2887",
    ("layers", "some"): "0.3388 0.3193 0.3012",
    ("both", "clipped"): "0.1384 0.0071 0.0000",
    ("both", "penalized"): "0.6786 0.6186 0.5904",
    ("both", "summed"): "0.6806 0.6203 0.5917",
    ("both", "pairs"): "0.6408 0.4979 0.3783",
    ("both", "some"): "0.0886 0.0292 0.0107",
    ("two", ""): "2.2113 1.2653 0.9261",
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("graph", ["own", "layers", "both"])
def test_steps_over_all_variables(graph: str, step: str) -> None:
    code = HEAD + {"own": OWN, "layers": LAYERS, "both": BOTH}[graph] + LOSS + STEPS[step] + RUN
    assert printed(made_native(code).text).split() == OUTPUTS[graph, step].split()


def test_variables_stand_in_the_order_in_which_they_were_made() -> None:
    text = made_native(HEAD + BOTH + LOSS + STEPS["clipped"] + RUN).text
    assert "        tvars = [V, *store.trainable_variables, U]\n" in text
    assert "optimizer = compat.train.AdamOptimizer(0.1)\n" in text


TWO = f"""\
{HEAD}
a = tf.layers.dense(x, 1, kernel_initializer=one, name="a")
b = tf.layers.dense(x, 3, kernel_initializer=one, name="b")
W = tf.Variable(tf.ones([2]), name="W")
penalty = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
loss = tf.reduce_mean(tf.square(a - y)) + 0.1 * penalty
{DESCENT}{RUN}"""


def test_the_penalty_counts_layers_that_nothing_else_of_the_step_needs() -> None:
    result = made_native(TWO)
    assert 'b = compat.layers.dense(x, 3, kernel_initializer=one, name="b")' in result.text
    assert printed(result.text).split() == OUTPUTS["two", ""].split()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        # Only a run that is fed what the layers need makes their variables.
        (TWO + "    print(sess.run(penalty))\n", "the placeholder `x` is not fed"),
        (TWO.replace("b = tf", "Z = tf.Variable(1.0)\nb = tf"), "others were made between them"),
        (
            TWO.replace("penalty = ", "b2 = b\npenalty = ").replace("loss = ", "c = tf.layers.dense(b, 1)\nloss = "),
            "built",
        ),
        (TWO.replace("trainable_variables()", "get_collection('variables')"), "asks for all variables"),
        (TWO.replace("for v in", "for v in reversed(").replace("variables()]", "variables())]"), "`reversed`"),
        (TWO.replace("variables()]", "variables() if v.shape[0] > 1]"), "Python value"),
        # TF1 counted what the optimizer keeps as well.
        (
            HEAD
            + 'with tf.variable_scope("a"):\n'
            + "    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 3, kernel_initializer=one) - y))\n"
            + "    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)\n"
            + "held = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope='a')\n"
            + "loss += tf.add_n([tf.nn.l2_loss(v) for v in held])\n"
            + RUN,
            "used as a Python value",
        ),
        (
            HEAD + OWN + LOSS + STEPS["some"].replace("'bias' not in v.name", "v.shape[0] > 1") + RUN,
            "used as a Python value",
        ),
        (HEAD + OWN + LOSS + STEPS["some"].replace("=some", "=[some[0]]") + RUN, "no tensor"),
        (HEAD + OWN + LOSS + STEPS["some"] + "print(len(some))\n" + RUN, "`len`"),
        (
            HEAD + OWN + LOSS + STEPS["some"] + RUN.replace("sess.run(loss", "sess.run(some and loss"),
            "the graph depends on a condition",
        ),
    ],
)
def test_what_is_not_sure(code: str, reason: str) -> None:
    refuses(code, reason)


BUFFERS = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
W1 = tf.Variable([[1.0], [2.0]], name="W1")
W2 = tf.Variable([3.0], name="W2")
out = tf.matmul(x, W1) * W2
loss = tf.reduce_mean(tf.square(out))
tvars = tf.trainable_variables()
weights = {"b": W2, "a": W1}
pair = (W1, [W2, W1])
grads = tf.gradients(loss, tvars)
given1 = tf.placeholder(tf.float32, name="g1")
given2 = tf.placeholder(tf.float32, name="g2")
given = [given1, given2]
adam = tf.train.AdamOptimizer(0.1)
step = adam.apply_gradients(zip([given1, given2], tvars))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    buffer = sess.run(tvars)
    for ix, grad in enumerate(buffer):
        buffer[ix] = grad * 0
    print(type(buffer), buffer)
    for _ in range(3):
        new = sess.run(grads, {x: [[1.0, 2.0]]})
        for ix, grad in enumerate(new):
            buffer[ix] += grad
        sess.run(step, {given1: buffer[0], given2: buffer[1]})
    print(sess.run(weights))
    print(sess.run(pair))
    print(sess.run(tvars)[1], sess.run([W1, W2])[1])
    before = sess.run(tvars)
    sess.run(step, {given1: buffer[0], given2: buffer[1]})
    print(before, sess.run(tvars))
"""
# What TensorFlow 1.15.5 prints.
BUFFERED = """\
<class 'list'> [array([[0.],
       [0.]], dtype=float32), array([0.], dtype=float32)]
{'b': array([2.70566], dtype=float32), 'a': array([[0.70599234],
       [1.7059923 ]], dtype=float32)}
(array([[0.70599234],
       [1.7059923 ]], dtype=float32), [array([2.70566], dtype=float32), array([[0.70599234],
       [1.7059923 ]], dtype=float32)])
[2.70566] [2.70566]
[array([[0.70599234],
       [1.7059923 ]], dtype=float32), array([2.70566], dtype=float32)] [array([[0.607703],
       [1.607703]], dtype=float32), array([2.6072307], dtype=float32)]
"""


def test_lists_are_fetched_as_they_are() -> None:
    result = made_native(BUFFERS)
    assert "    adam.apply_gradients(zip([given1, given2], tvars))\n" in result.text
    assert printed(result.text) == BUFFERED


CLIPPED = """\
import numpy as np
import tensorflow as tf

one = tf.ones_initializer()
x = tf.placeholder(tf.float32, [None, 4])
with tf.variable_scope("a"):
    p = tf.layers.dense(x, 2, kernel_initializer=one)
with tf.variable_scope("b"):
    q = tf.layers.dense(x, 2, kernel_initializer=one)
U = 2.0
V = 1.0
loss = tf.reduce_mean(tf.square(p * U - q * V - 1.0))
tv = tf.trainable_variables()
av = [v for v in tv if v.name.startswith("a")]
bv = [v for v in tv if v.name.startswith("b")]
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=av)
clip = [b.assign(tf.clip_by_value(b, 0.1, 0.5)) for b in bv]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(clip)
    for i in range(3):
        sess.run(train, {x: 0.1 * np.ones([2, 4])})
        print("%.4f" % sess.run(loss, {x: 0.1 * np.ones([2, 4])}))
    sess.run(clip)
    print("%.4f" % sess.run(loss, {x: 0.1 * np.ones([2, 4])}))
"""
# What TensorFlow 1.15.5 prints.
CLIPPED_OUTPUT = "0.0853\n0.0291\n0.0099\n0.0099\n"
_CLIP = "[b.assign(tf.clip_by_value(b, 0.1, 0.5)) for b in bv]"


def test_variables_of_a_store_are_assigned_to_one_by_one() -> None:
    result = made_native(CLIPPED)
    assert "    for b in bv:\n        b.assign(tf.clip_by_value(b, 0.1, 0.5))\n" in result.text
    assert printed(result.text) == CLIPPED_OUTPUT


@pytest.mark.parametrize(
    ("clip", "reason"),
    [
        (
            "[b.assign(tf.clip_by_value(b, 0.1, 0.5)) for b in bv if 'bias' not in b.name]",
            "a way that is not understood",
        ),
        ("[tf.assign(b, b * 0.5 + loss) for b in bv]", "the placeholder `x` is not fed"),
    ],
)
def test_assignments_that_are_not_sure(clip: str, reason: str) -> None:
    refuses(CLIPPED.replace(_CLIP, clip), reason)


def test_lists_of_both_kinds_are_not_assigned_to() -> None:
    own = CLIPPED.replace("U = 2.0\nV = 1.0\n", "U = tf.Variable(2.0, name='a_u')\nV = tf.Variable(1.0, name='b_u')\n")
    copying = "[tf.assign(b, a) for a, b in zip(av, bv)]"
    assert "tf.Variable" in own
    made_native(CLIPPED.replace(_CLIP, copying))
    refuses(own.replace(_CLIP, copying), "the variable that is assigned to is not known")
