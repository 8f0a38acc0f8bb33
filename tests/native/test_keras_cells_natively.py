"""Keras cells that `dynamic_rnn` unrolls become cells of the shims, named as TensorFlow 1.15 counted them."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, rewritten, tier_of

CODE = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3, 4])
with tf.variable_scope("one") as scope:
    cell = tf.keras.layers.SimpleRNNCell(units=2)
    first, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
with tf.variable_scope("two"):
    cell = tf.keras.layers.SimpleRNNCell(3, activation="relu")
    second, _ = tf.nn.dynamic_rnn(cell, first, dtype=tf.float32)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(second, {x: [[[0.0] * 4] * 3]}))
    path = saver.save(sess, "saved")
print(sorted(name for name, _ in tf.train.list_variables(path)))
"""
# What TensorFlow 1.15.5 prints.
OUTPUT = """\
[[[0. 0. 0.]
  [0. 0. 0.]
  [0. 0. 0.]]]
"""
NAMES = [
    f"{scope}/rnn/while/{cell}/{word}"
    for scope, cell in (("one", "simple_rnn_cell"), ("two", "simple_rnn_cell_1"))
    for word in ("bias", "kernel", "recurrent_kernel")
]


def test_cells_have_the_names_that_tf1_gave_them(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = made_native(CODE)
    assert 'compat.nn.rnn_cell.KerasSimpleRNNCell(units=2, name="simple_rnn_cell")' in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == f"{OUTPUT}{NAMES}\n"


def test_their_sizes_are_shown_once_and_in_their_place(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = CODE.replace("units=2)\n", "units=2)\n    print(cell.output_size, cell.state_size)\n")
    assert tier_of(code) == "bridge"
    assert printed(rewritten(code).text).startswith(f"2 2\n{OUTPUT}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('activation="relu"', "activation=scope"),
        ('activation="relu"', "dropout=0.5"),
        ('activation="relu"', "kernel_initializer=tf.keras.initializers.Ones()"),
        ("tf.nn.dynamic_rnn(cell, first, dtype=tf.float32)", "cell(first[:, 0], [state])"),
        ("tf.nn.dynamic_rnn(cell, first,", "tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell([cell]), first,"),
        ("tf.nn.dynamic_rnn(cell, first,", "tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell([cell] * 2), first,"),
        ("cell = tf.keras.layers.SimpleRNNCell(3,", "cell = (lambda: tf.keras.layers.SimpleRNNCell)()(3,"),
        ("SimpleRNNCell(3", "GRUCell(3"),
    ],
)
def test_what_is_not_sure(old: str, new: str) -> None:
    assert old in CODE
    assert tier_of(CODE.replace(old, new)) == "bridge"
