"""Objects of classes that a text names: nobody knows which, and a program's script stays one with its modules.

What the programs print is what they print in TensorFlow 1.15.5.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome

SOLVER = """\
import numpy as np
import tensorflow as tf


class Solver(object):
    def __init__(self, net, rate):
        self.net = net
        self.rate = rate
        self.construct()

    def construct(self):
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.out = self.net.inference(self.x)
        self.loss = tf.reduce_mean(tf.square(self.out - self.y))
        self.train_op = tf.train.AdamOptimizer(self.rate).minimize(self.loss)

    def solve(self):
        init = tf.global_variables_initializer()
        sess = tf.Session()
        sess.run(init)
        for step in range(3):
            feeds = {self.x: np.ones([2, 3]) * step, self.y: np.ones([2, 1])}
            _, loss = sess.run([self.train_op, self.loss], feeds)
            print(step, "%.5f" % loss)
        sess.close()
"""

MODELS = """\
import tensorflow as tf


class Linear(object):
    def __init__(self, width):
        self.width = width

    def inference(self, x):
        with tf.variable_scope("linear"):
            w = tf.get_variable("w", [3, self.width], initializer=tf.constant_initializer(0.5))
            v = tf.get_variable("v", [self.width, 1], initializer=tf.constant_initializer(0.1))
        return tf.matmul(tf.nn.relu(tf.matmul(x, w)), v)
"""

EVALUATED = """\
import sys
import net.models
import net.solver

config = dict(zip(["net", "solver"], sys.argv[1:]))
model = eval(config["net"])(4)
solver = eval(config["solver"])(model, 0.1)
solver.solve()
"""

IMPORTED = """\
import importlib
import sys

import tensorflow as tf

import net.models
import net.solver


def find(path):
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)


def main(_):
    model = find(sys.argv[1])(4)
    solver = find(sys.argv[2])(model, 0.1)
    solver.solve()


if __name__ == "__main__":
    tf.app.run()
"""

# The class that the text names makes its variables before its solver's graph is built, where no builder is.
EARLY = """\
import tensorflow as tf


class Linear(object):
    def __init__(self, width):
        with tf.variable_scope("linear"):
            self.w = tf.get_variable("w", [3, width], initializer=tf.constant_initializer(0.5))
            self.v = tf.get_variable("v", [width, 1], initializer=tf.constant_initializer(0.1)) + tf.zeros([])

    def inference(self, x):
        return tf.matmul(tf.nn.relu(tf.matmul(x, self.w)), self.v)
"""

# A graph that is built where nobody looks: the tests of a test runner are functions of a module of their own.
LOOKED_AT = """\
import tensorflow as tf

from net.models import Linear
from net.solver import Solver


def test_names():
    Solver(Linear(4), 0.1)
    weights = tf.get_default_graph().get_tensor_by_name("linear/w:0")
    assert tf.identity(weights).name == "Identity:0"
"""

# Modules that are graphs, of which the command line names one.
LINE = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [None])
a = tf.Variable(0.5)
b = tf.Variable(0.0)
fx = a * x + b
error = tf.sqrt(tf.reduce_mean(tf.square(fx - y)))
learn = tf.train.AdamOptimizer(0.1).minimize(error)


def describe(sess):
    return "%.5f * x + %.5f" % (sess.run(a), sess.run(b))
"""

BEND = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [None])
a = tf.Variable(0.25)
fx = tf.abs(x + a)
error = tf.sqrt(tf.reduce_mean(tf.square(fx - y)))
learn = tf.train.AdamOptimizer(0.1).minimize(error)


def describe(sess):
    return "|x + %.5f|" % sess.run(a)
"""

OF_A_PACKAGE = """\
import importlib
import os

import tensorflow as tf

net = importlib.import_module("nets." + os.environ.get("NET", "bend"))
rows = {net.x: [1.0, 2.0, 3.0], net.y: [2.0, 4.0, 7.0]}
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    _, error = sess.run([net.learn, net.error], feed_dict=rows)
    print("%.5f" % error)
print(net.describe(sess))
"""

BY_A_FUNCTION = """\
import tensorflow as tf


def load(name):
    return __import__(name)


def main(_):
    for name in ["line"]:
        net = load(name)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(3):
                sess.run(net.learn, {net.x: [1.0, 2.0], net.y: [3.0, 5.0]})
            print("%.5f" % sess.run(net.error, {net.x: [1.0, 2.0], net.y: [3.0, 5.0]}))
            print(net.describe(sess))


if __name__ == "__main__":
    tf.app.run()
"""

PRINTED = "0 1.00000\n1 0.16000\n2 1.97248\n"


def migrated(files: dict[str, str], folder: Path) -> Outcome:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    options = Options(paths=(folder,), root=folder)
    outcome = pipeline.run(discover(options).code, options)
    for name, content in outcome.contents.items():
        (folder / name).write_bytes(content)
    return outcome


def printed_by(folder: Path) -> str:
    start = "import sys; sys.argv[1:] = ['net.models.Linear', 'net.solver.Solver']\n"
    known = dict(os.environ, PYTHONPATH=f"{ROOT}{os.pathsep}{folder}", PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", start + (folder / "main.py").read_text()], cwd=folder, env=known)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("script", "models", "form"),
    [(EVALUATED, MODELS, "steps"), (IMPORTED, MODELS, "steps"), (EVALUATED, EARLY, None)],
    ids=["evaluated", "imported", "builds at once"],
)
def test_prints_what_tensorflow_1_printed(script: str, models: str, form: str | None, tmp_path: Path) -> None:
    outcome = migrated({"main.py": script, "net/solver.py": SOLVER, "net/models.py": models}, tmp_path)
    assert {site.form for site in outcome.report.sites} == {form}
    assert ("open_graph" in (tmp_path / "main.py").read_text()) is (form is None)
    assert printed_by(tmp_path) == PRINTED


def test_the_reason_names_the_function_that_builds(tmp_path: Path) -> None:
    outcome = migrated({"main.py": EVALUATED, "net/solver.py": SOLVER, "net/models.py": EARLY}, tmp_path)
    reasons = {reason.code: reason for reason in outcome.report.sites[-1].reasons}
    assert "`__init__` of net/models.py builds" in reasons["callee-unknown"].message
    assert (reasons["callee-unknown"].path, reasons["callee-unknown"].line) == ("main.py", 6)


def test_a_graph_that_another_module_opens_keeps_a_program_out_of_steps(tmp_path: Path) -> None:
    main = "from net.models import Linear\nfrom net.solver import Solver\n\nSolver(Linear(4), 0.1).solve()\n"
    files = {"main.py": main, "net/solver.py": SOLVER, "net/models.py": MODELS}
    assert {site.form for site in migrated(files, tmp_path / "alone").report.sites} == {"steps"}
    outcome = migrated({**files, "test_net.py": LOOKED_AT}, tmp_path / "tested")
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert {
        reason.path for site in outcome.report.sites for reason in site.reasons if reason.code == "opened-outside"
    } == {"test_net.py"}
    assert printed_by(tmp_path / "tested") == PRINTED


@pytest.mark.parametrize(
    ("files", "printed"),
    [
        (
            {"main.py": OF_A_PACKAGE, "nets/__init__.py": "", "nets/line.py": LINE, "nets/bend.py": BEND},
            "2.42813\n2.34290\n2.25890\n|x + 0.54986|\n",
        ),
        ({"main.py": BY_A_FUNCTION, "line.py": LINE, "bend.py": BEND}, "2.57100\n0.80000 * x + 0.29999\n"),
    ],
    ids=["of a package", "by a function"],
)
def test_graphs_of_modules_that_a_text_names(files: dict[str, str], printed: str, tmp_path: Path) -> None:
    migrated(files, tmp_path)
    assert printed_by(tmp_path) == printed


def test_a_module_that_only_gives_names_keeps_them(tmp_path: Path) -> None:
    """Nobody in the tree imports it: who does is not known."""
    migrated({"line.py": LINE}, tmp_path)
    text = (tmp_path / "line.py").read_text()
    assert all(f"{name} = " in text for name in ("x", "y", "a", "b", "fx", "error", "learn"))
