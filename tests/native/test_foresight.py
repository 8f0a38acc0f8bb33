"""What an eager iterator asks for before a run needs it is the same then: generators, Python functions, arrays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from native import made_native, printed, tier_of

HEAD = """\
import numpy as np
import tensorflow as tf
data = np.arange(10, dtype=np.float32)
w = tf.Variable(2.0)
"""
START = """\
y = it.get_next() * w
sess = tf.Session()
sess.run(tf.global_variables_initializer())
sess.run(it.initializer)
"""
SEEN = {
    "scale": """\
scale = [1.0]
def gen():
    while True:
        yield scale[0]
it = tf.data.Dataset.from_generator(gen, tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
for i in range(4):
    scale[0] = float(i)
    print(sess.run(y))
""",
    "counts": """\
seen = []
def gen():
    for v in data:
        seen.append(v)
        yield v
it = tf.data.Dataset.from_generator(gen, tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y), len(seen), sess.run(y), len(seen))
""",
    "prints": """\
def gen():
    for v in data:
        print("made", v)
        yield v
it = tf.data.Dataset.from_generator(gen, tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y)); print(sess.run(y))
""",
    "random": """\
def gen():
    while True:
        yield np.random.rand()
it = tf.data.Dataset.from_generator(gen, tf.float32, []).make_initializable_iterator()
y = it.get_next() * w
np.random.seed(0)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
sess.run(it.initializer)
print(sess.run(y), np.random.rand(), sess.run(y), np.random.rand())
""",
    "data that changes": """\
def gen():
    for v in data:
        yield v
it = tf.data.Dataset.from_generator(gen, tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y))
data[:] = 7
print(sess.run(y), sess.run(y))
""",
    "global that changes": """\
rate = 1.0
def gen():
    while True:
        yield rate
it = tf.data.Dataset.from_generator(gen, tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y))
rate = 5.0
print(sess.run(y))
""",
    "py_func that counts": """\
calls = []
def f(v):
    calls.append(int(v))
    return np.float32(v + 1)
ds = tf.data.Dataset.from_tensor_slices(data).map(lambda v: tf.py_func(f, [v], tf.float32))
it = ds.make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y), calls, sess.run(y), calls)
""",
    "py_func that reads": """\
table = {"k": 1.0}
def f(v):
    return np.float32(v + table["k"])
ds = tf.data.Dataset.from_tensor_slices(data).map(lambda v: tf.py_func(f, [v], tf.float32))
it = ds.make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y))
table["k"] = 100.0
print(sess.run(y))
""",
    "object": """\
class Source(object):
    def __init__(self):
        self.n = 0
    def __call__(self):
        for i in range(5):
            self.n += 1
            yield float(i)
source = Source()
it = tf.data.Dataset.from_generator(source, tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y), source.n, sess.run(y), source.n)
""",
    "rows that the generator changes": """\
rows = np.arange(8, dtype=np.float32).reshape(4, 2)
def gen():
    for row in rows:
        row += 1
        yield row
it = tf.data.Dataset.from_generator(gen, tf.float32, [2]).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y).tolist(), rows.tolist())
""",
}
COMPUTED = {
    "pure": """\
def gen():
    for i in range(len(data)):
        rows = []
        for j in range(2):
            rows.append(data[i] + j)
        yield np.array(rows, np.float32)
it = tf.data.Dataset.from_generator(gen, tf.float32, [2]).batch(2).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y).tolist(), sess.run(y).tolist())
""",
    "pure lambda": """\
it = tf.data.Dataset.from_generator(lambda: (v + 1 for v in data), tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y), sess.run(y))
""",
    "py_func pure": """\
def f(v):
    return np.float32(np.sqrt(v) + 1)
ds = tf.data.Dataset.from_tensor_slices(data).map(lambda v: tf.py_func(f, [v], tf.float32))
it = ds.make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y), sess.run(y))
""",
    "a sum": """\
def gen():
    total = 0.0
    for v in data:
        total += v
        yield total
it = tf.data.Dataset.from_generator(gen, tf.float32, []).make_initializable_iterator()
"""
    + START
    + """\
print(sess.run(y), sess.run(y))
""",
}
TAIL = """\
w = tf.Variable(1.0)
s = tf.reduce_sum(x * w)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
coord = tf.train.Coordinator()
threads = tf.train.start_queue_runners(sess=sess, coord=coord)
for i in range(3):
    print(sess.run(s))
coord.request_stop()
coord.join(threads)
"""
SLICED = {
    "in place": "x, y = tf.train.slice_input_producer([rows, rows * 2], shuffle=False)\nrows[:] = 9\n",
    "sorted": "x, y = tf.train.slice_input_producer([rows, rows * 2], shuffle=False)\nrows.sort()\n",
    "bound again": "x, y = tf.train.slice_input_producer([rows, rows * 2], shuffle=False)\nrows = rows * 0\n",
    "by another name": "x, y = tf.train.slice_input_producer([rows, rows * 2], shuffle=False)\nv = rows\nv[0] = 7\n",
}
UNCHANGED = "x, y = tf.train.slice_input_producer([rows, rows * 2], shuffle=False)\nprint(rows.mean(), len(rows))\n"
BATCH = "x, y = tf.train.batch([x, y], 2)\n"
ROWS = "import numpy as np\nimport tensorflow as tf\nrows = np.array([3, 1, 2, 0], np.float32)\n"


@pytest.mark.parametrize("code", SEEN.values(), ids=SEEN)
def test_what_may_be_seen_goes_to_the_bridge(code: str) -> None:
    assert tier_of(HEAD + code) == "bridge"


@pytest.mark.parametrize("code", COMPUTED.values(), ids=COMPUTED)
def test_what_only_computes_is_native(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(HEAD + code).text) == run_legacy(HEAD + code)


@pytest.mark.parametrize("code", SLICED.values(), ids=SLICED)
def test_arrays_that_change_behind_a_producer(code: str) -> None:
    assert tier_of(ROWS + code + BATCH + TAIL) == "bridge"


def test_an_array_that_stays(run_legacy: Callable[..., str]) -> None:
    program = ROWS + UNCHANGED + BATCH + TAIL
    assert printed(made_native(program).text) == run_legacy(program)
