"""Graphs that a script builds one after the other, each in a block of its own."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, rewritten, tier_of

DATASETS = """\
import numpy as np
import tensorflow as tf

with tf.Graph().as_default():
    sess = tf.Session()
    data = tf.data.Dataset.from_tensor_slices((np.arange(6), np.arange(6) * 2))
    data = data.repeat().batch(4)
    iterator = data.make_initializable_iterator()
    sess.run(iterator.initializer)
    d = iterator.get_next()
for i in range(2):
    x, y = sess.run(d)
    print(x, y)
with open("data.csv", "w") as f:
    f.write("a,b\\n1,2.5\\n3,4.5\\n")
with tf.Graph().as_default():
    sess = tf.Session()
    data = tf.data.experimental.CsvDataset("data.csv", [tf.int32, tf.float32], header=True)
    iterator = data.make_initializable_iterator()
    sess.run(iterator.initializer)
    d = iterator.get_next()
for i in range(2):
    first, second = sess.run(d)
    print(first, second)
"""
VARIABLES = """\
import tensorflow as tf

with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, [])
    w = tf.Variable(2.0, name="w")
    y = x * w
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(y, {x: 3.0}))
with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, [])
    w = tf.Variable(5.0, name="w")
    z = x + w
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(w.assign_add(1.0))
        print(sess.run(z, {x: 3.0}))
"""
# What TensorFlow 1.15.5 prints.
OUTPUTS = {
    DATASETS: "[0 1 2 3] [0 2 4 6]\n[4 5 0 1] [ 8 10  0  2]\n1 2.5\n3 4.5\n",
    VARIABLES: "6.0\n9.0\n",
}


@pytest.mark.parametrize("code", OUTPUTS, ids=["iterators of one name", "variables of one name"])
def test_graphs_in_turn(code: str, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = made_native(code)
    assert "Graph()" not in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == OUTPUTS[code]


BLOCK = "with tf.Graph().as_default():\n"
LAST = "        print(sess.run(z, {x: 3.0}))\n"
CHANGES = {
    "what is left behind": ("    z = x + w\n", "    z = x + w\n    print(sess.run(y, {x: 3.0}))\n"),
    "a variable behind the block": (LAST, f"{LAST}v = tf.Variable(1.0)\n"),
    "a placeholder behind the block": (LAST, f"{LAST}q = tf.placeholder(tf.float32, [])\n"),
    "a function that builds behind the block": (LAST, f"{LAST}main()\n"),
    "a graph inside another one": (LAST, f"        {BLOCK}            v = tf.Variable(1.0)\n{LAST}"),
    "a graph in a loop": (f"{BLOCK}    x", f"for _ in range(1):\n {BLOCK}    x"),
}
MAIN = """\
def main():
    x = tf.placeholder(tf.float32, [])
    with tf.Session() as sess:
        print(sess.run(x * 2.0, {x: 1.0}))


"""


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_is_not_sure(change: tuple[str, str]) -> None:
    head, tail = VARIABLES.split("\n\n")
    old, new = change
    assert old in tail
    body = new.join(tail.rsplit(old, 1))
    assert tier_of(f"{head}\n\n{MAIN if 'main' in new else ''}{body}") == "bridge"


ELEMENT = "    d = iterator.get_next()\n"
ITERATORS = {
    "another dataset when it begins": ("    sess.run(it", "    data = data.skip(1)\n    sess.run(it"),
    "two of one name in one graph": (ELEMENT, f"{ELEMENT}    iterator = data.make_initializable_iterator()\n"),
    "a name that means something else": ("import numpy as np\n", "import numpy as np\niterator = 3\n"),
    "an element that is left behind": ("    first, second = sess.run(d)\n", "    print(sess.run(x0))\n"),
}


@pytest.mark.parametrize("change", ITERATORS.values(), ids=ITERATORS.keys())
def test_iterators_that_are_not_sure(change: tuple[str, str]) -> None:
    old, new = change
    assert old in DATASETS
    code = DATASETS.replace(ELEMENT, f"{ELEMENT}    x0 = tf.constant(1)\n", 1)
    assert {site.tier for site in rewritten(code).sites} == {"native"}
    assert tier_of(code.replace(old, new)) == "bridge"
