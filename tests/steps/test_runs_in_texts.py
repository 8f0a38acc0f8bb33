"""Runs in f-strings stay on their lines, however long these become."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

OF_AN_OBJECT = """\
import tensorflow as tf

tf.set_random_seed(4)


class Net:
    def __init__(self, n):
        self.x = tf.placeholder(tf.float32, [n], name="x")
        self.noise = tf.random_uniform([n])
        self.mean, self.var = tf.nn.moments(self.x + self.noise, [0])
        self.sess = tf.Session()

    def describe(self, rows):
        return f'{len(rows)} rows: mean={self.sess.run(self.mean, {self.x: rows}):.4f}, ' \\
               f'var={self.sess.run(self.var, feed_dict={self.x: rows}):.4f} ' \\
               f'{"spread" if self.sess.run(self.var > 1.0 + 0.0 * self.mean, {self.x: rows}) else "flat"}'

    def table(self, *many):
        return f\"\"\"
| mean | var |
{"".join(f"| {m:.2f} | {v:.2f} |" for m, v in [self.sess.run([self.mean, self.var], {self.x: r}) for r in many])}
\"\"\"


net = Net(2)
print(net.describe([1.0, 5.0]))
print(net.table([1.0, 2.0], [3.0, 5.0]))
"""
OF_MANY_INPUTS = """\
import tensorflow as tf

tf.set_random_seed(2)
rate = tf.placeholder(tf.float32, [], "rate")
examples = tf.placeholder(tf.float32, [None], "examples")
weight = tf.get_variable("weight", [])
scaled = weight * examples * rate


def turn(sess, number, rows):
    print(f"turn {number}: {sess.run(tf.reduce_sum(tf.square(scaled)), {examples: rows, rate: 0.5}):.4f}")
    assert rows, f"nothing: {sess.run(tf.reduce_sum(tf.square(scaled)), {examples: rows, rate: 1.0})}"


with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for number in range(2):
        turn(sess, number, [1.0, 2.0])
"""


@pytest.mark.parametrize("program", [OF_AN_OBJECT, OF_MANY_INPUTS], ids=["of an object", "of many inputs"])
def test_the_same_lines(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    text = outcome.contents["main.py"].decode()
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.stdout, done.returncode) == (run_legacy(program), 0), done.stderr
