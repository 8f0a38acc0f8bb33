"""Blocks that give arguments to layers, and batch normalization that moves its averages where it is computed."""

from __future__ import annotations

import re

import pytest

from tests.native.native import deciding_site, made_native, printed, tier_of

NET = """\
from tensorflow.contrib.layers import fully_connected, batch_norm
from tensorflow.contrib.framework import arg_scope
import tensorflow as tf
import numpy as np
x = tf.placeholder(tf.float32, [None, 2])
training = tf.placeholder(tf.bool)
parameters = {"is_training": training, "decay": 0.5, "updates_collections": None}
weights = tf.constant_initializer([[0.5, -0.25], [0.25, 1.0]])
with arg_scope([fully_connected], activation_fn=None, normalizer_fn=batch_norm, normalizer_params=parameters):
    hidden = fully_connected(x, 2, weights_initializer=weights, scope="one")
    y = fully_connected(hidden, 2, weights_initializer=weights, scope="two")
"""
LOSS = """\
loss = tf.reduce_mean(tf.square(y - 1.0))
train = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
"""
RUNS = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
BATCH = [[0.0, 2.0], [4.0, 3.0], [1.0, 1.0]]
print(np.round(sess.run(hidden, {x: BATCH, training: True}), 4).tolist())
print(np.round(sess.run(y, {x: BATCH, training: False}), 4).tolist())
sess.run(train, {x: BATCH, training: True})
sess.run(loss, {x: [[5.0, 1.0], [1.0, 2.0]], training: True})
print(np.round(sess.run(y, {x: BATCH, training: False}), 4).tolist())
"""


def _numbers(text: str) -> list[float]:
    return [float(word) for word in re.findall(r"-?\d+\.\d+", text)]


# What TF 1.15.5 prints. The first run moves the averages of the first layer only.
EXPECTED = [
    *(-0.8272, 0.7061, 1.4062, 0.7061, -0.579, -1.4122),
    *(0.2719, 1.4212, 1.273, 0.9206, 0.0251, -0.0663),
    *(-0.1136, 0.872, 1.2441, 0.5531, -0.3593, 0.0921),
]
_SLIM = NET.replace("contrib.layers import", "contrib.slim import").replace("contrib.framework", "contrib.slim")
_MIXED = NET.replace("arg_scope([fully_connected]", "arg_scope([tf.contrib.slim.fully_connected]")


@pytest.mark.parametrize("net", [NET, _SLIM, _MIXED], ids=["contrib.layers", "slim", "both"])
def test_averages_move_in_each_run_that_needs_the_output(net: str) -> None:
    result = made_native(net + LOSS + RUNS)
    assert "normalizer_params=parameters):" in result.text
    assert _numbers(printed(result.text)) == pytest.approx(EXPECTED, abs=2e-4)


@pytest.mark.parametrize(
    "read",
    [
        "seen = tf.shape(hidden)[0] + tf.shape(x)[0]",
        "seen = tf.zeros_like(hidden)",
        "seen = [hidden, x][1] + 1.0",
        "seen = (lambda t: t)(x) + tf.ones_like(hidden)",
    ],
)
def test_a_run_that_may_need_no_output_is_refused(read: str) -> None:
    code = f"{NET}{LOSS}{read}\n{RUNS}print(sess.run(seen, {{x: BATCH, training: True}}))\n"
    assert tier_of(code) == "bridge"


@pytest.mark.parametrize(
    ("loss", "tier"),
    [
        ("tf.reduce_mean(tf.square(y - 1.0))", "native"),
        ("tf.reduce_mean(tf.square(y)) - tf.reduce_sum(y)", "native"),
        ("tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=y, labels=x))", "native"),
        ("tf.reduce_mean(y)", "bridge"),
        ("tf.reduce_mean(y) + tf.stop_gradient(tf.reduce_sum(tf.square(y)))", "bridge"),
    ],
)
def test_a_step_needs_what_its_gradients_are_computed_of(loss: str, tier: str) -> None:
    # The gradient of a mean needs nothing of `y`: TF1's step left the averages of the last layer as they were.
    code = f"{NET}loss = {loss}\ntrain = tf.train.GradientDescentOptimizer(0.125).minimize(loss)\n"
    code += "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nBATCH = [[0.0, 1.0], [1.0, 0.0]]\n"
    assert tier_of(code + "sess.run(train, {x: BATCH, training: True})\n") == tier
    fetched = code + "print(sess.run([train, loss], {x: BATCH, training: True})[1])\n"
    assert tier_of(fetched) == "native"


@pytest.mark.parametrize("choice", ["var_list=tf.trainable_variables('two')", "var_list=tf.trainable_variables()"])
def test_a_step_of_some_variables_may_need_less(choice: str) -> None:
    loss = LOSS.replace("minimize(loss)", "minimize(loss, var_list=chosen)")
    code = NET + loss.replace("train =", f"chosen = {choice.partition('=')[2]}\ntrain =") + RUNS
    assert tier_of(code) == "bridge"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"updates_collections": None', '"scale": True', "is not understood"),
        ('"updates_collections": None', '"updates_collections": None, "renorm": True', "is not understood"),
        ('updates_collections": None}', "updates_collections\": None}\nparameters['decay'] = 0.25", ""),
        ("[fully_connected]", "[fully_connected, tf.nn.relu]", "which layers the block gives arguments to"),
        ("    y = fully", "    print('building')\n    y = fully", "layers are given arguments"),
        ("    y = fully_connected(hidden", "    y = 2.0 * fully_connected(hidden", "inside another expression"),
        ('scope="two")', 'scope="two", normalizer_fn=None)', "is not followed"),
        ("activation_fn=None, ", "activation_fn=lambda t: t * 2.0, ", ""),
        ("normalizer_fn=batch_norm", "normalizer_fn=tf.contrib.layers.layer_norm", "is not understood"),
    ],
)
def test_what_else_such_a_block_may_hold_is_refused(old: str, new: str, reason: str) -> None:
    assert old in NET
    site = deciding_site(NET.replace(old, new) + LOSS + RUNS)
    assert site.tier == "bridge"
    assert reason in (site.reason or "")


def test_a_block_that_normalizes_nothing() -> None:
    code = NET.replace(", normalizer_fn=batch_norm, normalizer_params=parameters", "")
    result = made_native(code + LOSS + RUNS.replace(", training: True", "").replace(", training: False", ""))
    assert "with arg_scope([fully_connected], activation_fn=None):" in result.text
    assert _numbers(printed(result.text))[:6] == pytest.approx([0.5, 2.0, 2.75, 2.0, 0.75, 0.75])
