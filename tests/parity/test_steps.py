"""Programs in the form of steps: each call is compared with the run whose place it took."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.parity.test_command import run, trees

pytestmark = pytest.mark.usefixtures("as_v1_graph")

# A seed of the graph, and fetches that the command line names: no function can be sliced out of it.
PROGRAM = """\
import sys
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", [3], initializer=tf.random_normal_initializer(),
                    regularizer=lambda v: 0.01 * tf.reduce_sum(v * v))
loss = tf.reduce_sum(tf.square(x * w + tf.random_normal([3])))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
shown = {"loss": loss, "twice": 2.0 * w}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        _, value = sess.run([train, loss], {x: [1.0, 2.0, float(i)]})
        print("loss %.3f" % value)
    print("again", sess.run([shown[name] for name in sys.argv[1:]], {x: [1.0, 1.0, 1.0]}))
    tf.global_variables_initializer().run()
    print("w", sess.run(w))
"""
LINE = "x * w + tf.random_normal([3])"


@pytest.fixture
def program(tmp_path: Path) -> tuple[Path, Path]:
    """The original and the tool's own rewriting of it."""
    found = trees(tmp_path, PROGRAM)
    text = (found[1] / "train.py").read_text()
    assert "compat.step(" in text and "compat.run(" in text, text
    return found


def test_steps_and_runs_agree(program: tuple[Path, Path], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    status, output = run(*program, "--gradients", "--verbose", "--report", report, "--", "train.py", "twice")
    assert status == 0 and "train.py on cpu: parity" in output and "run sites: 1 dynamic, 2 native" in output, output
    (result,) = json.loads(report.read_text())["results"]
    names = {(item["kind"], item["name"]) for item in result["comparisons"]}
    assert ("gradient", "train.py:13 gradient of w") in names
    assert any(kind == "regularization loss" for kind, _ in names)
    assert ("run", "train.py:15") in names


def test_a_number_that_changed_is_found(program: tuple[Path, Path]) -> None:
    file = program[1] / "train.py"
    text = file.read_text()
    (line,) = [line for line in text.splitlines() if "loss = tf.reduce_sum" in line]
    file.write_text(text.replace(line, line.replace("x * w", "x * w * 1.01")))
    status, output = run(*program, "--bisect", "--", "train.py", "loss")
    assert status == 1 and "the run of train.py:13 is the first to differ in run 1" in output, output
    assert "the difference begins in run 1 at" in output, output


# What a second session holds: the first trains, the second gives the variable no value, or one of its own.
SESSIONS = """\
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", [3], initializer=tf.random_normal_initializer())
loss = tf.reduce_sum(tf.square(x * w + tf.random_normal([3])))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        print(sess.run([train, loss], {x: [1.0, 2.0, float(i)]})[1])
with tf.Session() as sess:
    second
    print(sess.run(tf.sigmoid([1.0, 2.0])))
"""


@pytest.mark.parametrize("second", ["pass", "sess.run(tf.global_variables_initializer())"])
def test_variables_end_with_the_last_session_that_gave_them_a_value(tmp_path: Path, second: str) -> None:
    both = trees(tmp_path, SESSIONS.replace("second", second))
    assert "compat.restart()" in (both[1] / "train.py").read_text()
    report = tmp_path / "report.json"
    status, output = run(*both, "--report", report, "--", "train.py")
    assert status == 0 and "train.py on cpu: parity" in output, output
    (result,) = json.loads(report.read_text())["results"]
    assert ("final value", "w") in {(item["kind"], item["name"]) for item in result["comparisons"]}


def test_a_number_that_changed_before_another_session_is_found(tmp_path: Path) -> None:
    both = trees(tmp_path, SESSIONS.replace("second", "pass"))
    file = both[1] / "train.py"
    file.write_text(file.read_text().replace("compat.restart()", "w.assign_add([0.0, 0.0, 1.0])\ncompat.restart()"))
    status, output = run(*both, "--", "train.py")
    assert status == 1 and "final value of w is the first to differ" in output, output


def test_values_that_nobody_takes_are_not_missed(tmp_path: Path) -> None:
    text = PROGRAM.replace("train = tf", "raised = tf.assign_add(w, [0.5, 0.0, 0.25])\ntrain = tf")
    text = text.replace('    print("again', '    for _ in range(3):\n        sess.run(raised)\n    print("again')
    both = trees(tmp_path, text)
    assert "compat.step(updates=[raised])" in (both[1] / "train.py").read_text()
    status, output = run(*both, "--", "train.py", "twice")
    assert status == 0 and "train.py on cpu: parity" in output and "runs 8 and 8" in output, output
