"""Programs that have their graph profiled: that is left to do by hand, and what they run becomes steps all the same."""

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

OF_A_SESSION = """\
import sys
import numpy as np
import tensorflow as tf


def sizes(graph):
    operations = tf.profiler.ProfileOptionBuilder.float_operation()
    flops = tf.profiler.profile(graph, options=operations)
    variables = tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()
    params = tf.profiler.profile(graph, options=variables)
    print(flops.total_float_ops, params.total_parameters)


def main(options):
    x = tf.placeholder(tf.float32, [1, 4])
    y = tf.layers.dense(x, 3, kernel_initializer=tf.ones_initializer(), name="y")
    with tf.Session() as sess:
        if "--sizes" in options:
            sizes(sess.graph)
        sess.run(tf.global_variables_initializer())
        print(sess.run(y, {x: np.ones((1, 4))}).tolist())


main(sys.argv[1:])
"""
WHILE_BUILT = """\
import os
import tensorflow as tf


class Net(object):
    def __init__(self, graph):
        self.graph = graph
        self.x = tf.placeholder(tf.float32, [2])
        self.w = tf.get_variable("w", [2], initializer=tf.constant_initializer(0.5))
        self.y = tf.reduce_sum(self.w * self.x)
        if os.environ.get("ANALYZE"):
            analyzer = tf.contrib.tfprof.model_analyzer
            kinds = analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS
            found = analyzer.print_model_analysis(tf.get_default_graph(), tfprof_options=kinds)
            print("parameters", found.total_parameters)
        self.sess = tf.Session(graph=graph)
        self.sess.run(tf.global_variables_initializer())

    def at(self, *x):
        return "%g" % self.sess.run(self.y, feed_dict={self.x: x})


graph = tf.Graph()
with graph.as_default():
    net = Net(graph)
print(net.at(1.0, 2.0), net.at(0.0, 4.0))
"""


@pytest.mark.parametrize("program", [OF_A_SESSION, WHILE_BUILT], ids=["of a session", "while built"])
def test_runs_become_steps(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    manual = {each.symbol for each in outcome.report.findings if each.action == "manual"}
    assert any("prof" in str(symbol) for symbol in manual)
    text = outcome.contents["main.py"].decode()
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.stdout, done.returncode) == (run_legacy(program), 0), done.stderr


TRACED = """\
import tensorflow as tf

y = tf.constant(1.0) + 1.0
with tf.contrib.tfprof.ProfileContext("profiles") as context:
    with tf.Session() as sess:
        print(sess.run(y))
"""


def test_what_watches_runs_keeps_them_on_the_bridge(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(TRACED)
    options = Options(paths=(tmp_path,), root=tmp_path)
    (site,) = pipeline.run(discover(options).code, options).report.sites
    assert site.tier == "bridge"
    assert "profiles" in {reason.code for reason in site.reasons}
