"""Loops that end with OutOfRangeError: whatever ends one, and whatever its last turn does, is as in TensorFlow 1."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import tensorflow as tf

sys.path.insert(0, str(Path(__file__).parent))
from native import made_native, printed, rewritten

HEAD = """\
import numpy as np
import tensorflow as tf
data = tf.data.Dataset.from_tensor_slices(np.arange(5, dtype=np.float32))
iterator = data.make_initializable_iterator()
x = iterator.get_next()
w = tf.Variable(1.0)
rate = tf.placeholder(tf.float32, [])
grow = tf.assign_add(w, x * rate)
y = x * 10.0 + w
"""
START = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nsess.run(iterator.initializer)\n"

ENDING = {
    "a rate that decays before each run": """\
r = 1.0
while True:
    try:
        r *= 0.5
        sess.run(grow, {rate: r})
    except tf.errors.OutOfRangeError:
        print("end at", r)
        break
print(sess.run(w))
""",
    "a log before the run": """\
seen, step = [], 0
try:
    while True:
        seen.append(step)
        value = sess.run(y)
        step += 1
except tf.errors.OutOfRangeError:
    print(seen, step, value)
""",
    "a run behind a condition": """\
turn = 0
while True:
    try:
        if turn % 3:
            print(turn, sess.run(y))
        turn += 1
    except tf.errors.OutOfRangeError:
        break
print(turn)
""",
    "a run in a loop inside": """\
rounds = 0
while True:
    try:
        for n in range(2):
            print(rounds, n, sess.run(y))
        rounds += 1
    except tf.errors.OutOfRangeError:
        print(n)
        break
print(rounds)
""",
    "a function that ends it early": """\
def check(value):
    if value > 20.0:
        raise tf.errors.OutOfRangeError(None, None, "enough")
try:
    while True:
        value = sess.run(y)
        print(value)
        check(value)
except tf.errors.OutOfRangeError:
    print("end")
print(sess.run(y))
""",
    "a method of a list of checks that ends it early": """\
class Limit(object):
    def __init__(self, limit):
        self.left = limit
    def spend(self):
        self.left -= 1
        if not self.left:
            raise tf.errors.OutOfRangeError(None, None, "spent")
limits = [Limit(9), Limit(2)]
while True:
    try:
        print(sess.run(y))
        for limit in limits:
            limit.spend()
    except tf.errors.OutOfRangeError:
        break
print(sess.run(y))
""",
    "a call that the statement makes before": """\
def mark(marks=[]):
    marks.append(len(marks))
    return marks
while True:
    try:
        print(mark(), sess.run(y))
    except tf.errors.OutOfRangeError:
        break
print(mark())
""",
    "a chain that may not come to the run": """\
n = 0
while True:
    try:
        found = n % 2 < 1 < sess.run(y)
        n += 1
        print(n, found)
    except tf.errors.OutOfRangeError:
        break
print(n)
""",
    "rates that are used up as well": """\
rates, n = [1.0, 0.5, 0.25, 0.125, 0.0625], 0
try:
    while True:
        try:
            sess.run(grow, {rate: rates[n]})
            n += 1
        except tf.errors.OutOfRangeError:
            break
    print("data")
except IndexError:
    print("rates", n)
""",
    "an iterator that begins again": """\
again = 1
while True:
    try:
        value = sess.run(y)
        print(value)
        if value > 30.0 and again:
            again = 0
            sess.run(iterator.initializer)
    except tf.errors.OutOfRangeError:
        break
""",
    "an error that its handler raises again": """\
def walk():
    try:
        while True:
            print(sess.run(y))
    except tf.errors.OutOfRangeError:
        print("end")
        raise
try:
    walk()
except Exception as error:
    print(type(error).__name__)
""",
    "a block that takes the error": """\
import contextlib
with contextlib.suppress(tf.errors.OutOfRangeError):
    while True:
        print(sess.run(y))
print("behind")
""",
}

FED = """\
import numpy as np
import tensorflow as tf
rows = tf.placeholder(tf.float32, [None])
data = tf.data.Dataset.from_tensor_slices(rows)
iterator = data.make_initializable_iterator()
x = iterator.get_next()
w = tf.Variable(3.0)
y = x * w
sess = tf.Session()
sess.run(tf.global_variables_initializer())
sess.run(iterator.initializer, {rows: [1.0, 2.0]})
more = [[7.0], [8.0, 9.0]]
while True:
    try:
        value = sess.run(y)
        print(value)
        if value == 6.0 and more:
            sess.run(iterator.initializer, {rows: more.pop()})
    except tf.errors.OutOfRangeError:
        if not more:
            break
        sess.run(iterator.initializer, {rows: more.pop()})
print("behind")
"""
COUNTED = """\
import tensorflow as tf
x = tf.data.Dataset.range(5).make_one_shot_iterator().get_next()
turns = tf.Variable(0)
turn = turns.count_up_to(3)
w = tf.Variable(2, dtype=tf.int64)
y = x * w
sess = tf.Session()
sess.run(tf.global_variables_initializer())
try:
    while True:
        print(sess.run(y))
        sess.run(turn)
except tf.errors.OutOfRangeError:
    print("end")
print(sess.run(y))
"""


@pytest.mark.parametrize("body", ENDING.values(), ids=ENDING)
def test_ends_as_in_tf1(body: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + START + body
    assert printed(made_native(code).text) == run_legacy(code)


@pytest.mark.parametrize("code", [FED, COUNTED], ids=["other data", "a variable that counts"])
def test_what_else_ends_a_loop(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(code).text) == run_legacy(code)


CALLED_BACK = {
    "by map": "print(list(map(lambda n: sess.run(y), range(9))))",
    "by iter": "def take():\n    return sess.run(y)\nprint(list(iter(take, None)))",
    "by map, through another": "def take():\n    return sess.run(y)\ndef show(n):\n    return take() + n\n"
    "print(list(map(show, range(9))))",
}


@pytest.mark.parametrize("body", CALLED_BACK.values(), ids=CALLED_BACK)
def test_the_end_is_no_end_of_what_calls_back(body: str) -> None:
    with pytest.raises(tf.errors.OutOfRangeError):
        printed(rewritten(HEAD + START + body).text)


PLAIN = {
    "a library and the script's own functions": """\
total = 0.0
def show(value):
    print("%.1f" % np.sqrt(value))
while True:
    try:
        value = sess.run(y)
        show(value)
        if value < 0:
            raise ValueError("never")
        total += float(value)
    except tf.errors.OutOfRangeError:
        break
print(total)
""",
    "a sum": """\
total = 0.0
try:
    while True:
        total += sess.run(y)
except tf.errors.OutOfRangeError:
    pass
print(total)
""",
}


@pytest.mark.parametrize("body", PLAIN.values(), ids=PLAIN)
def test_a_plain_loop_is_a_for_loop(body: str, run_legacy: Callable[..., str]) -> None:
    code = HEAD + START + body
    text = made_native(code).text
    assert "for x in iterator:" in text
    assert printed(text) == run_legacy(code)
