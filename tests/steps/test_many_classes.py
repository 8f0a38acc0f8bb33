"""One name that holds objects of many classes: all are seen, or the program stays on the bridge."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.report.model import Report

LEGACY = {"PATH": os.environ["PATH"], "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore"}
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

CLASS = """
class Model{number}(object):
    def __init__(self, sess):
        self.sess = sess

    def build_network(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable({number}.5)
        self.out = self.w * self.x

    def execute(self, mean):
        self.out += mean
        self.loss = tf.reduce_sum(tf.square(self.out - 1.0))
        self.optimizer = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
        self.sess.run(tf.global_variables_initializer())
        for _ in range(2):
            _, loss = self.sess.run([self.optimizer, self.loss], feed_dict={{self.x: [1.0, 2.0]}})
            print("%.5f" % loss)

    def save(self, path):
        saver = tf.train.Saver()
        print(saver.save(self.sess, path))
"""


def chosen(count: int, wanted: int) -> str:
    """A script that makes an object of one of many classes, as one of many conditions says."""
    lines = ["import sys", "import tensorflow as tf", *(CLASS.format(number=number) for number in range(count)), ""]
    lines += ["with tf.Session() as sess:", f"    kind = str(len(sys.argv) + {wanted - 1})", "    model = None"]
    for number in range(count):
        lines += [f"    if kind == '{number}':", f"        model = Model{number}(sess)"]
    lines += ["    if model is not None:", "        if kind in ('1', '2'):", "            model.build_network()"]
    lines += ["            model.execute(0.25)", "        else:", "            model.build_network()"]
    lines += ["            model.execute(0.5)"]
    return "\n".join([*lines, ""])


def registered(count: int, wanted: int) -> str:
    """Functions of a dictionary, each of which builds a net, looked up by a text that nobody knows."""
    lines = ["import os", "import tensorflow as tf", "", "NETS = {}", ""]
    for number in range(count):
        lines += [
            f"def net{number}(x):",
            f"    w = tf.get_variable('w', [], initializer=tf.constant_initializer({number}.25))",
        ]
        lines += ["    return tf.nn.relu(x * w)", "", f"NETS['{number}'] = net{number}", ""]
    lines += [f"name = os.environ.get('NET_OF_THIS_TEST', '{wanted}')", "x = tf.placeholder(tf.float32, [None])"]
    lines += ["out = NETS[name](x)", "sess = tf.Session()", "sess.run(tf.global_variables_initializer())"]
    lines += ["for number in range(3):", "    print(sess.run(out, {x: [float(number)]}).tolist())"]
    return "\n".join([*lines, ""])


def migrated(program: str, folder: Path) -> tuple[Report, str]:
    """What becomes of a script."""
    (folder / "main.py").write_text(program)
    options = Options(paths=(folder,), root=folder)
    outcome = pipeline.run(discover(options).code, options)
    return outcome.report, outcome.contents["main.py"].decode()


@pytest.mark.parametrize("program", [chosen(9, 7), chosen(11, 1), registered(12, 11)])
def test_many_are_seen(program: str, tmp_path: Path, legacy_python: Path) -> None:
    report, text = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in report.sites} <= {("native", "steps"), ("dynamic", "steps")}
    assert "sess" not in text
    before = subprocess.run(
        [str(legacy_python), "-c", program], cwd=tmp_path, env=LEGACY, capture_output=True, text=True, check=False
    )
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    after = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    numbers = [[float(number) for number in NUMBER.findall(done.stdout)] for done in (after, before)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-5), after.stderr
    assert len(numbers[0]) > 1


BUILT = """
class Model{number}(object):
    def build_network(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.out = tf.reduce_sum(self.x) * {number}.5
"""


def test_what_builds_unseen_is_no_step(tmp_path: Path) -> None:
    lines = ["import sys", "import tensorflow as tf", *(BUILT.format(number=number) for number in range(60))]
    lines += ["", "kind, model = len(sys.argv), None"]
    for number in range(60):
        lines += [f"if kind == {number}:", f"    model = Model{number}()"]
    lines += ["model.build_network()", "with tf.Session() as sess:", "    print(sess.run(model.out, {model.x: [2.0]}))"]
    report, text = migrated("\n".join([*lines, ""]), tmp_path)
    assert {site.tier for site in report.sites} == {"bridge"}
    assert {"callee-unknown"} <= {reason.code for site in report.sites for reason in site.reasons}
    assert "compat.Session" in text


TABLE = """\
import tensorflow as tf

m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
functions = {{{entries}}}
with tf.Session() as sess:
    for name in sorted(functions):
        print(sess.run(functions[name]()))
"""
PICKED = """\
import sys
import tensorflow as tf


class Losses(object):
    def __init__(self, x):
        self.x = x
        self.kinds = [{entries}]

    def at(self, number):
        make = self.kinds[number]
        return make()


x = tf.placeholder(tf.float32, [2])
losses = Losses(x)
with tf.Session() as sess:
    for number in range(len(losses.kinds)):
        print(sess.run(losses.at(number), {{x: [1.0, 2.0]}}))
"""


@pytest.mark.parametrize(
    ("program", "entry"),
    [(TABLE, "'{0}': lambda: tf.reduce_sum(m * {0}.5)"), (PICKED, "lambda: tf.square(self.x) * {0}.5")],
)
@pytest.mark.parametrize(("count", "tiers"), [(3, {"native", "dynamic"}), (60, {"bridge"})])
def test_functions_of_a_table(
    program: str, entry: str, count: int, tiers: set[str], tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    script = program.format(entries=", ".join(entry.format(number) for number in range(count)))
    report, text = migrated(script, tmp_path)
    assert {site.tier for site in report.sites} <= tiers
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    after = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert after.stdout == run_legacy(script), after.stderr


def test_methods_that_nobody_calls_lose_the_session_too(tmp_path: Path) -> None:
    _, text = migrated(chosen(2, 1), tmp_path)
    assert text.count("saver.save(path)") == 2
