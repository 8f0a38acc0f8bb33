"""Tests that share modules with a program: each is executed, and all are written in steps together."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.steps.migration import assert_alike
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome

# A library with a class whose calls are kept, a script, and tests that begin the graph anew behind each.
NET = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, width, rate=0.1):
        self.width = width
        self._outputs = {}
        self._learned = tf.train.create_global_step()
        self.rate = rate

    def __call__(self, x):
        if x not in self._outputs:
            with tf.variable_scope("net", reuse=bool(self._outputs)):
                start = np.sin(np.arange(2 * self.width)).reshape(2, self.width)
                hidden = tf.layers.dense(x, self.width, tf.tanh, kernel_initializer=tf.constant_initializer(start))
                out = tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.5), name="out")
            self._outputs[x] = {"hidden": hidden, "out": tf.squeeze(out, 1)}
        return self._outputs[x]

    def fit(self, out, wanted):
        loss = tf.reduce_mean(tf.square(out - wanted))
        return loss, tf.train.AdamOptimizer(self.rate).minimize(loss, global_step=self._learned)


def learn(net, rows, turns):
    x = tf.placeholder(tf.float32, [None, 2])
    wanted = tf.placeholder(tf.float32, [None])
    loss, op = net.fit(net(x)["out"], wanted)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(turns):
            value, _ = sess.run([loss, op], {x: rows, wanted: rows.sum(axis=1)})
        return value, sess.run(net(x)["out"], {x: rows[:1]})
"""

TRAIN = """\
import numpy as np

from net.model import Net, learn

if __name__ == "__main__":
    value, out = learn(Net(3), np.cos(np.arange(8)).reshape(4, 2), 5)
    print("%.5f" % value, "%.5f" % out[0])
"""

TEST_NET = """\
import unittest

import numpy as np
import tensorflow as tf

from net.model import Net, learn


class TestNet(unittest.TestCase):
    def setUp(self):
        self.sess = tf.Session()
        self.rows = np.cos(np.arange(6)).reshape(3, 2)

    def tearDown(self):
        tf.reset_default_graph()
        self.sess.close()

    def test_outputs(self):
        x = tf.placeholder(tf.float32, [None, 2])
        net = Net(4)
        found = net(x)
        self.sess.run(tf.global_variables_initializer())
        out, hidden = self.sess.run([found["out"], found["hidden"]], feed_dict={x: self.rows})
        self.assertEqual(hidden.shape, (3, 4))
        print("outputs", " ".join("%.5f" % each for each in out))
        again = net(x)
        self.assertIs(again, found)
        np.testing.assert_allclose(self.sess.run(again["out"], {x: self.rows}), out)

    def _losses(self, rate):
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        net = Net(2, rate=rate)
        loss, op = net.fit(net(x)["out"], tf.constant([1.0, 2.0, 3.0]))
        self.sess.run(tf.global_variables_initializer())
        for _ in range(3):
            self.sess.run(op, {x: self.rows})
        return self.sess.run(loss, {x: self.rows})

    def test_slow(self):
        print("slow %.5f" % self._losses(0.01))
        self.assertEqual([v.name for v in tf.global_variables()][1], "net/dense/kernel:0")

    def test_fast(self):
        print("fast %.5f" % self._losses(0.1))

    def test_learn(self):
        value, out = learn(Net(3), self.rows, 2)
        print("learn %.5f %.5f" % (value, out[0]))


if __name__ == "__main__":
    unittest.main()
"""

# Functions that scripts and tests share; a base class of tests, whose graph is that of a class.
SHARED = """\
import tensorflow as tf


def scaled(name, size, seed):
    with tf.variable_scope(name):
        gain = tf.get_variable("gain", [size], initializer=tf.random_uniform_initializer(0.5, 1.5, seed=seed))
        shift = tf.Variable(tf.zeros([size]), name="shift")
    x = tf.placeholder(tf.float32, [None, size], name=name + "_x")
    return {"x": x, "y": x * gain + shift, "shift": shift, "move": tf.assign_add(shift, gain)}


def normalized(x, momentum=0.5):
    return tf.layers.batch_normalization(x, momentum=momentum, training=True, name="norm")
"""

USE = """\
import numpy as np
import tensorflow as tf

from shared import scaled

parts = scaled("use", 2, 7)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(parts["move"])
    print(np.round(sess.run(parts["y"], {parts["x"]: [[1.0, 2.0]]}), 5))
"""

CHECKS = """\
from unittest import TestCase

import numpy as np
import tensorflow as tf

import shared


class Base(TestCase):
    name = "base"

    @classmethod
    def setUpClass(cls):
        cls.graph = tf.Graph()
        with cls.graph.as_default():
            cls.parts = shared.scaled(cls.name, 3, seed=len(cls.name))
            cls.init = tf.global_variables_initializer()

    def setUp(self):
        self.session = tf.Session(graph=self.graph)
        self.session.run(self.init)

    def tearDown(self):
        self.session.close()

    def value(self, rows):
        return self.session.run(self.parts["y"], feed_dict={self.parts["x"]: rows})


class TestScaled(Base):
    name = "scaled"

    def test_first(self):
        print("first", np.round(self.value(np.eye(3)), 5).ravel())

    def test_move(self):
        for _ in range(2):
            self.session.run(self.parts["move"])
        print("move", np.round(self.value(np.zeros((1, 3))), 5).ravel())

    def test_still(self):
        with self.session.as_default():
            y = self.parts["y"].eval({self.parts["x"]: np.ones((1, 3))})
            print("still", self.parts["shift"].eval(), np.round(y, 5))


class TestNormalized(TestCase):
    def test_update(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.constant(np.arange(6.0, dtype=np.float32).reshape(3, 2))
            y = shared.normalized(x)
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
            sess.run(tf.global_variables_initializer())
            sess.run(updates)
            found, mean = sess.run([y, tf.global_variables()[2]])
            print("normalized", np.round(found.ravel(), 4), mean)
"""


LIBRARY_WITH_TESTS = {
    "net/__init__.py": "",
    "net/model.py": NET,
    "main.py": TRAIN,
    "tests/__init__.py": "",
    "tests/test_net.py": TEST_NET,
}
CLASSES_WITH_GRAPHS = {"shared.py": SHARED, "use.py": USE, "check_scaled.py": CHECKS}


def rewritten(folder: Path, files: dict[str, str]) -> Outcome:
    for path, text in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    options = Options(paths=(folder,), root=folder)
    return pipeline.run(discover(options).code, options)


def printed(folder: Path, program: str) -> str:
    environment = dict(os.environ, PYTHONPATH=f"{ROOT}{os.pathsep}{folder}", PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", program], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


# What they print is what TensorFlow 1.15.5 printed.
NET_PRINTED = """\
fast 3.18699
learn 1.08509 0.43482
outputs 0.51207 0.22978 -0.69056
slow 5.18091
"""


@pytest.mark.parametrize(
    ("files", "script", "tests", "by_script", "by_tests"),
    [
        (
            LIBRARY_WITH_TESTS,
            "main.py",
            "tests.test_net",
            """\
0.33285 1.60551
""",
            NET_PRINTED,
        ),
        (
            CLASSES_WITH_GRAPHS,
            "use.py",
            "check_scaled",
            """\
[[1.96788 3.01861]]
""",
            """\
normalized [-1.2245 -1.2245  0.      0.      1.2245  1.2245] [1.  1.5]
first [1.1433  0.      0.      0.      0.62341 0.      0.      0.      1.39461]
move [2.28661 1.24682 2.78921]
still [0. 0. 0.] [[1.1433  0.62341 1.39461]]
""",
        ),
    ],
    ids=["library", "classes"],
)
def test_the_same_numbers(
    files: dict[str, str], script: str, tests: str, by_script: str, by_tests: str, tmp_path: Path
) -> None:
    outcome = rewritten(tmp_path, files)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    for path, text in outcome.contents.items():
        (tmp_path / path).write_bytes(text)
    assert_alike(printed(tmp_path, (tmp_path / script).read_text()), by_script)
    run = f"import unittest\nunittest.main({tests!r}, argv=['tests'], exit=False)"
    assert_alike(printed(tmp_path, run), by_tests)


EXPECTS_ERROR = """\
import unittest

import tensorflow as tf

from net.model import Net


class TestShapes(unittest.TestCase):
    def test_shapes(self):
        net = Net(2)
        with self.assertRaises(ValueError):
            net.fit(tf.zeros([2, 3]), tf.zeros([4]))
{behind}"""


@pytest.mark.parametrize("behind", ["        net(tf.zeros([2, 2]))\n", ""], ids=["same test", "next test"])
def test_a_graph_that_runs_and_is_half_built_keeps_its_program_on_the_bridge(behind: str, tmp_path: Path) -> None:
    next_test = "\n    def test_size(self):\n        print(Net(3)(tf.zeros([2, 2])))\n"
    test = EXPECTS_ERROR.format(behind=behind or next_test)
    test = test.replace("import Net", "import Net, learn").replace(
        "net.fit(", "learn(net, [[1.0]], 2)\n            net.fit("
    )
    outcome = rewritten(tmp_path, {**LIBRARY_WITH_TESTS, "tests/test_shapes.py": test})
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    reasons = {(reason.code, reason.path, reason.line) for site in outcome.report.sites for reason in site.reasons}
    assert ("builds-half", "tests/test_shapes.py", 11) in reasons


GOES_ON = """\
import unittest

import tensorflow as tf

from net.model import Net


class TestShapes(unittest.TestCase):
    def test_shapes(self):
        net = Net(2)
        with self.assertRaises(ValueError):
            net.fit(tf.zeros([2, 3]), tf.zeros([4]))
        self.assertRaises(ValueError, net.fit, tf.zeros([2]), tf.ones([3]))
        found = net(tf.ones([2, 2]))
        print("shapes", found["out"].shape, [v.name for v in tf.trainable_variables()])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            print("value %.5f %.5f" % tuple(sess.run(found["out"])))
        tf.reset_default_graph()

    def test_size(self):
        print("size", Net(3)(tf.zeros([2, 2]))["hidden"].shape)
        tf.reset_default_graph()
"""


def test_a_graph_goes_on_behind_what_only_builds(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {**LIBRARY_WITH_TESTS, "tests/test_shapes.py": GOES_ON})
    assert {site.form for site in outcome.report.sites} == {"steps"}
    for path, text in outcome.contents.items():
        (tmp_path / path).write_bytes(text)
    # As TensorFlow 1.15.5 printed.
    wanted = """\
shapes (2,) ['net/dense/kernel:0', 'net/dense/bias:0', 'net/out/kernel:0', 'net/out/bias:0']
value 0.73749 0.73749
size (2, 3)
"""
    names = "('tests.test_shapes', 'tests.test_net')"
    run = f"import unittest\nfor name in {names}:\n    unittest.main(name, argv=['x'], exit=False)"
    assert_alike(printed(tmp_path, run), wanted + NET_PRINTED)


def test_a_graph_that_is_left_half_built_is_no_matter(tmp_path: Path) -> None:
    test = EXPECTS_ERROR.format(behind="\n    def tearDown(self):\n        tf.reset_default_graph()\n")
    files = {**LIBRARY_WITH_TESTS, "tests/test_shapes.py": test}
    outcome = rewritten(tmp_path, files)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    for path, text in outcome.contents.items():
        (tmp_path / path).write_bytes(text)
    names = "('tests.test_shapes', 'tests.test_net')"
    run = f"import unittest\nfor name in {names}:\n    unittest.main(name, argv=['x'], exit=False)"
    assert_alike(printed(tmp_path, run), NET_PRINTED)
