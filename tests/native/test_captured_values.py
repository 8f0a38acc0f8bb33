"""Python values that a graph was built with: TensorFlow 1 kept what they held then, whatever happened to them later."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses, tier_of

SCRIPT = """\
import numpy as np
import tensorflow as tf

a = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
rows = [[1.0, 2.0], [3.0, 4.0]]


def same(value):
    return value


def first():
    return rows[0]


{before}
x = tf.placeholder(tf.float32, [2])
y = x * {value}
{behind}
sess = tf.Session()
print(sess.run(y, {{x: [1.0, 1.0]}}))
"""

# In TensorFlow 1.15.5 none of these changes what is printed.
CHANGED = {
    "another name": ("b = a", "b", "a[0] = 9.0"),
    "a name that adds to it": ("b = a", "b", "a += 9.0"),
    "a row": ("b = a[0]", "b", "a[0, 0] = 9.0"),
    "rows that are unpacked": ("b, c = a", "b", "a[0] = 9.0"),
    "the row that a loop ends with": ("for b in a:\n    print(b)", "b", "a[1] = 9.0"),
    "an array for an array": ("b = np.asarray(a)", "b", "a[0] = 9.0"),
    "an array as one of its own type": ("b = np.float32(a)", "b", "a[0] = 9.0"),
    "no differences": ("b = np.diff(a, 0)", "b", "a[0] = 9.0"),
    "a power of one": ("b = np.linalg.matrix_power(a, 1)", "b", "a[0] = 9.0"),
    "turned round": ("b = a.T", "b", "a[0] = 9.0"),
    "another shape": ("b = a.reshape(2, 2)", "a", "b[0] = 9.0"),
    "another shape, stored into": ("", "a", "a.ravel()[1] = 9.0"),
    "one of two": ("b = a if len(a) else None", "b", "a[0] = 9.0"),
    "inside a tuple": ("b = (a, 1)", "b[0]", "a[0] = 9.0"),
    "inside a list that is joined": ("b = [a] + [a]", "b[0]", "a[0] = 9.0"),
    "inside a list that is longer": ("more = [[1.0]]\nb = rows + more", "b[0]", "rows[0][0] = 9.0"),
    "inside a list that is repeated": ("n = 2\nb = n * rows", "b[0]", "rows[0][0] = 9.0"),
    "returned by a function": ("b = same(a)", "b", "a[0] = 9.0"),
    "returned by a function that reads it": ("b = first()", "b", "rows[0][0] = 9.0"),
    "the largest of a list": ("b = max(rows)", "b", "rows[1][0] = 9.0"),
    "in a new list": ("b = list(rows)", "rows[0]", "b[0][0] = 9.0"),
    "row by row": ("", "a", "for row in a:\n    row[0] = 9.0"),
    "row by row, counted": ("", "a", "for i, row in enumerate(a):\n    row[0] = i"),
    "an absolute value": ("b = abs(a)", "b", "b[0] = 9.0"),
    "a comparison": ("b = a > 1", "b", "b[0] = True"),
    "a result that NumPy writes": ("", "a", "np.clip(a, 5.0, 6.0, a)"),
    "a result that is named": ("", "a", "np.maximum(rows, rows, out=a)"),
    "a method called run": ("", "a", "class Runner:\n    def run(self, v):\n        v[0] = 9.0\nRunner().run(a)"),
    "an iterator over two lists": ("b = [row for row in zip(rows, rows)]\nc = zip(rows)", "len(list(c))", ""),
    "an iterator under another name": ("c = iter(rows)\nd = c", "len(list(d))", ""),
    "a generator": ("c = (row for row in rows)", "len(list(c))", ""),
    "bound by its text": ("b = 2.0", "b", "globals()['b'] = 9.0"),
    "bound by code that is a text": ("b = 2.0", "b", "exec('b = 9.0')"),
    "through a list that has a name": ("", "a", "c = [a, 1]\nc[0][0] = 9.0"),
    "through a list in a list": ("", "a", "c = [[a], 1]\nc[0][0][0] = 9.0"),
    "through another name of a list": ("", "a", "c = [a]\nd = c\nd[0][0] = 9.0"),
    "through a list that a loop goes through": ("", "a", "c = [a]\nfor d in c:\n    d[0] = 9.0"),
    "through a list that is unpacked": ("", "a", "c = (a, 1)\nd, n = c\nd[0] = 9.0"),
    "through a list that a function gives back": ("", "a", "c = [a]\nsame(c)[0][0] = 9.0"),
    "through a list that is longer": ("", "a", "c = [a]\n(c + [1])[0][0] = 9.0"),
    "through a list that gives its last": ("", "a", "c = [a]\nc.pop()[0] = 9.0"),
    "through a copy of a list": ("", "a", "c = [a]\nc.copy()[0][0] = 9.0"),
    "through a new list of a list": ("", "a", "c = [a]\nlist(c)[0][0] = 9.0"),
    "through a list of what is in a list": ("", "a", "c = [a]\n[d for d in c][0][0] = 9.0"),
    "through a list that is spread": ("", "a", "c = [a]\n[*c][0][0] = 9.0"),
    "through the largest of a list": ("", "a", "c = [a]\nmax(c, key=len)[0] = 9.0"),
    "through a list that is kept in a dictionary": ("", "a", "c = [a]\nd = {1: c}\nd[1][0][0] = 9.0"),
    "through a list that a function changes": ("", "a", "def fill(c):\n    c[0][0] = 9.0\nc = [a]\nfill(c)"),
    "another import": ("from math import pi as b", "b", "from math import e as b"),
}


@pytest.mark.parametrize(("before", "value", "behind"), CHANGED.values(), ids=CHANGED.keys())
def test_what_changes_under_any_name_is_refused(before: str, value: str, behind: str) -> None:
    text = SCRIPT.format(before=before, value=value, behind=behind)
    assert tier_of(text) == "bridge"
    reason = deciding_site(text).reason or ""
    assert "which the graph was built with" in reason or "is computed while the graph is built" in reason, reason


# What TensorFlow 1.15.5 prints.
KEPT = {
    "changed before": ("b = a[0]\na[0, 0] = 9.0\nc = a[0]", "c", "", "[9. 2.]\n"),
    "names that are asked for": (
        "b = 2.0",
        "b",
        "print('b' in globals(), len(vars(list)) > 9)",
        "True True\n[2. 2.]\n",
    ),
    "only looked at": ("b = a[0]", "b", "for row in a:\n    print(row.sum())", "3.0\n7.0\n[1. 2.]\n"),
    "shapes and numbers of it": ("n = a.shape[1]\nm = float(a[0, 1])", "(n + m)", "a[0] = 9.0", "[4. 4.]\n"),
    "a copy": ("b = np.array(a[0])", "b", "a[0] = 9.0", "[1. 2.]\n"),
    "in a list that has a name": (
        "b = a[0]\nc = [b, 1]",
        "b",
        "d = [c[0], 2]\nprint(len(c), d[0].sum())\nfor e in c[1:]:\n    print(e)",
        "2 3.0\n1\n[1. 2.]\n",
    ),
    "named again and only looked at": ("b = a[1]\nb = b.reshape(2)", "b", "print(b.shape)", "(2,)\n[3. 4.]\n"),
}


@pytest.mark.parametrize(("before", "value", "behind", "output"), KEPT.values(), ids=KEPT.keys())
def test_what_nothing_changes(before: str, value: str, behind: str, output: str) -> None:
    text = SCRIPT.format(before=before, value=value, behind=behind)
    result = made_native(text)
    assert printed(result.text) == output


OBJECT = """\
import tensorflow as tf


class Model:
    def __init__(self, sizes):
        self.sizes = sizes
        self.x = tf.placeholder(tf.float32, [2])
        self.y = self.x * self.sizes

    def show(self, sess):
        print(sess.run(self.y, {{self.x: [1.0, 1.0]}}))


numbers = [2.0, 3.0]
model = Model(numbers)
{behind}
with tf.Session() as sess:
    model.show(sess)
"""


def test_what_an_object_was_given() -> None:
    result = made_native(OBJECT.format(behind="print(numbers[0])"))
    assert printed(result.text) == "2.0\n[2. 3.]\n"
    changed = OBJECT.format(behind="numbers[0] = 9.0")
    assert tier_of(changed) == "bridge"
    assert (deciding_site(changed).reason or "").startswith("`Model.sizes`, which the graph was built with,")


def test_an_attribute_of_the_name_that_arrays_have() -> None:
    text = SCRIPT.format(before="class C:\n    size = 2.0\nb = C()", value="b.size", behind="C.size = 9.0")
    refuses(text, "`b.size` is computed while the graph is built")


CHOSEN = """\
import tensorflow as tf

{before}
x = tf.placeholder(tf.float32, [])
y = act(x)
{behind}
z = act(y)
with tf.Session() as sess:
    print(sess.run(y, {{x: -1.0}}))
    print(sess.run(z, {{x: 2.0}}))
"""


def test_a_name_that_means_two_operations_in_turn() -> None:
    # TensorFlow 1.15.5 prints 0.0 and 0.9640276.
    text = CHOSEN.format(before="act = tf.nn.relu", behind="act = tf.nn.tanh")
    assert tier_of(text) == "bridge"
    assert (deciding_site(text).reason or "").startswith("`act` means several symbols of TensorFlow in turn")


@pytest.mark.parametrize(
    "before",
    ["act = tf.nn.relu", "act = None\nact = tf.nn.relu", "relu = tf.nn.relu\nact = relu"],
    ids=["one name", "none at first", "a name of a name"],
)
def test_a_name_that_means_one_operation(before: str) -> None:
    result = made_native(CHOSEN.format(before=before, behind="act = tf.nn.relu"))
    assert printed(result.text) == "0.0\n2.0\n"
