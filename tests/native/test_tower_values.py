"""Runs that take values of single towers, functions that choose the devices, and flags that share the variables.

`tests/compat/train/test_mirrored_towers.py` compares what the script prints then with what TF 1.15.5 printed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten

FOLDER = Path(__file__).parent / "towers"
BEFORE, AFTER = ((FOLDER / name).read_text() for name in ("values_before.py", "values_after.py"))


def reason_of(code: str) -> str:
    """Why a loop is not made replicas; the script is then as the bridge has it."""
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"bridge"}
    (finding,) = (finding for finding in result.findings if finding.rule == "TFM203")
    return finding.message


def native(code: str) -> str:
    result = rewritten(code)
    assert {site.tier for site in result.sites} == {"native"}, [finding.message for finding in result.findings]
    return result.text


def test_before_becomes_after() -> None:
    result = rewritten(BEFORE)
    assert result.text == AFTER
    functions = [site.function for site in result.sites if not site.initializer_only]
    assert functions == [
        "train_step",
        "compute_loss_and_accuracy",
        "compute_surest_and_size_and_accuracy",
        "compute_accuracy",
        "compute_loss",
    ]


def test_after_stays_as_it_is() -> None:
    assert rewritten(AFTER).text == AFTER


def test_a_device_that_is_written_out() -> None:
    chosen = BEFORE[BEFORE.index("# Where variables are") : BEFORE.index("# What is on no GPU")]
    code = BEFORE.replace(chosen, "").replace(
        'device_of("/gpu:{}".format(k), variables="/cpu:0")', '"/gpu:{}".format(k)'
    )
    assert native(code) == AFTER


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        if node_def.op in VARIABLES:", '        if op.type == "VariableV2":'),
        ("        if node_def.op in VARIABLES:", '        if node_def.op in ("VarHandleOp", "VariableV2"):'),
        ("        else:\n            return device\n", "        return device\n"),
        ('device_of("/gpu:{}".format(k), variables="/cpu:0")', 'device_of(device="/gpu:%d" % k)'),
        ('device_of("/gpu:{}".format(k), variables="/cpu:0")', 'device_of(f"/gpu:{k}")'),
    ],
)
def test_functions_that_choose_a_device_for_variables(old: str, new: str) -> None:
    assert old in BEFORE
    assert "def device_of" not in native(BEFORE.replace(old, new))


def test_a_list_of_operations_that_something_else_reads_stays() -> None:
    text = native(BEFORE + "print(VARIABLES)\n")
    assert 'VARIABLES = ["Variable", "VariableV2"]' in text
    assert "def device_of" not in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('["Variable", "VariableV2"]', '["Variable", "MatMul"]'),
        ("node_def.op in VARIABLES", "node_def.op not in VARIABLES"),
        ("node_def.op in VARIABLES", "node_def.name in VARIABLES"),
        ("            return device\n", "            return variables\n"),
        ("    return choose", "    chosen.append(choose)\n    return choose"),
        ("return variables\n", "return chosen.pop()\n"),
        ("    return choose\n", '    return choose\n\nVARIABLES = ["MatMul"]\n'),
    ],
)
def test_functions_that_choose_devices_in_another_way(old: str, new: str) -> None:
    assert old in BEFORE
    reason = reason_of(BEFORE.replace(old, new, 1))
    assert "a function chooses the devices" in reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("            again = True\n", "            if k == 0:\n                again = True\n"),
        ("            again = True\n", "            again = k > 3\n"),
        ("    again = False\n", "    again = None\n"),
        ("net(x, again,", "net(x, not again,"),
        ("net(x, reuse=True,", "net(x, reuse=None,"),
        ("net(x, reuse=True,", "net(x, reuse=False,"),
        ("net(x, again,", "net(*[x], again,"),
        ('tf.variable_scope("net", reuse=reuse)', 'tf.variable_scope("net")'),
        ('tf.variable_scope("net", reuse=reuse)', 'tf.variable_scope("net" + str(reuse), reuse=reuse)'),
        ("    return out\n", "    return tf.layers.dense(out, 3)\n"),
        ("out = out if", "reuse = False\n        out = out if"),
        ("            trained = net(", "            x = tf.layers.dense(x, 3)\n            trained = net("),
        (
            "            trained = net(",
            "            build = net\n            x = build(x, None, True)\n            trained = net(",
        ),
    ],
)
def test_variables_that_towers_may_not_share(old: str, new: str) -> None:
    assert old in BEFORE
    assert "share" in reason_of(BEFORE.replace(old, new, 1))


def test_a_flag_that_is_read_behind_what_sets_it() -> None:
    late = BEFORE.replace("            again = True\n", "").replace(
        "            trained = net(", "            again = True\n            trained = net("
    )
    assert "share" in reason_of(late)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("sess.run(loss_op, {", "sess.run(trained, {", "`trained` is not known to be one tensor"),
        ("sess.run(loss_op, {", "sess.run(grads, {", "`grads` is not known to be one tensor"),
        ("sess.run(loss_op, {", "sess.run([loss_op], {", "not unpacked into names"),
        (
            '"%.5f" % sess.run(loss_op, {features: tests, labels: classes})',
            'f"{sess.run(loss_op, {features: tests, labels: classes})}"',
            "values of a tower",
        ),
        ("sess.run(loss_op, {features: tests, ", "sess.run(loss_op, {", "feed all placeholders"),
        (
            "            size = ",
            "            for _ in [1]:\n                x = x + 1.0\n            size = ",
            "is not followed",
        ),
        (
            "            size = ",
            "            right = tf.equal(y, 1)\n            size = ",
            "another one in the first tower",
        ),
        ("hidden, 0.0,", "hidden, 0.0, seed=3,", "go on from run to run"),
        ("AdamOptimizer(0.05)", "AdamOptimizer(0.05 * k)", "an optimizer is made"),
        ("AdamOptimizer(0.05)", "AdamOptimizer(size)", "an optimizer is made"),
    ],
)
def test_values_of_towers_that_are_not_sure(old: str, new: str, reason: str) -> None:
    assert old in BEFORE
    assert reason in reason_of(BEFORE.replace(old, new, 1))


def test_variables_that_only_a_look_at_the_towers_makes() -> None:
    # The flag tells two functions; the training step would make the variables of one of them only.
    code = BEFORE.replace(
        "            size = tf.reduce_sum(trained * trained)\n",
        "            size = tf.reduce_sum(other(x, again))\n",
    ).replace(
        "def mean_of",
        "def other(x, reuse):\n"
        '    with tf.variable_scope("other", reuse=reuse):\n        return tf.layers.dense(x, 1)\n\n\n'
        "def mean_of",
    )
    assert "does not use" in reason_of(code)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # TF 1.15.5 drew the first number for the first tower; a function draws more of them.
        ("x * 1.0", "x * np.random.rand()", "`np.random.rand` may give another value"),
        ("x * 1.0", "x * next(numbers)", "`next` may give another value"),
        ("x * 1.0", "x * random.rand()", "`random.rand` may give another value"),
        ("x * 1.0", "x * numbers.pop()", "`numbers.pop` may give another value"),
        ("x * 1.0", "scaled(x)", "`scaled` changes what is not its own"),
        ("x * 1.0", "counted(x)", "`counted` changes what is not its own"),
        ("x * 1.0", "kept(x, numbers)", "`kept` changes what is not its own"),
    ],
)
def test_towers_that_are_another_thing_each_time_they_are_built(old: str, new: str, reason: str) -> None:
    script = """
import numpy as np
import tensorflow as tf

numbers = [1.0, 2.0, 3.0]
random = np.random.RandomState(0)

def scaled(x):
    numbers[0] += 1.0
    return x * numbers[0]

def counted(x):
    global count
    count = count + 1.0
    return x * count

def kept(x, values):
    values.append(2.0)
    return x * len(values)

def average(towers):
    return [(tf.reduce_mean([g for g, _ in pairs], axis=0), pairs[0][1]) for pairs in zip(*towers)]

def net(x, reuse):
    with tf.variable_scope("net", reuse=reuse):
        w = tf.get_variable("w", initializer=2.0)
        return tf.reduce_mean(w * x * 1.0)

x = tf.placeholder(tf.float32, [4])
opt = tf.train.GradientDescentOptimizer(0.1)
towers = []
again = False
for i in range(2):
    with tf.device("/gpu:%d" % i):
        loss = net(x[i * 2 : i * 2 + 2], again)
        grads = opt.compute_gradients(loss)
        towers.append(grads)
        again = True
train = opt.apply_gradients(average(towers))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: [1.0, 2.0, 3.0, 4.0]})
"""
    assert "def tower(i, x):" in native(script)
    assert old in script
    assert reason in reason_of(script.replace(old, new, 1))


def test_values_that_are_computed_in_another_order_are_not_fed() -> None:
    run = "sess.run(train_op, feed_dict={features: rows, labels: wanted})"
    turned = "sess.run(train_op, feed_dict={labels: %s, features: %s})"
    assert "train_step(rows, wanted)" in native(BEFORE.replace(run, turned % ("wanted", "rows")))
    code = BEFORE.replace(run, turned % ("random.randint(0, 3, [8])", "random.randn(8, 3)"))
    assert "computed in another order" in reason_of(code)


def test_one_tower_that_is_the_first_and_the_last() -> None:
    # TF 1.15.5 drew once for the loss and for what the first tower sees, where both are one tower.
    native(BEFORE.replace("COUNT = 2", "COUNT = 3"))
    one = BEFORE.replace("COUNT = 2", "COUNT = 1")
    assert "may be the last one" in reason_of(one)
    assert "may be the last one" in reason_of(BEFORE.replace("COUNT = 2", "COUNT = int('2')"))
    assert "may be the last one" in reason_of(BEFORE.replace("COUNT = 2", "COUNT = 2\nCOUNT = 1"))
    undrawn = one.replace("        hidden = tf.layers.dropout(hidden, 0.0, training=training)\n", "")
    assert "compute_loss_and_accuracy" in native(undrawn)
