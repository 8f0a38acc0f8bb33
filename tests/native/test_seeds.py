"""What draws numbers by a seed of its own draws one sequence for all runs: no function may have a copy of it."""

from __future__ import annotations

import pytest

from tests.native.native import tier_of

_SEEDED = ["seed=7", "mean=0.0, seed=7", "0.0, 1.0, tf.float32, 7", "*[0.0, 1.0, tf.float32, 7]"]


@pytest.mark.parametrize("seeded", _SEEDED)
def test_numbers_drawn_by_a_seed_of_their_own(seeded: str) -> None:
    code = f"import tensorflow as tf\ny = tf.random_normal([3], {seeded}) + 1.0\nsess = tf.Session()\n"
    code += "print(sess.run(y))\n"
    assert tier_of(code) == "bridge"
    assert tier_of(code.replace("7", "None")) == ("bridge" if "*" in seeded else "native")


@pytest.mark.parametrize("seeded", ["seed=7", "0.5, None, 7"])
def test_dropout_by_a_seed_of_its_own(seeded: str) -> None:
    code = f"import tensorflow as tf\ny = tf.layers.dropout(tf.ones([3]), {seeded}, training=True)\n"
    code += "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nprint(sess.run(y))\n"
    assert tier_of(code) == "bridge"
    assert tier_of(code.replace("7", "None")) == "native"
