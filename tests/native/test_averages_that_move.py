"""Batch normalization: its moving averages move in the runs of the steps that wait for that, and in no others."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.native.native import deciding_site, made_native, printed, tier_of

NET = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
training = tf.placeholder(tf.bool)
def net(t, name, reuse=False):
    with tf.variable_scope(name, reuse=reuse):
        t = tf.layers.batch_normalization(t, momentum=0.5, training=training)
        return tf.layers.dense(t, 1, kernel_initializer=tf.constant_initializer(0.5))
y = net(x, "one")
z = net(x * [[2.0, 1.0]], "two")
loss = tf.reduce_sum(tf.square(y - 1.0)) + tf.reduce_sum(tf.square(z + 0.5))
"""
STEP = """\
updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS{scope})
with tf.control_dependencies(updates):
    train = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
"""
RUNS = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
BATCH = [[0.0, 2.0], [4.0, 3.0]]
print(np.round(sess.run(y, {x: BATCH, training: True}), 4).tolist())
print(np.round(sess.run(y, {x: BATCH, training: False}), 4).tolist())
for _ in range(2):
    sess.run(train, {x: BATCH, training: True})
print(np.round(sess.run([y, z], {x: BATCH, training: False}), 4).tolist())
sess.run(train, {x: BATCH, training: False})
print(np.round(sess.run([y, z], {x: BATCH, training: False}), 4).tolist())
"""


BEFORE = [-0.9989, 0.9989, 0.9995, 3.4983]
# What TF 1.15.5 prints.
EXPECTED = {
    "": [*BEFORE, 0.7512, 0.927, -0.3866, -0.3411, 0.8531, 1.0888, -0.4432, -0.4772],
    ", scope='one'": [*BEFORE, 0.7512, 0.927, -0.3541, -0.2483, 0.8531, 1.0888, -0.6586, -2.8584],
}


def _numbers(text: str) -> list[float]:
    return [float(word) for word in re.findall(r"-?\d+\.\d+", text)]


@pytest.mark.parametrize("scope", EXPECTED)
def test_averages_move_where_a_training_step_waits_for_them(scope: str) -> None:
    result = made_native(NET + STEP.format(scope=scope) + RUNS)
    assert "compat.VariableStore(defer_updates=True)" in result.text
    assert "compat.run_updates(updates)" in result.text
    assert _numbers(printed(result.text)) == pytest.approx(EXPECTED[scope], abs=2e-4)


def test_a_step_that_waits_for_nothing_moves_nothing() -> None:
    step = "train = tf.train.GradientDescentOptimizer(0.0).minimize(loss)\n"
    result = made_native(NET + step + RUNS)
    values = _numbers(printed(result.text))
    # The averages are still zero and one: what is normalized by them stays what it was, but for epsilon.
    assert values[2:4] == values[4:6] == values[8:10]


def test_a_step_takes_what_the_updates_need() -> None:
    # The loss needs `y` only, but the step moves the averages of `z` as well, which needs `u`.
    code = NET.replace('net(x * [[2.0, 1.0]], "two")', 'net(u, "two")').replace(
        "def net", "u = tf.placeholder(tf.float32, [None, 2])\ndef net", 1
    )
    code = re.sub(r" \+ tf.reduce_sum\(tf.square\(z .*", "", code) + STEP.format(scope="")
    runs = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nBATCH = [[0.0, 2.0], [4.0, 3.0]]\n"
    asked = "sess.run(train, {x: BATCH, training: True})\n"
    assert "`u` is not fed" in (deciding_site(code + runs + asked).reason or "")
    fed = asked.replace("training:", "u: BATCH, training:")
    shown = "print(np.round(sess.run(z, {u: BATCH, training: False}), 4).tolist())\n"
    result = made_native(code + runs + fed + shown)
    # What TF 1.15.5 prints.
    assert _numbers(printed(result.text)) == pytest.approx([0.1578, 2.0544], abs=2e-4)


CLIPPED = """\
optimizer = tf.train.AdamOptimizer(0.125)
gradients, held = zip(*optimizer.compute_gradients(loss))
gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
"""
APPLIED = {
    "named": "updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)\nwith tf.control_dependencies(updates):\n",
    "as written": "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n",
}


@pytest.mark.parametrize("block", APPLIED.values(), ids=list(APPLIED))
def test_applied_gradients_wait_too(block: str, run_legacy: Callable[..., str]) -> None:
    code = NET + CLIPPED + block + "    train = optimizer.apply_gradients(zip(gradients, held))\n" + RUNS
    result = made_native(code)
    assert "compat.run_updates(updates)" in result.text
    assert _numbers(printed(result.text)) == pytest.approx(_numbers(run_legacy(code)), abs=2e-4)


TWO = """\
x = tf.placeholder(tf.float32, [None, 2])
t = tf.placeholder(tf.bool, [])
h = tf.layers.dense(x, 3, kernel_initializer=tf.ones_initializer())
h = tf.layers.batch_normalization(h, training=t, momentum=0.5)
loss = tf.reduce_mean(tf.square(h - 1.0))
{block}
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    other = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
DATA = {{x: [[1.0, 2.0], [3.0, 5.0]], t: True}}
for _ in range(3):
    {runs}
print(sess.run(loss, {{x: [[1.0, 2.0], [3.0, 5.0]], t: False}}))
"""
ASKED = "tf.get_collection(tf.GraphKeys.UPDATE_OPS)"
IN_PLACE = f"with tf.control_dependencies({ASKED}):"
NAMED = f"ups = {ASKED}\nwith tf.control_dependencies(ups):"


@pytest.mark.parametrize("block", [IN_PLACE, NAMED], ids=["in place", "named"])
@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        # What TF 1.15.5 prints.
        ("sess.run(step, DATA); sess.run(other, DATA)", 0.057208825),
        ("sess.run([step, other], DATA)", 0.02533084),
    ],
)
def test_a_run_makes_each_update_once(block: str, runs: str, expected: float) -> None:
    code = "import tensorflow as tf\n" + TWO.format(block=block, runs=runs)
    assert float(printed(made_native(code).text)) == pytest.approx(expected, abs=2e-6)


def test_the_updates_are_asked_for_where_they_are_made() -> None:
    code = "import tensorflow as tf\n" + TWO.format(block=IN_PLACE, runs="sess.run(step, DATA)")
    text = made_native(code).text
    assert "        updates = compat.get_collection(compat.GraphKeys.UPDATE_OPS)\n    variables = " in text
    assert "    compat.run_updates(updates)\n    optimizer.apply_gradients(" in text


def test_layers_behind_a_step_are_not_among_those_before() -> None:
    late = "again = tf.layers.batch_normalization(h, training=t, momentum=0.5)\nsess = tf.Session()"
    code = "import tensorflow as tf\n" + TWO.format(block=IN_PLACE, runs="sess.run([step, again], DATA)")
    reason = deciding_site(code.replace("sess = tf.Session()", late)).reason or ""
    assert "layers are built behind a list" in reason


def test_steps_of_two_networks_over_one() -> None:
    code = NET.replace('y = net(x, "one")', 'y = net(x, "one")\nagain = net(x + 1.0, "one", reuse=True)')
    made_native(code + STEP.format(scope=", scope='two'") + RUNS)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (NET.replace("momentum=0.5", "renorm=True") + STEP.format(scope=""), "this form of"),
        (NET + STEP.format(scope=", scope='one_1'"), "may be a number of the scope"),
        (NET + STEP.format(scope=", scope='o.e'"), "is not known"),
        (NET + STEP.format(scope=", scope=np.random.choice(['one'])"), "asked for inside another expression"),
        (
            NET + STEP.format(scope="").replace("    train", "    loss = loss + 1.0\n    train"),
            "where updates come first",
        ),
        (NET + STEP.format(scope="").replace("updates)", "[y])"), ""),
        (NET + STEP.format(scope="") + "print(len(updates))\n", ""),
        (NET + STEP.format(scope="") + "moved = tf.group(*updates)\n", ""),
    ],
)
def test_what_else_is_done_with_updates_is_refused(code: str, reason: str) -> None:
    site = deciding_site(code + RUNS)
    assert site.tier == "bridge"
    assert reason in (site.reason or "")


def test_updates_that_are_fetched_are_refused() -> None:
    code = NET + STEP.format(scope="") + RUNS.replace("sess.run(train,", "sess.run([train, updates],")
    assert tier_of(code) == "bridge"
