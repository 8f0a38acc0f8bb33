"""Updates of parts of variables, and counting: `tf.scatter_update` and its kin, `count_up_to`."""

from __future__ import annotations

import pytest

from tests.native.models import SESSION
from tests.native.native import made_native, printed, refuses

TABLE = """\
import numpy as np
import tensorflow as tf
table = tf.Variable(np.arange(6.0).reshape(3, 2).astype(np.float32), name="table")
other = tf.Variable(tf.ones([3, 2]))
rows = tf.placeholder(tf.int32, [None])
values = tf.placeholder(tf.float32, [None, 2])
"""
FEED = "{rows: [0, 2], values: [[1.0, 2.0], [4.0, 8.0]]}"


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        # What TF 1.15.5 prints.
        ("tf.scatter_update(table, rows, values)", [1.0, 2.0, 2.0, 3.0, 4.0, 8.0]),
        ("tf.scatter_add(table, rows, values * 2.0)", [2.0, 5.0, 2.0, 3.0, 12.0, 21.0]),
        ("tf.scatter_sub(table, rows, values)", [-1.0, -1.0, 2.0, 3.0, 0.0, -3.0]),
        ("tf.scatter_mul(ref=table, indices=rows, updates=values)", [0.0, 2.0, 2.0, 3.0, 16.0, 40.0]),
        ("tf.scatter_max(table, rows, values, use_locking=True)", [1.0, 2.0, 2.0, 3.0, 4.0, 8.0]),
        ("tf.scatter_nd_update(table, [[0, 1]], values[0, :1], name='nd')", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("tf.scatter_nd_add(table, [[1]], values[:1])", [0.0, 1.0, 3.0, 5.0, 4.0, 5.0]),
    ],
)
def test_parts_of_a_variable_are_updated(update: str, expected: list[float]) -> None:
    code = f"{TABLE}put = {update}\n{SESSION}print(sess.run(put, {FEED}).ravel().tolist())\n"
    code += f"print(sess.run(table).ravel().tolist())\nsess.run(put, {FEED})\n"
    assert printed(made_native(code).text).splitlines() == [str(expected)] * 2


def test_updates_beside_each_other() -> None:
    code = f"""{TABLE}total = tf.reduce_sum(values)
both = tf.group(tf.scatter_add(table, rows, values), tf.scatter_update(other, rows, values * 3.0))
{SESSION}_, value = sess.run([both, total], {FEED})
print(float(value), sess.run(table).ravel().tolist(), sess.run(other).ravel().tolist())
"""
    # What TF 1.15.5 prints.
    expected = "15.0 [1.0, 3.0, 2.0, 3.0, 8.0, 13.0] [3.0, 6.0, 1.0, 1.0, 12.0, 24.0]"
    assert printed(made_native(code).text).strip() == expected


@pytest.mark.parametrize("count", ["n.count_up_to(3)", "tf.count_up_to(n, 3)", "tf.count_up_to(n, limit=3, name='c')"])
def test_counting_gives_the_number_before_and_ends(count: str) -> None:
    code = f"""\
import tensorflow as tf
n = tf.Variable(0, name="n")
x = tf.placeholder(tf.float32, [])
y = x * 2.0
count = {count}
{SESSION}while True:
    try:
        value, doubled = sess.run([count, y], {{x: 1.5}})
    except tf.errors.OutOfRangeError:
        break
    print(int(value), float(doubled))
print(sess.run(n))
"""
    # What TF 1.15.5 prints.
    assert printed(made_native(code).text).split() == ["0", "3.0", "1", "3.0", "2", "3.0", "3"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("put = tf.scatter_update(table * 2.0, rows, values)\n", "the variable that is updated is not known"),
        ("def f():\n    return tf.scatter_add(table, rows, values)\nput = f()\n", "called inside a function or a run"),
        ("put = tf.group(tf.scatter_add(table, rows, values), table.assign(other))\n", "updates `table` twice"),
        (
            "put = tf.group(tf.scatter_add(table, [0], other[:1]), other.assign_add(tf.ones([3, 2])))\n",
            "one run updates what `tf.scatter_add(table, [0], other[:1])` is computed of, in no order",
        ),
        (
            "put = tf.group(tf.scatter_add(table, rows, values), tf.scatter_add(other, [0, 1, 2], table))\n",
            "in no order",
        ),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(f"{TABLE}{code}{SESSION}sess.run(put, {FEED})\n", reason)


def test_an_update_built_in_the_run_is_refused() -> None:
    refuses(f"{TABLE}{SESSION}sess.run(tf.scatter_add(table, rows, values), {FEED})\n", "called inside a function or")
