"""NumPy's numbers in containers: NumPy 2 writes their types where NumPy 1 wrote the numbers alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests import warm
from tests.conftest import ROOT
from tests.engine import migrated
from tf_migrate.files.discover import discover
from tf_migrate.options import HighestTier, Options
from tf_migrate.pipeline import run

SHOWN = {
    "fetches": """\
import numpy as np
import tensorflow as tf

x = tf.Variable(7.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("both", sess.run([x, tf.square(x)]))
""",
    "collected by a method": """\
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.v = tf.Variable(2.0)
        self.up = tf.assign_add(self.v, 0.5)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
        self.history = []

    def step(self):
        value, _ = self.sess.run([self.up, self.v])
        return value

    def fit(self, turns):
        for turn in range(turns):
            self.history.append((turn, self.step()))
        return self.history


def report(name, rows):
    print("{}: {}".format(name, rows))


report("history", Trainer().fit(2))
""",
    "a list that TensorFlow made": """\
import tensorflow as tf
w = tf.get_variable("w", [2], initializer=tf.ones_initializer(), regularizer=tf.contrib.layers.l2_regularizer(0.5))
v = tf.Variable(3.0)
gradients = tf.gradients(v * v, [v])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(tf.losses.get_regularization_losses()), sess.run(gradients))
""",
    "rows of a list": """\
import tensorflow as tf

v = tf.Variable(1.5)
up = tf.assign_add(v, 1.0)
history = []
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        history.append([epoch, sess.run(up)])
for row in history:
    print(row)
""",
    "values of a dictionary in order": """\
import tensorflow as tf

class Board(object):
    def __init__(self):
        self.rows = {}

    def note(self, name, value, step):
        self.rows[name] = (step, value)

    def show(self):
        for name, row in sorted(self.rows.items()):
            print(name, row)

v = tf.Variable(1.5)
board = Board()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    board.note("v", sess.run(v), 0)
    board.note("w", v.eval() * 2, 1)
board.show()
pairs = [(k, x) for k, x in enumerate([1.0, 2.0])]
for pair in pairs:
    print(pair)
""",
    "a dictionary in a dictionary": """\
import tensorflow as tf

v = tf.Variable(1.5)
best = {}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for name in ("a", "b"):
        value = sess.run(v)
        best[name] = {"value": value, "name": name}
for name in sorted(best):
    print(best[name]["name"])
print(best["a"])
""",
    "lists that are put together": """\
import tensorflow as tf
step = tf.train.get_or_create_global_step()
w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([step] + tf.trainable_variables()))
""",
    "fetches in a loop": """\
import tensorflow as tf
one = tf.constant(2.0)
pair = tf.square(one), one + 1.0
with tf.Session() as sess:
    for fetched in (one, pair):
        found = sess.run(fetched)
        print(found)
""",
    "runs that are kept": """\
import tensorflow as tf
v = tf.Variable(4.0)
evals = {"v": v.eval, "y": (v * 10.0).eval}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([f() for _, f in sorted(evals.items())])
    print({name: evals[name]() for name in ("v",)})
""",
    "reduced by methods": """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.params = [tf.Variable([[1.5, 2.0]]), tf.Variable([0.25])]

    def sums(self, sess):
        return [np.round(v.sum(), 4) for v in sess.run(self.params)]


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(net.sums(sess))
    for value in sess.run(net.params):
        print((value.shape, value.max()))
""",
    "numbers of NumPy's own": """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
y = tf.nn.softmax(x)
with tf.Session() as sess:
    found = sess.run(y, {x: [1.0, 3.0]})
    row = {"best": np.argmax(found), "scale": np.sqrt(4.0), "norm": np.linalg.norm([3.0, 4.0])}
    print(sorted(row.items()))
    print([np.float32(1.5), np.exp(0)], (np.floor(found[0] * 10), found.argmin()))
""",
    "named tuples in named tuples": """\
import collections
import tensorflow as tf

Parts = collections.namedtuple("Parts", "w norm")
Out = collections.namedtuple("Out", ["loss", "parts"])
w = tf.Variable(3.0)
out = Out(w * w, Parts(w, tf.norm([3.0, 4.0])))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    found, w_ = sess.run([out, w])
    print(found)
""",
    "records that a program makes": """\
import collections
import tensorflow as tf


class Run(collections.namedtuple("Run", "step loss")):
    pass


Line = collections.namedtuple("Line", "step loss")
w = tf.Variable(3.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    line = Line(1, loss=sess.run(w))
    print("line:", line._replace(step=2))
""",
    "what make_callable gives": """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
with tf.Session() as sess:
    both = sess.make_callable([x * 2.0, (x + 1.0, x)], feed_list=[x])
    print(both(3.0))
""",
    "lists of as many parts as a loop has": """\
import tensorflow as tf
n = tf.placeholder(tf.int32, [])
loop = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a * 2.0), [0, 1.0])
with tf.Session() as sess:
    print(sess.run(loop, {n: 3}))
""",
    "what methods make of arrays": """\
import tensorflow as tf
w = tf.Variable([1.25, 2.5])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([value.sum().round(1) for value in sess.run([w, w * 2.0])], {"last": sess.run(w).take(1)})
""",
    "a list in a list": """\
import tensorflow as tf
w = tf.Variable(1.25)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    found = sess.run([[w, w + 1.0], w])
    print(found[0])
    print(sess.run({"both": (w, w), "one": w})["one"])
""",
    "by repr": """\
import tensorflow as tf
x = tf.constant([1.5, 2.5])
with tf.Session() as sess:
    first, last = sess.run(x)
    print("%r" % first, f"{last!r}", repr(sess.run(x[0])))
    print({"rows": [row for row in sess.run(x)], "all": list(sess.run(x > 2.0))}, str((first, 1)))
""",
}
OLD = 'set_printoptions(legacy="1.25")'


@pytest.mark.parametrize("code", SHOWN.values(), ids=SHOWN)
def test_the_text_is_the_old_one(code: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    text = migrated(code).text
    assert text.count(OLD) == 1
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.stdout, done.returncode) == (run_legacy(code), 0), done.stderr


HEAD = "import numpy as np\nimport tensorflow as tf\nsess = tf.Session()\nv, w = tf.Variable(1.0), tf.Variable([1.0])\n"


@pytest.mark.parametrize(
    "line",
    [
        "print(sess.run(v), 'of', 3)",
        "print('%.3f %s' % (sess.run(v), sess.run(w)))",
        "print([1, 2], sess.run(w))",
        "print([float(sess.run(v)), int(sess.run(v))])",
        "print(sess.run(w).tolist(), '{}'.format(sess.run(v)), f'{sess.run(v):.2f}')",
        "rows = []\nrows.append(3)\nprint(rows)",
        "def f():\n    return 3\nprint([f()])",
        "kept = sess.run\nprint([len(w.name)], str([kept.__name__]))",
        "rows = [sess.run(v)]\nprint(len(rows), np.array(rows))",
        "np.set_printoptions(legacy='1.13')\nprint(sess.run([v]))",
        "print(sess.run([v]))  # tf-migrate: skip",
        "print(np.round(sess.run(w).sum(), 2), [sess.run(w).sum().item()], np.sqrt(2.0))",
        "class Bag:\n    def sum(self):\n        return 3\nprint([Bag().sum()])",
        "print([float(sess.run(w).max()), tf.reduce_sum(w), w.shape])",
        "both = sess.run([[v, w], w])\nprint(both[1], sess.run({'a': (v, w), 'b': v})['b'])",
        "call = sess.make_callable(v)\nprint(call(), sess.run(tf.nn.softmax(w)))",
        "def f():\n    return v * 2.0\ny = f()\nprint(sess.run(y), [sess.run(w).max().item()])",
    ],
)
def test_other_text_stays(line: str) -> None:
    assert OLD not in migrated(f"{HEAD}{line}\n").text


def test_what_it_asks_of_numpy() -> None:
    shown = [np.float32(7.0), np.int64(3), np.True_, np.float64(0.1)]
    with np.printoptions(legacy="1.25"):
        assert repr(shown) == "[7.0, 3, True, 0.1]"


OTHER = """\
import tensorflow as tf
sess = tf.Session()
v, w = tf.Variable(1.0), tf.Variable([1.0])


def both():
    return sess.run([v, w])


def one():
    return sess.run(v)
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize("head", ["import tensorflow as tf\n", ""])
@pytest.mark.parametrize(("word", "asked"), [("both", True), ("one", False)])
def test_what_another_module_gives(word: str, asked: bool, head: str, tier: HighestTier, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(OTHER)
    (tmp_path / "train.py").write_text(f"{head}import other\n\nprint(other.{word}())\n")
    options = Options(paths=(tmp_path,), jobs=1, tier=tier)
    contents = run(discover(options).code, options).contents
    assert (OLD in contents.get("train.py", b"").decode()) == asked
