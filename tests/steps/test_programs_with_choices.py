"""Programs that choose what they build: from a registry of models, by a flag; before and after."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import said_by
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

# Ten classes in a dictionary; the graph is finished in a method that also runs it; a method that nobody calls.
CURVES = '''\
import sys

import numpy as np
import tensorflow as tf


class Curve(object):
    """A curve through points, whose weights are found by descent."""

    degree = 0

    def __init__(self, sess, rate):
        self.sess = sess
        self.rate = rate

    def build(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.y = tf.placeholder(tf.float32, [None])
        self.w = tf.get_variable("w", [self.degree + 1], initializer=tf.constant_initializer(0.5))
        self.raw = tf.add_n([self.w[n] * self.x ** n for n in range(self.degree + 1)])

    def fit(self, x, y, turns):
        self.raw += float(np.mean(y))
        self.out = self.bent()
        self.loss = tf.reduce_mean(tf.square(self.out - self.y))
        self.learn = tf.train.GradientDescentOptimizer(self.rate).minimize(self.loss)
        self.sess.run(tf.global_variables_initializer())
        for _ in range(turns):
            _, loss = self.sess.run([self.learn, self.loss], {self.x: x, self.y: y})
        print("%s %.5f" % (type(self).__name__, loss))

    def bent(self):
        return self.raw

    def at(self, x):
        return self.sess.run(self.out, {self.x: x})

    def keep(self, path):
        return tf.train.Saver([self.w]).save(self.sess, path)


class Point(Curve):
    pass


class Line(Curve):
    degree = 1


class Square(Curve):
    degree = 2


class Cubic(Curve):
    degree = 3


class Tanh(Line):
    def bent(self):
        return tf.tanh(self.raw)


class Relu(Line):
    def bent(self):
        return tf.nn.relu(self.raw)


class Sigmoid(Square):
    def bent(self):
        return tf.sigmoid(self.raw)


class Sine(Square):
    def bent(self):
        return tf.sin(self.raw)


class Plus(Cubic):
    def bent(self):
        return tf.nn.softplus(self.raw)


class Sign(Cubic):
    def bent(self):
        return tf.nn.softsign(self.raw)


CURVES = {each.__name__.lower(): each for each in
          (Point, Line, Square, Cubic, Tanh, Relu, Sigmoid, Sine, Plus, Sign)}


def main(names):
    x = np.linspace(-1.0, 1.0, 7)
    for name in names:
        tf.reset_default_graph()
        with tf.Session() as sess:
            curve = CURVES[name](sess, rate=0.1)
            curve.build()
            curve.fit(x, np.cos(x), turns=5)
            print(" ".join("%.5f" % number for number in curve.at([0.0, 0.5])))


main(sys.argv[1:] or ["tanh", "cubic", "sine"])
'''

# Ten functions behind a chain of conditions, each of which gives a dictionary.
NETWORKS = """\
import os

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("net", os.environ.get("NET", "deep"), "which network")
FLAGS = flags.FLAGS


def dense(x, size, name):
    start = np.sin(np.arange(int(x.shape[1]) * size)).reshape(-1, size)
    return tf.layers.dense(x, size, name=name, kernel_initializer=tf.constant_initializer(start))


def make_net(head, rate=0.05):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [None], name="y")
    out = tf.reduce_sum(head(x), axis=1)
    loss = tf.losses.mean_squared_error(y, out)
    train = tf.train.MomentumOptimizer(rate, 0.5).minimize(loss)
    return dict(x=x, y=y, out=out, loss=loss, train=train)


def flat():
    return make_net(lambda x: x * tf.get_variable("scale", [3], initializer=tf.ones_initializer()))


def shallow():
    return make_net(lambda x: dense(x, 2, "a"))


def deep():
    return make_net(lambda x: dense(tf.nn.relu(dense(x, 4, "a")), 2, "b"))


def wide():
    return make_net(lambda x: dense(tf.nn.tanh(dense(x, 16, "a")), 2, "b"), rate=0.01)


def gated():
    return make_net(lambda x: dense(x, 2, "a") * tf.sigmoid(dense(x, 2, "gate")))


def squared():
    return make_net(lambda x: tf.square(dense(x, 2, "a")))


def scaled():
    return make_net(lambda x: 0.5 * dense(x, 2, "a"))


def residual():
    return make_net(lambda x: x + dense(x, 3, "a"))


def biased():
    return make_net(lambda x: dense(x, 2, "a") + tf.get_variable("more", [2], initializer=tf.ones_initializer()))


def clipped():
    return make_net(lambda x: tf.clip_by_value(dense(x, 2, "a"), -1.0, 1.0))


def main(_):
    if FLAGS.net == "flat":
        net = flat()
    elif FLAGS.net == "shallow":
        net = shallow()
    elif FLAGS.net == "deep":
        net = deep()
    elif FLAGS.net == "wide":
        net = wide()
    elif FLAGS.net == "gated":
        net = gated()
    elif FLAGS.net == "squared":
        net = squared()
    elif FLAGS.net == "scaled":
        net = scaled()
    elif FLAGS.net == "residual":
        net = residual()
    elif FLAGS.net == "biased":
        net = biased()
    else:
        net = clipped()
    rows = np.cos(np.arange(15)).reshape(5, 3)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for turn in range(3):
            _, loss = sess.run([net["train"], net["loss"]], {net["x"]: rows, net["y"]: rows.sum(axis=1)})
            print("%d %.5f" % (turn, loss))
        print(" ".join("%.5f" % each for each in sess.run(net["out"], feed_dict={net["x"]: rows})))


if __name__ == "__main__":
    tf.app.run()
"""

# A method that no script calls saves and restores in the session of the object.
KEPT = """\
import os
import tempfile

import numpy as np
import tensorflow as tf


class Scale(object):
    def __init__(self, session):
        self.session = session
        self.x = tf.placeholder(tf.float32, [None])
        self.factor = tf.Variable(2.0, name="factor")
        self.y = self.x * self.factor
        self.double = self.factor.assign(self.factor * 2.0)
        session.run(tf.global_variables_initializer())

    def of(self, x):
        return self.session.run(self.y, {self.x: x})

    def grow(self):
        self.session.run(self.double)

    def keep(self, path):
        return tf.train.Saver().save(self.session, path)

    def back(self, path):
        saver = tf.train.Saver([self.factor])
        saver.restore(sess=self.session, save_path=path)


scale = Scale(tf.Session())
print("%.3f %.3f" % tuple(scale.of([1.5, 2.5])))
"""

LATER = """
path = scale.keep(os.path.join(tempfile.mkdtemp(), "scale"))
scale.grow()
print("%.3f %.3f" % tuple(scale.of([0.25, 1.75])))
scale.back(path)
print("%.3f %.3f" % tuple(scale.of([0.25, 1.75])), os.path.basename(path))
"""

# Each choice opens a session of its own over the default graph: there is never more than one.
SESSIONS_BY_FLAG = """\
import os

import numpy as np
import tensorflow as tf


def with_session(build):
    x = tf.placeholder(tf.float32, [None, 2])
    y, learn = build(x)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())

    def turn(rows):
        if learn is not None:
            sess.run(learn, {x: rows})
        return sess.run(y, {x: rows})

    return turn


def learner():
    def build(x):
        w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.25))
        y = tf.squeeze(tf.matmul(x, w), axis=1)
        return y, tf.train.AdagradOptimizer(0.1).minimize(tf.reduce_sum(tf.square(y - 1.0)))

    return with_session(build)


def viewer():
    return with_session(lambda x: (tf.reduce_sum(x * tf.Variable([1.0, -1.0]), axis=1), None))


turn = learner() if os.environ.get("LEARN", "1") == "1" else viewer()
for number in range(3):
    print(number, " ".join("%.5f" % each for each in turn(np.float32([[1.0, 2.0], [0.5, number]]))))
"""

SESSIONS_BY_NAME = """\
import sys

import numpy as np
import tensorflow as tf


class Walk(object):
    def __init__(self):
        self.place = tf.Variable(np.zeros(3, np.float32))
        self.moved = self.make()
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def go(self, turns):
        for _ in range(turns):
            self.sess.run(self.moved)
        return self.sess.run(self.place)


class Straight(Walk):
    def make(self):
        return tf.assign_add(self.place, [0.5, 0.0, 0.0])


class Curved(Walk):
    def make(self):
        return self.place.assign(tf.cos(self.place) + [0.0, 0.25, 0.5])


class Still(Walk):
    def make(self):
        return tf.no_op()


def walk_of(name):
    if name == "straight":
        walk = Straight()
    elif name == "curved":
        walk = Curved()
    else:
        walk = Still()
    return walk


walk = walk_of((sys.argv[1:] or ["curved"])[0])
print(walk.go(2), walk.go(1))
"""

# Every turn of the loop makes one or the other: both may be there, and each is used again.
BOTH_IN_A_LOOP = (
    SESSIONS_BY_NAME[: SESSIONS_BY_NAME.index("walk = walk_of")]
    + """\
walks = [walk_of(name) for name in (sys.argv[1:] or ["curved", "straight"])]
for walk in walks:
    print(walk.go(2))
for walk in walks:
    print(walk.go(1))
"""
)

# A class of a library: no script of the tree makes one. It is built by one method, and runs in others.
LIBRARY = '''\
import numpy as np
import tensorflow as tf


class Machine(object):
    """Pairs of numbers, and how well they go together."""

    def __init__(self, sess, size, rate=0.1):
        self.sess = sess
        self.size = size
        self.rate = rate
        self.score = None

    def build(self, width=2):
        self.left = tf.placeholder(tf.int32, [None])
        self.right = tf.placeholder(tf.int32, [None])
        self.wanted = tf.placeholder(tf.float32, [None])
        start = np.sin(np.arange(self.size * width)).reshape(self.size, width)
        self.table = tf.get_variable("table", initializer=tf.constant(start, tf.float32))
        rows = [tf.nn.embedding_lookup(self.table, each) for each in (self.left, self.right)]
        self.score = tf.reduce_sum(rows[0] * rows[1], axis=1)
        self.loss = tf.nn.l2_loss(self.score - self.wanted)
        self.learn = tf.train.AdagradOptimizer(self.rate).minimize(self.loss)
        return self

    def train(self, rows):
        init = tf.global_variables_initializer()
        self.sess.run(init)
        for left, right, wanted in rows:
            _, loss = self.sess.run((self.learn, self.loss),
                                    feed_dict={self.left: left, self.right: right, self.wanted: wanted})
            print("%.5f" % loss)

    def predict(self, left, right):
        return self.sess.run([self.score], feed_dict={self.left: left, self.right: right})[0]
'''

IN_USE = """
rows = [([0, 1], [2, 3], [1.0, 0.5]), ([1, 2], [0, 3], [0.25, 0.0]), ([3, 0], [1, 1], [0.0, 1.0])]
{made}
machine.build()
machine.train(rows)
print(" ".join("%.5f" % each for each in machine.predict([0, 1, 2], [1, 2, 3])))
"""


def migrated(folder: Path) -> Outcome:
    options = Options(paths=(folder,), root=folder)
    return pipeline.run(discover(options).code, options)


def assert_alike(after: str, before: str, at_least: int) -> None:
    assert NUMBER.sub("#", after) == NUMBER.sub("#", before)
    numbers = [[float(number) for number in NUMBER.findall(said)] for said in (after, before)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)
    assert len(numbers[0]) >= at_least


@pytest.mark.parametrize(("program", "count"), [(CURVES, 9), (NETWORKS, 8)])
def test_one_of_many_models(program: str, count: int, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    outcome = migrated(tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    text = outcome.contents["main.py"].decode()
    assert "sess" not in text
    assert_alike(said_by(text, tmp_path), run_legacy(program), count)


def test_methods_that_nobody_calls_lose_the_session_too(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(KEPT)
    outcome = migrated(tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    text = outcome.contents["main.py"].decode()
    assert_alike(said_by(text + LATER, tmp_path), run_legacy(KEPT + LATER), 6)


def test_a_session_that_is_read_where_nothing_was_seen_to_run(tmp_path: Path) -> None:
    inner = (
        "\n    def later(self):\n        def graph_of():\n            return self.session.graph\n"
        "        return {'graph': graph_of}\n"
    )
    (tmp_path / "main.py").write_text(KEPT.replace("\n    def keep", f"{inner}\n    def keep"))
    outcome = migrated(tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "session-unseen" in {reason.code for site in outcome.report.sites for reason in site.reasons}


@pytest.mark.parametrize("program", [SESSIONS_BY_FLAG, SESSIONS_BY_NAME])
def test_sessions_of_which_there_is_one(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    outcome = migrated(tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    assert_alike(said_by(outcome.contents["main.py"].decode(), tmp_path), run_legacy(program), 6)


def test_sessions_of_which_there_may_be_two(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(BOTH_IN_A_LOOP)
    outcome = migrated(tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "sessions-at-once" in {reason.code for site in outcome.report.sites for reason in site.reasons}


def test_a_class_that_no_script_makes(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(LIBRARY)
    outcome = migrated(tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    text = outcome.contents["main.py"].decode()
    assert "sess" not in text
    after = said_by(text + IN_USE.format(made="machine = Machine(4)"), tmp_path)
    assert_alike(after, run_legacy(LIBRARY + IN_USE.format(made="machine = Machine(tf.Session(), 4)")), 6)
