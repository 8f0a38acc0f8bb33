"""Modules that others import: native where no other module of the program has to do with TensorFlow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, rewritten
from tf_migrate import pipeline

MODEL = '''import numpy as np
import tensorflow as tf


class Line:
    """A line through data, with a session of its own."""

    def __init__(self, size, rate=0.1):
        self.size = size
        self._build()
        self.train_op = tf.train.GradientDescentOptimizer(rate).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def _build(self):
        self.x = tf.placeholder(tf.float32, [None, self.size])
        self.y = tf.placeholder(tf.float32, [None])
        weights = tf.Variable(tf.ones([self.size, 1]), name="weights")
        self.value = tf.squeeze(tf.matmul(self.x, weights), axis=1)
        self.loss = tf.reduce_mean(tf.square(self.value - self.y))

    def learn(self, x, y):
        _, loss = self.sess.run([self.train_op, self.loss], {self.x: x, self.y: y})
        return loss

    def predict(self, x):
        return self.sess.run(self.value, {self.x: x})
'''
USE = """import numpy as np
from model import Line


def train(line, times):
    for _ in range(times):
        print("%.4f" % line.learn(np.ones([2, line.size]), [0.5, 1.0]))


line, other = Line(2), Line(1, rate=0.2)
train(line, 2)
train(other, 1)
print(["%.4f" % value for value in line.predict([[1.0, 2.0]])])
"""
# What TensorFlow 1.15.5 prints.
PRINTED = "1.6250\n0.6250\n0.1250\n['1.8000']\n"


def _rewritten(folder: Path, model: str = MODEL, use: str = USE, **others: str) -> pipeline.Outcome:
    """The tree of two modules, and others, rewritten where it lies."""
    return rewritten(folder, {f"{name}.py": text for name, text in {"model": model, "use": use, **others}.items()})


def test_a_class_that_a_module_without_tensorflow_uses(tmp_path: Path) -> None:
    outcome = _rewritten(tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}, [site.reason for site in outcome.report.sites]
    assert set(outcome.contents) == {"model.py"}
    assert "sess." not in (tmp_path / "model.py").read_text()
    assert printed(tmp_path, "use.py") == PRINTED


def test_what_was_rewritten_stays_as_it_is(tmp_path: Path) -> None:
    _rewritten(tmp_path)
    model, use = ((tmp_path / name).read_text() for name in ("model.py", "use.py"))
    assert not _rewritten(tmp_path, model, use).contents


def test_a_graph_that_a_module_builds_for_others(tmp_path: Path) -> None:
    model = "import tensorflow as tf\n\nx = tf.placeholder(tf.float32, [])\ny = tf.square(x)\nsess = tf.Session()\n\n\n"
    model += "def square(value):\n    return sess.run(y, {x: value})\n"
    outcome = _rewritten(tmp_path, model, "import model\n\nprint(model.square(3.0))\n")
    assert set(outcome.contents) == {"model.py"}
    assert printed(tmp_path, "use.py") == "9.0\n"


TOGETHER = "do not become native together"
REFUSED = {
    "a session that others use": ({"use": USE + "line.sess.close()\n"}, "`line.sess`, a part of the graph"),
    "a session that a module with TensorFlow uses": (
        {"use": "import tensorflow as tf\n" + USE + "line.sess.close()\n"},
        TOGETHER,
    ),
    "a tensor that others use": ({"use": USE + "print(line.sess.run(line.loss))\n"}, TOGETHER),
    "attributes by name": ({"use": USE + "print(getattr(line, 'los' + 's'))\n"}, TOGETHER),
    "a class that others derive from": (
        {"use": USE.replace("line, other =", "class Mine(Line):\n    pass\n\n\nline, other =")},
        TOGETHER,
    ),
    "a method that others replace": ({"use": USE + "Line._build = None\n"}, TOGETHER),
    "two scripts with TensorFlow, one of which reaches into an object": (
        {"use": "import tensorflow as tf\n" + USE, "other": "import tensorflow as tf\n" + USE + "line.sess.close()\n"},
        TOGETHER,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    files, reason = REFUSED[name]
    outcome = _rewritten(tmp_path, **files)
    sites = [site for site in outcome.report.sites if site.path == "model.py"]
    assert {site.tier for site in sites} == {"bridge"}
    assert any(reason in (site.reason or "") for site in sites), [site.reason for site in sites]
    assert "open_graph" in (tmp_path / "use.py").read_text()
