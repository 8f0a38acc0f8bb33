"""Sessions that functions take with the rest of their arguments: by `*args` and `**kwargs`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

TRAINING = """\
import numpy as np
import tensorflow as tf


def train(**keywords):
    tensors = keywords["tensors"]
    for i in range(keywords["epochs"]):
        loss, _ = keywords["sess"].run([keywords["tensors"]["loss"], tensors["train"]],
                                       feed_dict={keywords["tensors"]["x"]: np.ones([2, 3]) * i})
        print("%.5f" % loss)
    print(tf.train.global_step(keywords["sess"], keywords["tensors"]["step"]))
    keywords["saver"].save(keywords["sess"], keywords["folder"] + "/model", global_step=3)
"""

WITH_KEYWORDS = """\
import tempfile
import tensorflow as tf
import evaluation

graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(2)
    x = tf.placeholder(tf.float32, [None, 3])
    step = tf.Variable(0, trainable=False, name="step")
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - 1.0))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    tensors = dict(zip(["x", "loss", "train", "step"], [x, loss, train, step]))
    sess = tf.Session(graph=graph)
    with sess.as_default():
        saver = tf.train.Saver(max_to_keep=2)
        sess.run(tf.global_variables_initializer())
        evaluation.train(sess=sess, saver=saver, tensors=tensors, epochs=3, folder=tempfile.mkdtemp())
"""

IN_ROWS = """\
import tensorflow as tf


class Runner(object):
    def __init__(self, *args, **kwargs):
        self.sess = kwargs.get("session")
        self.options = kwargs
        self.model = args[0]

    def go(self, value, *parts):
        return [self.sess.run(part, {self.model["x"]: value}) for part in parts]


def report(*things):
    sess, model = things
    return sess.run(model["w"])


def build():
    x = tf.placeholder(tf.float32, [])
    w = tf.Variable(3.0)
    return {"x": x, "w": w, "y": x * w, "up": tf.assign_add(w, x)}


model = build()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    runner = Runner(model, session=sess, name="first")
    print(runner.go(2.0, model["y"], model["up"]), sorted(runner.options)[0])
    print(report(sess, model))
"""

TAKEN_OUT = """\
import tensorflow as tf


class Base(object):
    def __init__(self, name, scale=1.0):
        self.name, self.scale = name, scale


class Runner(Base):
    def __init__(self, model, **kwargs):
        self.session = kwargs.pop("session", None)
        self.model = model
        super(Runner, self).__init__(**kwargs)
        if self.session is None:
            self.session = tf.Session()
            self.session.run(tf.global_variables_initializer())

    def go(self, value):
        return self.session.run(self.model["y"], {self.model["x"]: value}) * self.scale


x = tf.placeholder(tf.float32, [])
w = tf.Variable(3.0)
model = {"x": x, "y": x * w}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    runner = Runner(model, session=sess, name="first", scale=2.0)
    print(runner.go(2.0), runner.name)
"""


def test_keywords_of_another_module(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    files = {"main.py": WITH_KEYWORDS, "evaluation.py": TRAINING}
    (tmp_path / "old").mkdir()
    outcome = migrated(files, tmp_path / "old")
    assert {site.tier for site in outcome.report.sites} == {"native"}
    for path, content in outcome.contents.items():
        (tmp_path / path).write_bytes(content)
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(WITH_KEYWORDS, cwd=tmp_path / "old")


@pytest.mark.parametrize("program", [IN_ROWS, TAKEN_OUT], ids=["in rows", "taken out"])
def test_rows_and_dictionaries_of_arguments(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert "bridge" not in {site.tier for site in outcome.report.sites}
    text = outcome.contents["main.py"].decode()
    assert "Session" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
