"""Scripts that share modules: what has no form in one of them does not keep the others on the bridge."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

# One script trains in a supervisor's session, which may be one of several processes; another one looks at the same
# network: both call one module's functions.
LAYERS = '''\
import numpy as np
import tensorflow as tf


def dense(x, size, name):
    """A layer whose weights are what sines are."""
    start = np.sin(np.arange(int(x.shape[1]) * size)).reshape(-1, size)
    return tf.layers.dense(x, size, name=name, kernel_initializer=tf.constant_initializer(start))


def network(x):
    with tf.variable_scope("network"):
        return dense(tf.nn.relu(dense(x, 4, "hidden")), 1, "out")
'''

TRAIN = """\
import sys

import numpy as np
import tensorflow as tf

from layers import network

rows = np.cos(np.arange(12)).reshape(4, 3)
x = tf.constant(rows, tf.float32)
loss = tf.reduce_mean(tf.square(network(x) - 1.0))
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
with tf.train.Supervisor(is_chief=len(sys.argv) < 9).managed_session() as sess:
    for _ in range(3):
        _, value = sess.run([train, loss])
        print("%.5f" % value)
"""

LOOK = """\
import numpy as np
import tensorflow as tf

import layers


class Look(object):
    def __init__(self):
        self.rows = tf.placeholder(tf.float32, [None, 3])
        self.seen = layers.network(self.rows)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def at(self, rows):
        return self.sess.run(self.seen, {self.rows: rows})


look = Look()
print(" ".join("%.5f" % each for each in look.at(np.cos(np.arange(12)).reshape(4, 3)).ravel()))
"""

# The module that scripts share is a script too, which trains what it builds in a supervisor's session.
SELF_TESTED = (
    LAYERS
    + """

if __name__ == "__main__":
    import sys

    x = tf.constant(np.cos(np.arange(12)).reshape(4, 3), tf.float32)
    loss = tf.reduce_mean(tf.square(network(x) - 1.0))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.train.Supervisor(is_chief=len(sys.argv) < 9).managed_session() as sess:
        for _ in range(3):
            print("%.5f" % sess.run([loss, train])[0])
"""
)

# Of a line that is to stay as it is, nothing is written in steps.
MARKED = """\
import numpy as np
import tensorflow as tf

import layers


class Marked(object):
    def __init__(self):
        self.rows = tf.placeholder(tf.float32, [None, 3])
        self.seen = layers.network(self.rows)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def at(self, rows):
        limit = np.float32(9.0)  # tf-migrate: skip
        return np.minimum(self.sess.run(self.seen, {self.rows: rows}), limit)


marked = Marked()
print(" ".join("%.5f" % each for each in marked.at(np.cos(np.arange(12)).reshape(4, 3)).ravel()))
"""

# One of three modes of a package is written with Keras; what they share are losses and data.
COMMON = """\
import numpy as np
import tensorflow as tf

ROWS = np.sin(np.arange(20)).reshape(5, 4).astype("float32")


def distance(one, other, power=2.0):
    return tf.reduce_sum(tf.pow(tf.abs(one - other), power), axis=-1, name="distance")


class Decayed:
    def __init__(self, start):
        self.start = start

    def __call__(self, step):
        return tf.train.exponential_decay(self.start, step, 2, 0.5)
"""

WITH_KERAS = """\
import tensorflow as tf

from package.common import ROWS, distance

x = tf.placeholder(tf.float32, [None, 4])
out = tf.keras.Sequential([tf.keras.layers.Dense(4, kernel_initializer=tf.keras.initializers.Constant(0.25))])(x)
away = distance(out, x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(" ".join("%.5f" % each for each in sess.run(away, {x: ROWS})))
"""

WITH_LOOP = """\
import tensorflow as tf

from package import common


def main():
    with tf.Graph().as_default():
        point = tf.get_variable("point", [4], initializer=tf.zeros_initializer())
        step = tf.Variable(0, trainable=False)
        row = tf.placeholder(tf.float32, [4])
        far = common.distance(point, row, 1.5)
        rate = common.Decayed(0.5)(step)
        closer = tf.train.GradientDescentOptimizer(rate).minimize(far, global_step=step)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for each in common.ROWS:
                _, at, now = session.run([closer, far, rate], feed_dict={row: each})
                print("%.5f %.5f" % (at, now))


if __name__ == "__main__":
    main()
"""

# The network that scripts share makes its own inputs, in a method; one of the scripts shows its session to somebody.
NETWORK = """\
import numpy as np
import tensorflow as tf


class Network(object):
    def __init__(self, size):
        self.create_inputs()
        start = np.sin(np.arange(3 * size)).reshape(3, size)
        weights = tf.get_variable("weights", initializer=tf.constant(start, tf.float32))
        self.out = tf.reduce_sum(tf.matmul(self.rows, weights) * self.keep, 1)

    def create_inputs(self):
        self.rows = tf.placeholder(tf.float32, [None, 3], name="rows")
        self.keep = tf.placeholder_with_default(1.0, [], name="keep")
        self.wanted = tf.placeholder(tf.float32, [None])

    def loss(self):
        return tf.reduce_mean(tf.square(self.out - self.wanted))
"""

SHOWING = """\
import collections

import numpy as np
import tensorflow as tf

from network import Network

net = Network(4)
loss = net.loss()
train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    shown = collections.deque([sess])
    for _ in range(3):
        rows = np.cos(np.arange(12)).reshape(4, 3)
        _, value = shown[0].run([train_op, loss], {net.rows: rows, net.wanted: [1.0, 0.0, 1.0, 0.0]})
        print("%.5f" % value)
"""

LOOKING = """\
import numpy as np
import tensorflow as tf

import network


def main():
    net = network.Network(2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        (out,) = session.run([net.out], feed_dict={net.rows: np.cos(np.arange(12)).reshape(4, 3), net.keep: 0.5})
        print(" ".join("%.5f" % each for each in out))
        print(" ".join("%.5f" % each for each in session.run(net.out, {net.rows: np.ones([2, 3])})))


if __name__ == "__main__":
    main()
"""

# Functions of a package make sparse and other inputs, and give them back in a dictionary.
INPUTS = """\
import tensorflow as tf


def inputs(size, **more):
    found = {"words": tf.sparse_placeholder(tf.float32, [2, size], name="words"), "scale": tf.placeholder(tf.float32)}
    for name, dtype in sorted(more.items()):
        found[name] = tf.placeholder(dtype, [None], name=name)
    return found


def scored(found):
    return tf.sparse_reduce_sum(found["words"], 1) * found["scale"]
"""

COUNTED = """\
import collections

import tensorflow as tf

from package.inputs import inputs, scored

found = inputs(3, bias=tf.float32)
out = scored(found) + found["bias"]
sessions = collections.deque()
words = tf.SparseTensorValue([[0, 1], [1, 2]], [2.0, 3.0], [2, 3])
for scale in (1.0, 0.5, 0.25):
    session = tf.Session()
    sessions.append(session)
    fed = {found["words"]: words, found["scale"]: scale, found["bias"]: [1.0, 2.0]}
    print("%.5f %.5f" % tuple(session.run(out, fed)))
"""

SCORED = """\
import tensorflow as tf

from package import inputs


class Scorer:
    def __init__(self):
        self.inputs = inputs.inputs(2)
        self.score = inputs.scored(self.inputs)
        self.session = tf.Session()

    def __call__(self, scale):
        words = tf.SparseTensorValue([[0, 0], [1, 1]], [1.5, 2.5], [2, 2])
        return self.session.run(self.score, {self.inputs["words"]: words, self.inputs["scale"]: scale})


scorer = Scorer()
for scale in (2.0, 4.0):
    print("%.5f %.5f" % tuple(scorer(scale)))
"""

# A module tries what it builds where it is a script, and writes the session into a log.
TRIED = """\
import logging

import numpy as np
import tensorflow as tf


class Dense(object):
    def __init__(self, name, size):
        self.name, self.size = name, size

    def __call__(self, x):
        start = np.cos(np.arange(int(x.shape[1]) * self.size)).reshape(-1, self.size)
        return tf.layers.dense(x, self.size, name=self.name, kernel_initializer=tf.constant_initializer(start))


def stacked(x, sizes, sess=None):
    for at, size in enumerate(sizes):
        x = Dense("dense_%d" % at, size)(x)
    return x


def tried(rows):
    x = tf.placeholder(tf.float32, [None, 2])
    sess = tf.Session()
    out = stacked(x, [3, 1], sess=sess)
    sess.run(tf.global_variables_initializer())
    logging.debug("in %s", sess)
    return sess.run(out, {x: rows})


if __name__ == "__main__":
    print(" ".join("%.5f" % each for each in tried(np.float32([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])).ravel()))
"""

WITH_TRIED = """\
import tensorflow as tf

from package.tried import stacked


class Trainer(object):
    def __init__(self, rate):
        self.rows = tf.placeholder(tf.float32, [None, 2], name="rows")
        self.loss = tf.reduce_mean(tf.square(stacked(self.rows, (4, 1), None) - 1.0))
        self.train_op = tf.train.GradientDescentOptimizer(rate).minimize(self.loss)

    def train(self, sess, rows, turns):
        for _ in range(turns):
            _, loss = sess.run([self.train_op, self.loss], {self.rows: rows})
            print("%.5f" % loss)


with tf.Session() as sess:
    trainer = Trainer(0.01)
    sess.run(tf.global_variables_initializer())
    trainer.train(sess, [[0.5, 1.0], [1.5, 0.5]], 4)
"""


# What a script builds with is a script too; the other one has a graph of its own: an estimator's, or a training loop's.
MEASURED = """\
import numpy as np
import tensorflow as tf


def rows_of(start, scale=1.0):
    rows = np.arange(start, start + 8, dtype=np.float32).reshape(4, 2)
    data = tf.data.Dataset.from_tensor_slices({"x": rows, "y": rows.sum(1, keepdims=True)})
    return data.map(lambda row: {"x": row["x"] * scale, "y": row["y"]})


def measure():
    iterator = rows_of(1.0, 0.5).batch(2).make_initializable_iterator()
    x = iterator.get_next()["x"]
    total, count = np.zeros(2), 0
    with tf.Session() as sess:
        for turn in range(2):
            sess.run(iterator.initializer)
            while True:
                try:
                    found = sess.run(x)
                except tf.errors.OutOfRangeError:
                    break
                total += found.sum(0) * (turn + 1)
                count += len(found)
    return total / count, count


if __name__ == "__main__":
    mean, count = measure()
    print("%.5f %.5f %.5f" % (mean[0], mean[1], count))
"""

ESTIMATED = """\
import tensorflow as tf

import measured


def model_fn(features, labels, mode):
    out = tf.layers.dense(features["x"], 1, kernel_initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(out - features["y"]))
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def main():
    estimator = tf.estimator.Estimator(model_fn, model_dir="run")
    estimator.train(lambda: measured.rows_of(0.0).batch(2))


if __name__ == "__main__":
    main()
"""

LOOPED = """\
import tensorflow as tf

from package.shown import stacked

slim = tf.contrib.slim


def main(_):
    x = tf.constant([[0.5, 1.0], [1.5, 0.5]])
    loss = tf.reduce_mean(tf.square(stacked(x, (4, 1)) - 1.0))
    tf.losses.add_loss(loss)
    train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.01))
    slim.learning.train(train_op, "run", number_of_steps=3)


if __name__ == "__main__":
    tf.app.run()
"""

SHOWN = """\
import numpy as np
import tensorflow as tf


class Dense(object):
    def __init__(self, name, size):
        self.name, self.size = name, size

    def __call__(self, x):
        start = np.cos(np.arange(int(x.shape[1]) * self.size)).reshape(-1, self.size)
        return tf.layers.dense(x, self.size, name=self.name, kernel_initializer=tf.constant_initializer(start))


def stacked(x, sizes):
    for at, size in enumerate(sizes):
        x = Dense("dense_%d" % at, size)(x)
    return x


if __name__ == "__main__":
    x = tf.placeholder(tf.float32, [None, 2])
    out = stacked(x, [3, 1])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for row in ([[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]):
            print("%.5f" % sess.run(out, {x: row})[0, 0])
"""


SCALED = """\
import tensorflow as tf
from tensorflow.python.ops import init_ops
from tensorflow.contrib.framework.python.ops import add_arg_scope


@add_arg_scope
def scaled(x, init=init_ops.ones_initializer(), scope=None):
    with tf.variable_scope(scope, "scaled"):
        return x * tf.get_variable("w", x.shape[1:], initializer=init)
"""

SCALING = """\
import tensorflow as tf

import scaled

x = tf.placeholder(tf.float32, [None, 2])
y = scaled.scaled(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for at in range(3):
        print("%.5f" % sess.run(y, {x: [[at, 2.0]]}).sum())
"""

SCALED_LOOP = """\
import tensorflow as tf

import scaled

slim = tf.contrib.slim
loss = tf.reduce_sum(tf.square(scaled.scaled(tf.constant([[1.0, 2.0]]))))
train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.01))
slim.learning.train(train_op, None, number_of_steps=3)
"""


def migrated(files: dict[str, str], folder: Path) -> Outcome:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    options = Options(paths=(folder,), root=folder)
    outcome = pipeline.run(discover(options).code, options)
    for name, content in outcome.contents.items():
        (folder / name).write_bytes(content)
    return outcome


def said_by(script: str, folder: Path) -> str:
    known = dict(os.environ, PYTHONPATH=f"{ROOT}{os.pathsep}{folder}", PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", (folder / script).read_text()], cwd=folder, env=known)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("files", "tiers"),
    [
        (
            {"layers.py": LAYERS, "train.py": TRAIN, "look.py": LOOK},
            {"train.py": ("bridge", None), "look.py": ("native", "steps")},
        ),
        (
            {"package/__init__.py": "", "package/common.py": COMMON, "keras_mode.py": WITH_KERAS, "loop.py": WITH_LOOP},
            {"keras_mode.py": ("bridge", None), "loop.py": ("native", "steps")},
        ),
        (
            {"layers.py": LAYERS, "marked.py": MARKED, "look.py": LOOK},
            {"marked.py": ("bridge", None), "look.py": ("native", "steps")},
        ),
        (
            {"package/__init__.py": "", "package/tried.py": TRIED, "train.py": WITH_TRIED},
            {"package/tried.py": ("bridge", None), "train.py": ("native", "steps")},
        ),
        (
            {"layers.py": SELF_TESTED, "look.py": LOOK, "other.py": LOOK.replace("tf.Session()", "tf.Session(None)")},
            {"layers.py": ("bridge", None), "look.py": ("native", "steps"), "other.py": ("native", "steps")},
        ),
        (
            {"network.py": NETWORK, "showing.py": SHOWING, "looking.py": LOOKING},
            {"showing.py": ("bridge", None), "looking.py": ("native", "steps")},
        ),
        (
            {"package/__init__.py": "", "package/inputs.py": INPUTS, "counted.py": COUNTED, "scored.py": SCORED},
            {"counted.py": ("bridge", None), "scored.py": ("native", "steps")},
        ),
        ({"measured.py": MEASURED, "estimated.py": ESTIMATED}, {"measured.py": ("native", "steps")}),
        (
            {"package/__init__.py": "", "package/shown.py": SHOWN, "looped.py": LOOPED},
            {"package/shown.py": ("native", "steps")},
        ),
        (
            {"scaled.py": SCALED, "scaling.py": SCALING, "loop.py": SCALED_LOOP},
            {"scaling.py": ("native", "steps")},
        ),
    ],
    ids=[
        "a supervisor",
        "Keras",
        "a line to be skipped",
        "a module that tries itself",
        "a script that is imported",
        "a network with inputs",
        "functions for inputs",
        "an estimator",
        "a training loop",
        "layers with an arg scope",
    ],
)
def test_each_script_has_its_own_verdict(
    files: dict[str, str], tiers: dict[str, tuple[str, str | None]], tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    folders = {name: tmp_path / name for name in ("before", "after")}
    for folder in folders.values():
        folder.mkdir()
    for name, text in files.items():
        (folders["before"] / name).parent.mkdir(exist_ok=True)
        (folders["before"] / name).write_text(text)
    outcome = migrated(files, folders["after"])
    assert {site.path: (site.tier, site.form) for site in outcome.report.sites} == tiers
    for site in outcome.report.sites:
        assert {reason.path for reason in site.reasons} <= {site.path}
    for script in tiers:
        start = f"import sys\nsys.path.insert(0, {str(folders['before'])!r})\n"
        before, after = run_legacy(start + files[script]), said_by(script, folders["after"])
        assert NUMBER.sub("#", after) == NUMBER.sub("#", before)
        numbers = [[float(number) for number in NUMBER.findall(said)] for said in (after, before)]
        assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)
        assert len(numbers[0]) >= 3


def test_scripts_that_share_what_runs_stand_or_fall_together(tmp_path: Path) -> None:
    files = {
        "layers.py": LAYERS,
        "look.py": LOOK,
        "other.py": TRAIN.replace("from layers import network", "import look"),
    }
    files["other.py"] = (
        files["other.py"].replace("network(x)", "look.layers.network(x)").replace("x)", "look.look.rows)")
    )
    outcome = migrated(files, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
