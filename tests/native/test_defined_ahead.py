"""Functions that run the session, defined above the session and the tensors that they mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = "import numpy as np\nimport tensorflow as tf\n"
FUNCTION = "def f(v):\n    return sess.run(out, {xs: v}).sum()\n"
MODEL = """\
xs = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable([[1.0], [2.0]])
b = tf.Variable(0.5)
out = tf.matmul(xs, w) + b
loss = tf.reduce_mean(tf.square(out))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
a = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
"""
TRAINED = "print('%.3f' % CALL)\nsess.run(step, {xs: a})\nprint('%.3f' % CALL)\n"
ACCURACY = """\
def accuracy(v):
    global out
    found = sess.run(out, {xs: v})
    right = tf.cast(tf.greater(found, 3.0), tf.float32)
    return sess.run(tf.reduce_mean(right), {xs: v})
"""
CALLED = {
    "by the script": (FUNCTION, TRAINED.replace("CALL", "f(a)")),
    "in a loop": (FUNCTION, "for k in (1, 2):\n    print(f(a * k))\n"),
    "in a block": (FUNCTION, "try:\n    print(['%.3f' % f(a * k) for k in (1, 2)])\nexcept ValueError:\n    pass\n"),
    "by a lambda": (FUNCTION, "h = lambda v: f(v)\nprint(h(a))\n"),
    "by one like it": ("def g(v):\n    return f(v) + 1.0\n" + FUNCTION, TRAINED.replace("CALL", "g(a)")),
    "by one that is called": (FUNCTION + "def main():\n    print(f(a))\n", "main()\nsess.run(step, {xs: a})\nmain()\n"),
    "by none": (FUNCTION, "print(sess.run(loss, {xs: a}))\n"),
    "behind another meaning": (FUNCTION, "for i in range(2):\n    out = out + 1.0\nout = out * 2.0\nprint(f(a))\n"),
    "builds and runs": (ACCURACY, TRAINED.replace("CALL", "accuracy(a)")),
    "fills a name": (
        "def f(v):\n    global best\n    best = sess.run(loss, {xs: v})\n",
        "f(a)\nprint('%.3f' % best)\nsess.run(step, {xs: a})\nf(a)\nprint('%.3f' % best)\n",
    ),
    "assigns": ("def f(v):\n    sess.run(tf.assign(b, v))\n", "f(2.0)\nprint(sess.run(out, {xs: a}).sum())\n"),
    "defined again": (FUNCTION, "print(f(a))\ndef f(v):\n    return sess.run(loss, {xs: v})\nprint(f(a))\n"),
}


@pytest.mark.parametrize("name", CALLED)
def test_computes_what_tf1_computed(name: str, run_legacy: Callable[..., str]) -> None:
    above, below = CALLED[name]
    code = HEAD + above + MODEL + below
    assert printed(made_native(code).text) == run_legacy(code)


def test_in_the_block_of_the_session(run_legacy: Callable[..., str]) -> None:
    graph, _, data = MODEL.partition("sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n")
    inside = "sess.run(tf.global_variables_initializer())\n" + TRAINED.replace("CALL", "f(a)")
    block = "with tf.Session() as sess:\n" + "".join(f"    {line}\n" for line in inside.splitlines())
    code = HEAD + FUNCTION + graph + data + block
    assert printed(made_native(code).text) == run_legacy(code)


@pytest.mark.parametrize(
    ("above", "below", "reason"),
    [
        (FUNCTION, "print(f(a))\nout = out * 2.0\nprint(f(a))\n", "`out` is bound again after `f` is defined"),
        (
            FUNCTION + "def g(v):\n    return f(v)\n",
            "print(g(a))\nout = out * 2.0\nprint(g(a))\n",
            "`out` is bound again after `f` is defined",
        ),
        (
            FUNCTION,
            "for i in range(2):\n    print(f(a))\n    out = out + 1.0\n",
            "`out` is a part of the graph on some paths and another value on others",
        ),
        (FUNCTION, "print(eval('f(a)'))\nprint(f(a))\n", "where the session `sess` comes from is not known"),
        (FUNCTION, "print(list(map(f, [a])))\n", "`f`, which runs the session, is passed on"),
        (
            "def f(v):\n    return sess.run(tf.reduce_sum(out * v), {xs: a})\n",
            "print(f(2.0), f(3.0))\n",
            "the graph of this run depends on `v`, which changes",
        ),
    ],
)
def test_what_is_not_known_where_they_are_named(above: str, below: str, reason: str) -> None:
    refuses(HEAD + above + MODEL + below, reason)
