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

MADE_WHEN_NEEDED = """\
import tensorflow as tf


class Coder(object):
    def __init__(self, session=None):
        self._sess = session or tf.Session()
        self._raw = tf.placeholder(tf.int32, [])
        self._twice = self._raw * 2

    def code(self, n):
        return self._sess.run(self._twice, {self._raw: n})


class Runtime(object):
    _session = None

    @classmethod
    def session(cls):
        if cls._session is None:
            cls._session = tf.Session()
        return cls._session


def items(argv):
    for n in (int(a) for a in argv):
        yield n


total = tf.Variable(0, name="total")
amount = tf.placeholder(tf.int32, [])
add = tf.assign_add(total, amount)
coder = None
for n in items(["3", "4"]):
    if coder is None:
        coder = Coder(Runtime.session())
        Runtime.session().run(tf.global_variables_initializer())
    print(Runtime.session().run(add, {amount: coder.code(n)}))
"""

MADE_IN_THE_CALL = """\
import tensorflow as tf


def make_session():
    print("session")
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)


def train(sess, op, steps=2):
    for _ in range(steps):
        print(sess.run(op))


def again(op, sess=None):
    print(sess.run(op))


total = tf.Variable(1.0)
op = total.assign_add(2.0)
train(make_session(), tf.constant(3.0))
s = make_session()
s.run(tf.global_variables_initializer())
train(s, op, steps=1)
again(op, sess=s)
"""

ASKED_FOR = """\
import tensorflow as tf


class Env:
    def __init__(self, session=None, name="env"):
        self.own = session is None
        self.session = session if session is not None else tf.Session()
        self.name = name

    def value(self, t):
        return self.session.run(t)

    def close(self):
        if self.own:
            self.session.close()


def opened():
    return tf.Session()


x = tf.constant(4)
e = Env(opened(), name="a")
print(e.value(x), e.own, e.name)
e.close()
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


@pytest.mark.parametrize("program", [MADE_WHEN_NEEDED, MADE_IN_THE_CALL], ids=["when needed", "in the call"])
def test_what_a_function_made_is_handed_on(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)


def test_a_test_asks_whether_a_function_made_one(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(ASKED_FOR, tmp_path)
    assert "session-given" in {reason.code for site in outcome.report.sites for reason in site.reasons}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(ASKED_FOR)
