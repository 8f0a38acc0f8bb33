"""The tags of summaries are those that TensorFlow 1 gave them: scopes that are opened again are numbered."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten

SHOW = """\
merged = tf.summary.merge_all()
folder = tempfile.mkdtemp()
writer = tf.summary.FileWriter(folder)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1):
        writer.add_summary(sess.run(merged, {x: [1.0, 2.0]}), step)
writer.close()
for event in tf.train.summary_iterator(glob.glob(folder + "/*")[0]):
    for value in event.summary.value:
        print(value.tag, "%.4f" % (value.simple_value or value.histo.sum))
"""
HEAD = "import glob\nimport tempfile\n\nimport tensorflow as tf\n\n"
CODE = f"""\
{HEAD}
def layer(t, name):
    with tf.name_scope(name):
        return tf.nn.tanh(t)


x = tf.placeholder(tf.float32, [None])
with tf.name_scope("a"):
    y = tf.square(x)
    tf.summary.histogram("outputs", y)
with tf.name_scope("a"):
    tf.summary.scalar("s", tf.reduce_sum(y))
with tf.name_scope("b"):
    z = tf.nn.relu(x, name="deep")
    tf.summary.scalar("Outputs", tf.reduce_sum(z))
with tf.name_scope("b"):
    with tf.name_scope("c"):
        u = layer(z, "there")
        tf.summary.scalar("t", tf.reduce_sum(u))
tf.summary.scalar("t", tf.reduce_sum(z))
tf.summary.scalar("T", tf.reduce_sum(z))
tf.summary.scalar("x", tf.reduce_sum(z))
{SHOW}"""
# What TensorFlow 1.15.5 prints.
OUTPUT = """\
a/outputs 5.0000
a_1/s 5.0000
b/Outputs 3.0000
b_1/c/t 1.7256
t 3.0000
T_1 3.0000
x 3.0000
"""


def test_scopes_that_are_opened_again_are_numbered() -> None:
    result = made_native(CODE)
    assert 'compat.summary.scalar("a_1/s", ' in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUT


LAYERS = f"""\
{HEAD}
x = tf.placeholder(tf.float32, [2])
one = tf.ones_initializer()
with tf.variable_scope("v"):
    h = tf.layers.dense(x[None], 3, kernel_initializer=one)
    tf.summary.scalar("h", tf.reduce_sum(h))
    with tf.name_scope("n"):
        g = tf.layers.dense(h, 1, kernel_initializer=one)
        tf.summary.scalar("g", tf.reduce_sum(g))
tf.summary.scalar("g", tf.reduce_sum(g))
{SHOW}"""


def test_scopes_that_stay_for_their_variables_do_not_count_twice() -> None:
    result = made_native(LAYERS)
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "v/h 9.0000\nv/n/g 9.0000\ng 9.0000\n"


@pytest.mark.parametrize(
    "lines",
    [
        'y = tf.nn.relu(x)\ntf.summary.histogram("relu", y)',
        'with tf.name_scope("a"):\n    y = tf.nn.relu(x)\n    tf.summary.histogram("relu", y)',
        'y = tf.reduce_mean(x)\ntf.summary.scalar("mean", y)',
        'y = tf.nn.l2_loss(x)\ntf.summary.scalar("L2Loss", y)',
        'y = x + 1.0\ntf.summary.histogram("add", y)',
        'y = tf.identity(x, name="values")\ntf.summary.histogram("Values", y)',
        'y = tf.identity(x, name="a")\nwith tf.name_scope("a"):\n    tf.summary.histogram("values", y)',
        'def f(t):\n    return tf.identity(t, name="values")\ny = f(x)\ntf.summary.histogram("values", y)',
        'def f(t, n):\n    return tf.identity(t, name=n)\ny = f(x, "values")\ntf.summary.histogram("values", y)',
    ],
)
def test_names_that_operations_may_have(lines: str) -> None:
    code = f"{HEAD}x = tf.placeholder(tf.float32, [None])\n{lines}\n{SHOW}"
    site = deciding_site(code)
    assert site.tier == "bridge"
    assert "TF1 may have numbered the summary" in (site.reason or "")
    # The same text with a name that no operation can have.
    free = code.replace('"relu"', '"free"').replace('"mean"', '"free"').replace('"L2Loss"', '"free"')
    free = free.replace('"add"', '"free"').replace('m("values"', 'm("free"').replace('m("Values"', 'm("free"')
    free = free.replace('name_scope("a"):\n    tf', 'name_scope("b"):\n    tf')
    assert {site.tier for site in rewritten(free).sites} == {"native"}
