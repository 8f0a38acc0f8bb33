"""Summaries that functions and loops make: each function that is traced collects those that are made in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native import trees
from tests.native.native import deciding_site, made_native, printed, rewritten

SHOW = """\
merged = tf.summary.merge_all()
folder = tempfile.mkdtemp()
writer = tf.summary.FileWriter(folder)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(2):
        _, text = sess.run([train, merged], {x: [[1.0, 2.0]]})
        writer.add_summary(text, step)
    print("%.4f" % sess.run(loss, {x: [[1.0, 2.0]]}))
writer.close()
for event in tf.train.summary_iterator(glob.glob(folder + "/*")[0]):
    for value in event.summary.value:
        print(event.step, value.tag, "%.4f" % (value.simple_value or value.histo.sum))
"""
HEAD = "import glob\nimport tempfile\n\nimport tensorflow as tf\n\n"
CODE = f"""\
{HEAD}
def show(t):
    tf.summary.scalar("largest", tf.reduce_max(t))


def build(t, weights):
    layer = tf.nn.relu(tf.matmul(t, weights["w1"]))
    # What the layer gives
    tf.summary.histogram("layer", layer)
    show(layer)
    return tf.matmul(layer, weights["w2"])


x = tf.placeholder(tf.float32, [None, 2])
weights = {{"w1": tf.Variable([[1.0], [0.5]], name="W1"), "w2": tf.Variable([[2.0]], name="w2")}}
with tf.name_scope("Model"):
    out = build(x, weights)
with tf.name_scope("Loss"):
    loss = tf.reduce_mean(tf.square(out))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
grads = list(zip(tf.gradients(out, tf.trainable_variables()), tf.trainable_variables()))
tf.summary.scalar("loss", loss)
for grad, var in grads:
    tf.summary.histogram(var.name + "/gradient", grad)
{SHOW}"""
# What TensorFlow 1.15.5 prints.
OUTPUT = """\
2.0119
0 Model/layer 2.0000
0 Model/largest 2.0000
0 loss_1 16.0000
0 W1_0/gradient 6.0000
0 w2_0/gradient 2.0000
1 Model/layer 1.2000
1 Model/largest 1.2000
1 loss_1 4.8753
1 W1_0/gradient 5.5200
1 w2_0/gradient 1.2000
"""
LAYERS = f"""\
{HEAD}
def build(t):
    hidden = tf.layers.dense(t, 2, kernel_initializer=tf.ones_initializer())
    tf.summary.histogram("hidden", hidden)
    out = tf.layers.dense(hidden, 1, kernel_initializer=tf.ones_initializer())
    tf.summary.histogram("out", out)
    return out


x = tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("net"):
    y = build(x)
with tf.name_scope("more"):
    z = build(x)
loss = tf.reduce_mean(tf.square(y - z + 1.0))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.name_scope("after"):
    tf.summary.scalar("loss", loss)
{SHOW}"""
# What TensorFlow 1.15.5 prints.
LAYERS_OUTPUT = """\
0.0034
0 net/hidden 6.0000
0 net/out 6.0000
0 more/hidden 6.0000
0 more/out 6.0000
0 after/loss 1.0000
1 net/hidden 5.7600
1 net/out 5.3944
1 more/hidden 6.2400
1 more/out 6.6344
1 after/loss 0.0576
"""


def test_functions_and_loops_make_summaries() -> None:
    result = made_native(CODE)
    assert "    # What the layer gives\n    compat.summary.histogram" in result.text
    assert "    merged = compat.summary.merge_all()\n" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUT


def test_functions_that_make_layers_and_summaries() -> None:
    result = made_native(LAYERS)
    assert printed(result.text) == LAYERS_OUTPUT


def test_a_statement_that_calls_one_twice() -> None:
    code = CODE.replace("out = build(x, weights)", "out = build(x, weights) + build(x * 2.0, weights)")
    result = made_native(code)
    tags = [line.split()[1:] for line in printed(result.text).splitlines() if line.startswith("0 Model")]
    # What TensorFlow 1.15.5 prints.
    assert tags == [
        ["Model/layer", "2.0000"],
        ["Model/largest", "2.0000"],
        ["Model/layer_1", "4.0000"],
        ["Model/largest_1", "4.0000"],
    ]


def test_nothing_is_merged_of_what_other_functions_make() -> None:
    code = CODE.replace("[train, merged]", "[train, chosen]").replace(
        "merged = tf.summary.merge_all()", 'chosen = tf.summary.merge([tf.summary.scalar("one", loss)])'
    )
    site = deciding_site(code)
    assert "inside another expression" in (site.reason or "")
    code = code.replace("tf.summary.merge([tf.summary.scalar(", "tf.summary.scalar(").replace("loss)])", "loss)")
    result = made_native(code)
    # What TensorFlow 1.15.5 prints.
    assert printed(result.text) == "2.0119\n0 one 16.0000\n1 one 4.8753\n"


@pytest.mark.parametrize(
    "tag",
    [
        '"{}/gradient".format(var.name)',
        '"{0}/gradient".format(var.name)',
        '"%s/gradient" % var.name',
        '"%s/gradient" % (var.name,)',
        'f"{var.name}/gradient"',
    ],
)
def test_names_that_begin_with_a_variable(tag: str) -> None:
    result = made_native(CODE.replace('var.name + "/gradient"', tag))
    assert f"histogram({tag}, grad)" in result.text
    assert printed(result.text) == OUTPUT


@pytest.mark.parametrize(
    "tag",
    [
        '"gradient/{}".format(var.name)',
        '"{}{}".format(var.name, 1)',
        '"{}/{{}}".format(var.name)',
        '"{:>9}/gradient".format(var.name)',
        '"{n}/gradient".format(n=var.name)',
        '"{}/gradient".format(*[var.name])',
        '"gradient/%s" % var.name',
        '"%9s/gradient" % var.name',
        '"%s/%s" % (var.name, 1)',
        'f"{var.name!r}/gradient"',
        'f"{var.name}/{1}"',
        '"{}/gradient".format(var.op.name)',
        '"{}/gradient".format(var)',
        '"{}/gradient".format(grad.name)',
    ],
)
def test_names_that_may_be_any(tag: str) -> None:
    site = deciding_site(CODE.replace('var.name + "/gradient"', tag))
    assert site.tier == "bridge", site.reason


@pytest.mark.usefixtures("as_it_stands")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # TF1 counts: `Model/layer_1`, `Model_1/layer`, `Model/relu_1`.
        ("    out = build(x, weights)", "    other = build(x, weights)\n    out = build(x, weights)", "numbered"),
        (
            'with tf.name_scope("Model")',
            'with tf.name_scope("model"):\n    y = x * 1.0\nwith tf.name_scope("Model")',
            "numb",
        ),
        ('histogram("layer"', 'histogram("relu"', "numbered"),
        ("    show(layer)", '    with tf.name_scope("shown"):\n        show(layer)', "in a scope that a function"),
        ('"layer", layer)', "layer.name, layer)", "only at run time"),
        ('var.name + "/gradient"', 'var.op.name + "/gradient"', "used as a Python value"),
        ('var.name + "/gradient"', '"gradient of " + var.name', "used as a Python value"),
        ("merged = tf", "first = tf.summary.merge_all()\nw = build(x, weights)\nmerged = tf", "behind `merge_all`"),
        ("loss, {x: [[", "build(x, weights), {x: [[", "inside a function or a run"),
        (
            "    out = build(x, weights)",
            "    out = build(tf.zeros([1, 2]), {})",
            "is called elsewhere than for a tensor",
        ),
        ("    show(layer)", "    show(layer)\n    print('shown')", "more than build"),
    ],
)
def test_what_is_not_sure(old: str, new: str, reason: str) -> None:
    assert old in CODE
    site = deciding_site(CODE.replace(old, new, 1))
    assert site.tier == "bridge"
    assert reason in (site.reason or ""), site.reason


def test_functions_of_other_modules(tmp_path: Path) -> None:
    _, _, rest = CODE.partition("def show")
    functions, _, script = rest.partition("x = tf.placeholder")
    library = f"import tensorflow as tf\n\n\ndef show{functions}"
    code = f"{HEAD}from library import build\n\nx = tf.placeholder{script}"
    outcome = trees.rewritten(tmp_path, {"library.py": library, "train.py": code})
    assert trees.tiers(outcome) == {"bridge"}
    assert any("inside a function or a run" in reason for reason in trees.reasons(outcome)), trees.reasons(outcome)
