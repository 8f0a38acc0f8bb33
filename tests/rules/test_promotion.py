"""NumPy 1's types of results, where NumPy 2 gives others: programs print what they printed beside TensorFlow 1.15."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.engine import migrated
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome, run
from tf_migrate.report.model import Finding

RUN = """
x = tf.placeholder(tf.float32, [None, 2])
y = tf.matmul(x, w)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(w.dtype.base_dtype.name, "%.5f %.5f" % tuple(sess.run(y, {x: [[1.0, 2.0]]})[0]))
"""
WEIGHTS = {
    "a default of a function": """\
import numpy as np
import tensorflow as tf


def he(n_in, n_out, gain=np.sqrt(2.0)):
    start = np.arange(n_in * n_out).reshape([n_in, n_out]).astype(np.float32)
    return start * gain / np.sqrt(n_in)


w = tf.Variable(he(2, 2))
""",
    "an attribute of a class": """\
import numpy
import tensorflow as tf


class Layer(object):
    scale = numpy.float64(0.1)

    def __init__(self, sizes):
        self.shift = numpy.mean([0.5, 1.0])
        self.weights = [tf.Variable(self.scale * self.start(a, b) - self.shift) for a, b in zip(sizes[:-1], sizes[1:])]

    def start(self, a, b):
        return numpy.ones([a, b], numpy.float32)


w = Layer([2, 2]).weights[0]
""",
    "a comprehension": """\
import numpy as np
import tensorflow as tf

raw = [np.ones((2, 2), "float32"), np.zeros((2, 2), "float32")]
scales = np.array([0.3, 0.7])
w, b = [tf.Variable(np.exp(0.1) * each) for each in raw]
""",
    "in place": """\
import numpy as np
import tensorflow as tf

start = np.eye(2, dtype=np.float32)
start *= np.sqrt(2)
start /= np.log(3.0)
w = tf.Variable(start)
""",
    "the embedding of words, of a shape": """\
import numpy as np
import tensorflow as tf


def glorot(shape):
    return np.sqrt(6.0 / (shape[0] + shape[1])) * (2 * np.random.rand(*shape).astype(np.float32) - 1)


w = tf.Variable(0 * glorot([2, 2]) + np.float64(0.5))
""",
    "data that an object norms": """\
import numpy as np
import tensorflow as tf


class Norm(object):
    def __init__(self, data):
        self.mean, self.std = data.mean(axis=0), data.std(axis=0) + 1e-8
        self.gain = np.log1p(len(data))

    def __call__(self, x):
        return (x - self.mean) / self.std * self.gain


class Model(object):
    def __init__(self, data):
        self.norm = Norm(data)
        self.w = tf.Variable(self.norm(data))


w = Model(np.arange(4, dtype=np.float32).reshape([2, 2])).w
""",
    "a function without a name": """\
import numpy as np
import tensorflow as tf


def network(n_input, n_hidden, n_output):
    init = lambda i, o: tf.Variable(np.full((i, o), 0.1, np.float32) * np.sqrt(6.0 / (i + o)))
    gain = lambda w, by=np.exp(0.1): np.ones([2, 2], "float32") / by * w
    return {"in": init(n_input, n_hidden), "out": tf.Variable(gain(np.tanh(0.5)))}


w = network(2, 2, 1)["in"] + network(2, 2, 1)["out"]
""",
    "functions of two values": """\
import numpy as np
import tensorflow as tf

ones = np.ones((2, 2), np.float32)
least = np.maximum(ones * np.sqrt(0.5), np.float64(0.75))
w = tf.Variable(np.where(least > 0.8, least, np.multiply(least, np.std([1.0, 2.0]))))
""",
    "whole numbers": """\
import numpy as np
import tensorflow as tf

ids = np.arange(4, dtype=np.int32).reshape([2, 2]) + np.prod([2, 3])
w = tf.cast(tf.Variable(ids), tf.float32)
print(ids.dtype)
""",
}
NUMBERS = {
    "a rate": """\
x = np.arange(5, dtype=np.float32)
rate = x.mean() * 0.1
print(rate, x.sum() / 3, (x.std() + 1e-8).dtype, np.max(x) - 0.7, 1 - x.max() / 7)
""",
    "a return": """\
returned, history = 0.0, []
for reward in [np.float32(0.1), np.float32(0.7)]:
    returned = returned * 0.99 + reward
    history.append(returned)
print(returned, "%.9f" % history[0])
""",
    "a sum of bytes": """\
pixel = np.uint8(200)
total = 0
for _ in range(3):
    total += np.uint8(200)
print(pixel + 100, pixel - 255, total, 2 * pixel, pixel / 3)
""",
    "a limit": """\
share = np.mean(np.array([1] * 9 + [0], np.float32))
print(share >= 0.9, share > 0.9, share == 0.9, share < 0.9, share > 0.5, -share > -0.9)
""",
    "a division by zero": """\
x, none = np.zeros(3, np.float32), 0
with np.errstate(all="ignore"):
    print(x.sum() / none, np.float32(3) % none)
""",
    "one that is normed": """\
x = np.array([3, 4], np.float32)
print((x / (np.linalg.norm(x) + 1e-8)).dtype, x / np.sqrt(np.sum(x ** 2) + 0.1))
""",
}
HEAD = "import numpy as np\nimport tensorflow as tf\ntf.placeholder(tf.float32)\n"
FETCHED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
accuracy = tf.reduce_mean(tf.cast(x > 0.5, tf.float32))
loss = tf.reduce_sum(tf.square(x)) * 0.25
rate = tf.Variable(0.1)
limit, seen = 0.9, [0.6] * 9 + [0.4]


def done(value):
    return value >= 0.9


with tf.Session() as sess:
    share, lost = sess.run([accuracy, loss], {x: seen})
    print(share >= 0.9, share > limit, share == 0.9, done(share), lost < 0.85, share > 0.5)
    for step in range(2):
        if accuracy.eval({x: seen}) < .9 and step < 5:
            print("not yet", step)
    sess.run(rate.initializer)
    kept, first = sess.run([rate, tf.constant(0.7)])
    print(kept == 0.1, kept <= 0.1, sess.run(rate) > 0.1, first == 0.7)
    print(kept in [0.1, 2.5], first not in (0.7, 1.0), sess.run(rate) in [0.5, 0.25], kept in {0.1: 1})
    steps = [0.7, 0.1]
    print(first in steps, [first for value in steps if first in steps], 0.7 in steps)
"""


def _printed(text: str, folder: Path) -> str:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _outcome(folder: Path, files: Mapping[str, str], tier: str = "native") -> Outcome:
    for name, text in files.items():
        (folder / name).write_text(text)
    options = Options(paths=(folder,), jobs=1, tier="native" if tier == "native" else "bridge")
    return run(discover(options).code, options)


def _told(findings: tuple[Finding, ...]) -> list[tuple[int, str]]:
    return sorted((found.line, found.action) for found in findings if found.rule == "TFM136")


@pytest.mark.parametrize("code", WEIGHTS.values(), ids=WEIGHTS)
def test_weights_have_the_type_that_they_had(code: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = _outcome(tmp_path, {"train.py": code + RUN})
    text = outcome.contents["train.py"].decode()
    assert _printed(text, tmp_path) == run_legacy(code + RUN)
    assert not any(found.rule == "TFM136" and found.action == "manual" for found in outcome.report.findings)


@pytest.mark.parametrize("code", NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_the_same_to_the_last_digit(code: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    result = migrated(HEAD + code)
    assert _printed(result.text, tmp_path) == run_legacy(HEAD + code)
    assert {action for _, action in _told(result.findings)} == {"rewritten"}


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_fetched_numbers_are_compared_as_they_were(tier: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = _outcome(tmp_path, {"train.py": FETCHED}, tier)
    assert _printed(outcome.contents["train.py"].decode(), tmp_path) == run_legacy(FETCHED)
    text = outcome.contents["train.py"].decode()
    assert "share > 0.5" in text and ").numpy()) in [0.5" not in text


SCALED = """\
import numpy as np
import tensorflow as tf

data = np.array([[1.0, 2.0], [3.0, 5.0]])
mean, std = np.mean(data), np.std(data)
x = tf.placeholder(tf.float32, [None, 2])
y = tf.matmul(x, tf.ones([2, 1]))
count = tf.argmax(x, 1)
with tf.Session() as sess:
    scaled = sess.run(y, {x: (data - mean) / std}) * std + mean
    first, most = sess.run([y, count], {x: data})
    print(scaled.dtype, scaled.ravel(), (first / std).dtype, (most * std).dtype, (first * np.prod([2, 3])).dtype)
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_fetched_arrays_keep_their_type(tier: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = _outcome(tmp_path, {"train.py": SCALED}, tier)
    assert _printed(outcome.contents["train.py"].decode(), tmp_path) == run_legacy(SCALED)


UNRANKED = {
    "what a function of layers gives": """\
import numpy as np
import tensorflow as tf


def net(x):
    h = tf.layers.dense(x, 3, kernel_initializer=tf.ones_initializer())
    return tf.layers.flatten(tf.layers.dense(h, 2, kernel_initializer=tf.ones_initializer()))


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.out = net(self.x)
        self.mean = tf.reduce_mean(self.out, axis=[0, 1])

    def predict(self, sess, x):
        return sess.run(self.out, {self.x: x})


model = Model()
scale = np.sqrt(2.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    found = model.predict(sess, np.ones((2, 4)))
    mean = sess.run(model.mean, {model.x: np.ones((1, 4))})
    print((found * scale).dtype, (scale / found).dtype, (found + np.int64(1)).dtype, (mean * scale).dtype)
    print(found * scale, mean - np.std([1.0, 2.0]), (1 + found * scale - np.std([1.0, 2.0])).dtype)
""",
    "what is fed of any rank": """\
import numpy as np
import tensorflow as tf

fed = tf.placeholder(tf.uint8)
raised = fed + 1
half = tf.to_float(fed) / 2.0
step, third = np.int64(100), np.mean([0.5, 0.1])
with tf.Session() as sess:
    for value in (200, [200, 100], [[1]]):
        up, down = sess.run([raised, half], {fed: value})
        print(up + step, (up + step).dtype, third * down, (third * down).dtype)
""",
}


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize("code", UNRANKED.values(), ids=UNRANKED)
def test_what_may_be_an_array_or_a_number(code: str, tier: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = _outcome(tmp_path, {"train.py": code}, tier)
    assert _printed(outcome.contents["train.py"].decode(), tmp_path) == run_legacy(code)


CIRCULAR = """\
import numpy as np
import tensorflow as tf


class Node(object):
    def __init__(self, before):
        self.before = before.after.link()
        self.after = self.before.after(self.after)
        self.link = self.after.before


class Pair(object):
    def __init__(self):
        self.one = self.two.make(1)
        self.two = self.one.make(2)

    def __call__(self, x):
        return self.one(x) * np.sqrt(2.0) + self(x)


pair = Pair()
pair = pair.one.two(pair)
w = tf.Variable(pair(Node(pair)(np.ones(2, np.float32)) * np.sqrt(3.0)))
x = tf.placeholder(tf.float32)
"""


def test_objects_that_lean_on_one_another() -> None:
    assert "TFM136" not in {found.rule for found in migrated(CIRCULAR).findings if found.action == "rewritten"}


HELPER = """\
import numpy as np

GAIN = np.sqrt(2.0)


def scaled(x):
    return GAIN * x


def of_someone(x):
    return GAIN * x
"""
MAIN = """\
import numpy as np
import tensorflow as tf
from start import scaled
from start import GAIN as gain

w = tf.Variable(scaled(np.ones([2, 2], np.float32)) - np.ones(2, "float32") * gain)
"""


def test_a_helper_of_another_module(tmp_path: Path) -> None:
    contents = _outcome(tmp_path, {"train.py": MAIN + RUN, "start.py": HELPER}).contents
    assert contents["start.py"].decode() == HELPER.replace("GAIN * x", "float(GAIN) * x", 1)
    assert b'np.ones(2, "float32") * float(gain)' in contents["train.py"]


UNKNOWN = """\
import sys
import numpy as np
import tensorflow as tf

table = np.load(sys.argv[1])
half = np.load(sys.argv[2]) * np.sqrt(2.0)
w = tf.Variable(np.sqrt(2.0) * table)
start = tf.Variable(np.sqrt(table) * np.ones(3, np.float32))
x = tf.placeholder(tf.float32, [None])
pixels = np.fromfile(sys.argv[3]).astype(np.uint8)
with tf.Session() as sess:
    print(sess.run(x, {x: half}), int(np.sqrt(2.0) * table[0]))
for pixel in pixels:
    print(pixel - 128)
"""


def test_what_is_not_proved_is_told_where_it_enters_the_graph() -> None:
    findings = migrated(UNKNOWN.replace("np.fromfile(sys.argv[3])", "np.zeros([9])")).findings
    assert _told(findings) == [(7, "manual"), (8, "manual"), (14, "manual")]
    assert all(found.next_step for found in findings if found.rule == "TFM136")


@pytest.mark.parametrize(
    "line",
    [
        "print(int(np.sqrt(16) * 3), np.sqrt(2.0) * np.pi, np.log(3) / 2, np.float64(2) * 3)",
        "tf.zeros([int(np.prod([2, 3]) * 2)])",
        "print(np.zeros(3) * np.sqrt(2), np.pi * np.ones(2, np.float32), 2 * np.ones(2, np.float32))",
        "w = np.ones(3, np.float32)\nw *= np.sqrt(2)",
        "def scaled(x):\n    return x * np.sqrt(2.0)\nprint(scaled(tf.zeros([2])))",
        "print(np.float32(2) * np.ones(2, np.float32), np.ones(2, np.float32).mean() > 0.5)",
        "x = np.sqrt(2) * np.ones(3, np.float32)  # tf-migrate: skip",
        "print(np.random.uniform(-1, 1) * np.ones(2, np.float32), np.mean([1, 2]) * np.ones(2))",
        "print('%d' % (np.sqrt(4) * 2), [np.sqrt(2)] * 3, np.float32(2) * np.float32(3))",
        "def f(x):\n    return x[0] * np.sqrt(2)\nprint(f([1.0]))",
    ],
)
def test_other_code_stays(line: str) -> None:
    result = migrated(f"{HEAD}{line}\n")
    assert _told(result.findings) == []


def test_names_that_are_made_of_themselves(tmp_path: Path) -> None:
    code = """\
import numpy as np
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(np.sqrt(2.0) * np.ones(4, np.float32))
data = data.batch(2)
data = data.repeat(3)
row = data.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    print(sess.run(row * data.size))
"""
    assert not _outcome(tmp_path, {"train.py": code}).report.failed
