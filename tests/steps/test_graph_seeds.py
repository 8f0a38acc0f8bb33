"""Programs whose random numbers depend on the whole graph are not sliced."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.report.model import Site

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
