"""Tensors that share the memory of a variable: beside an update of it, a run of TensorFlow 1 gave what that left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import numpy as np
import tensorflow as tf

v = tf.Variable(np.arange(256, dtype=np.float32).reshape(16, 16) + 1.0)
"""
RUNS = """\
update = v.assign_add(np.full((16, 16), 1000.0, np.float32))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
"""
SHARING = (
    *("v[:]", "v[0]", "v[1:3]", "v[...]", "v[None]", "tf.slice(v, [1, 0], [2, -1])", "tf.strided_slice(v, [0], [2])"),
    *("tf.cast(v, tf.float32)", "tf.to_float(v)", "tf.saturate_cast(v, tf.float32)", "tf.convert_to_tensor(v)"),
    *("tf.concat([v], 0)", "tf.stack([v])", "tf.add_n([v])", "tf.accumulate_n([v])", "tf.tile(v, [1, 1])"),
    *("tf.pad(v, [[0, 0], [0, 0]])", "tf.broadcast_to(v, [16, 16])", "tf.transpose(v, [0, 1])", "tf.reverse(v, [])"),
    *("tf.transpose(tf.reshape(v, [1, 256]))", "tf.matrix_transpose(tf.reshape(v, [256, 1]))"),
    *("tf.reduce_sum(v, [])", "tf.reduce_mean(tf.reshape(v, [1, 256]), 0)", "tf.reduce_max(v[None], 0)"),
    *("tf.split(v, 2)[1]", "tf.unstack(v)[1]", "tf.identity_n([v, 1.0])[0]", "v ** 1.0", "tf.pow(v, 1.0)"),
    *("tf.real(v)", "tf.conj(v)", "tf.bitcast(v, tf.float32)", "tf.image.convert_image_dtype(v, tf.float32)"),
    *("tf.nn.dropout(v, 1.0)", "tf.layers.dropout(v)", "tf.layers.flatten(v)", "tf.contrib.layers.flatten(v)"),
    *("tf.contrib.layers.dropout(v, is_training=False)", "tf.reshape(tf.identity(v)[2:], [-1])"),
)


@pytest.mark.parametrize("tensor", SHARING)
def test_refused_beside_an_update(tensor: str) -> None:
    refuses(f"{HEAD}y = {tensor}\n{RUNS}    print(sess.run([y, update])[0])\n", "shares the memory of a variable")


def test_refused_where_one_way_through_a_function_returns_it() -> None:
    function = "def f(t, way):\n    if way:\n        return tf.identity(v)\n    return t * 2.0\n"
    code = f"{HEAD}{function}y = f(v * 2.0, len(np.arange(3)))\n{RUNS}    print(sess.run([y, update])[0])\n"
    refuses(code, "shares the memory of a variable")


def test_tensorflow_1_gave_what_the_update_left(run_legacy: Callable[..., str]) -> None:
    tensors = ", ".join(f"lambda: {tensor}" for tensor in SHARING)
    runs = f"""\
for make in [{tensors}]:
    y = make()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(np.max(sess.run([y, update])[0]) >= 1000.0)
"""
    head = f"{HEAD}update = v.assign_add(np.full((16, 16), 1000.0, np.float32))\n"
    assert run_legacy(head + runs).split() == ["True"] * len(SHARING)


def test_native_beside_no_update(run_legacy: Callable[..., str]) -> None:
    """Alone, and where the operation computes something new."""
    runs = "".join(
        f"    print(float(np.sum(sess.run({tensor}))))\n" for tensor in ("v[0]", "tf.concat([v, v], 0)", "v ** 2.0")
    )
    code = f"{HEAD}{RUNS}    sess.run(update)\n{runs}"
    assert printed(made_native(code).text) == run_legacy(code)
