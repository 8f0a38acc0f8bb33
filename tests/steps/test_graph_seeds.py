"""Programs whose random numbers depend on the whole graph are not sliced."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.names.drawing import SEEDS
from tf_migrate.options import Options
from tf_migrate.report.model import Site
from tf_migrate.semantics.effects import effect

PROGRAM = """\
import tensorflow as tf
tf.set_random_seed(4)
x = tf.placeholder(tf.float32, [None])
w = {weights}
loss = tf.reduce_mean(tf.square(x * w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run([loss, train], {{x: [1.0]}}))
{rest}
"""


def site(folder: Path, weights: str, rest: str = "") -> Site:
    """The run that trains."""
    (folder / "train.py").write_text(PROGRAM.format(weights=weights, rest=rest))
    done = pipeline.run([TreeFile(folder / "train.py", "train.py")], Options(paths=[]))
    return next(each for each in done.report.sites if each.line == 9)


@pytest.mark.parametrize(
    "weights",
    [
        "tf.get_variable('w', [])",
        "tf.Variable(tf.random_normal([]))",
        "tf.get_variable('w', [], initializer=tf.truncated_normal_initializer())",
    ],
)
def test_draws_under_the_seed_of_the_graph_keep_the_graph(weights: str, tmp_path: Path) -> None:
    found = site(tmp_path, weights)
    assert (found.tier, found.form) == ("native", "steps")


@pytest.mark.parametrize("weights", ["tf.Variable(2.0)", "tf.Variable(tf.random_normal([], seed=3))"])
def test_other_programs_are_sliced(weights: str, tmp_path: Path) -> None:
    found = site(tmp_path, weights)
    assert (found.tier, found.form) == ("native", "sliced")


def test_what_cannot_be_steps_goes_to_the_bridge_and_says_why(tmp_path: Path) -> None:
    found = site(tmp_path, "tf.get_variable('w', [])", "exec('x = 1')")
    assert found.tier == "bridge"
    assert [reason.code for reason in found.reasons] == ["graph-seed", "names-unseen"]


# What it prints is what TensorFlow 1.15.5 printed: each graph has the seed that was set for it, or none.
SEVERAL_GRAPHS = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.n = tf.random_uniform([], seed=11)
        self.w = tf.get_variable("w", [2], initializer=tf.random_normal_initializer(seed=2))
        self.x = tf.placeholder(tf.float32, [])
        self.y = self.n * self.x
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def go(self, x):
        return self.sess.run(self.y, {self.x: x})


def main():
    tf.set_random_seed(7)
    net = Net()
    print("%.5f" % net.go(2.0), net.sess.run(net.w))
    tf.reset_default_graph()
    net = Net()
    print("%.5f" % net.go(2.0), net.sess.run(net.w))
    tf.set_random_seed(5)
    with tf.Graph().as_default():
        net = Net()
        print("%.5f" % net.go(2.0), net.sess.run(net.w))
    with tf.Graph().as_default():
        tf.set_random_seed(9)
        net = Net()
        print("%.5f" % net.go(2.0), net.sess.run(net.w))


main()
"""
PRINTED = """\
0.04637 [-1.4716817  -0.61645555]
0.17910 [-0.85811085 -0.19662298]
0.17910 [-0.85811085 -0.19662298]
0.21420 [-1.6949148  1.5894053]
"""


def test_a_seed_is_that_of_one_graph(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(SEVERAL_GRAPHS)
    done = pipeline.run([TreeFile(tmp_path / "main.py", "main.py")], Options(paths=[]))
    assert {(each.tier, each.form) for each in done.report.sites} == {("native", "steps")}
    text = done.contents["main.py"].decode()
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    ran = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert ran.returncode == 0, ran.stderr
    said = [float(part.strip("[]")) for part in ran.stdout.replace("[", " ").split()]
    assert said == pytest.approx([float(part.strip("[]")) for part in PRINTED.replace("[", " ").split()], abs=2e-5)
    assert len(said) == 12


# A statement that goes made an operation, and the graph grows behind it: what it prints is TensorFlow 1.15.5's.
GROWN = """\
import tensorflow as tf
tf.set_random_seed(3)
w = tf.get_variable("w", [2], initializer=tf.random_normal_initializer())
sess = tf.Session()
sess.run(tf.global_variables_initializer())
z = tf.random_normal([2]) + w
print("%.5f %.5f" % tuple(sess.run(z)))
"""

# The same where an object makes it, and its initializer before the session.
GROWN_BY_A_METHOD = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        tf.set_random_seed(3)
        self.w = tf.get_variable("w", [2], initializer=tf.random_normal_initializer())
        init = tf.global_variables_initializer()
        self.sess = tf.Session()
        self.sess.run(init)

    def noisy(self):
        return self.sess.run(tf.random_normal([2]) + self.w)


print("%.5f %.5f" % tuple(Net().noisy()))
"""

# What the run feeds is built in its statement, for nothing.
GROWN_WITH_WHAT_IS_FED = GROWN.replace("_initializer())\nz", "_initializer(), {tf.placeholder(tf.float32): 1.0})\nz")


@pytest.mark.parametrize(
    ("program", "tier", "printed"),
    [
        (GROWN, "native", "-2.76163 0.24024\n"),
        (GROWN_BY_A_METHOD, "native", "-2.76163 0.24024\n"),
        (GROWN_WITH_WHAT_IS_FED, "native", "-1.55798 -1.21462\n"),
    ],
    ids=["in the run's statement", "before it", "in what it feeds"],
)
def test_an_operation_of_a_run_that_goes_counts_for_what_is_drawn_behind(
    program: str, tier: str, printed: str, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text(program)
    outcome = pipeline.run([TreeFile(tmp_path / "train.py", "train.py")], Options(paths=[]))
    assert outcome.report.sites[-1].tier == tier
    known = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    migrated = outcome.contents["train.py"].decode()
    done = warm.run([sys.executable, "-c", migrated], cwd=tmp_path, env=known)
    assert done.stdout == printed, done.stderr


def test_what_gives_a_seed_stands_in_the_table_of_effects() -> None:
    assert {symbol for symbol in SEEDS if effect(symbol).name == "seed"} == SEEDS
