"""What shares the memory of a variable in TF1 is read after the updates of a run; natively it is from before them."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, tier_of

MODEL = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
loss = tf.reduce_sum(x * w)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""

SHARING = (
    "tf.reshape(shape=[1], tensor=w)",
    "tf.cast(w, tf.float32)",
    "tf.add_n([w])",
    "tf.stack([w])",
    "tf.reshape(w, [1])[0]",
    "tf.reshape(w, [1, 1])[0][0]",
    "tf.split(tf.reshape(w, [1]), 1)[0]",
    "tf.transpose(tf.reshape(w, [1, 1]))",
)


@pytest.mark.parametrize("value", SHARING)
def test_what_shares_the_memory_of_a_variable_is_not_fetched_beside_its_update(value: str) -> None:
    fetched = f"same = {value}\nsess.run([train, same], {{x: [1.0]}})\n"
    assert "shares the memory of a variable" in (deciding_site(MODEL + fetched).reason or "")
    assert tier_of(MODEL + f"same = {value}\nsess.run([loss, same], {{x: [1.0]}})\n") == "native"


def test_what_is_unpacked_of_a_variable_shares_its_memory() -> None:
    code = "one, = tf.split(tf.reshape(w, [1]), 1)\nsess.run([train, one], {x: [1.0]})\n"
    assert "shares the memory of a variable" in (deciding_site(MODEL + code).reason or "")


@pytest.mark.parametrize("value", ["tf.stack([w, w])", "w + 1.0", "tf.square(w)"])
def test_what_is_computed_of_a_variable_is_fetched_beside_its_update(value: str) -> None:
    assert tier_of(MODEL + f"other = {value}\nsess.run([train, other], {{x: [1.0]}})\n") == "native"
