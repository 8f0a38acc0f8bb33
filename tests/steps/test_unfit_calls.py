"""Scripts that a module has left behind: they call its functions with arguments that these do not take any more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

NETWORK = """\
import numpy as np
import tensorflow as tf


class Network(object):
    def build(self, mode, classes, tag=None):
        self.mode, self.tag = mode, tag
        self.x = tf.placeholder(tf.float32, [None, 2])
        start = np.arange(2.0 * classes).reshape(2, classes)
        self.scores = tf.layers.dense(self.x, classes, kernel_initializer=tf.constant_initializer(start), name=tag)
        if mode == "TRAIN":
            self.cost = tf.reduce_sum(tf.square(self.scores))
        return {"scores": self.scores, "mode": mode.lower()}

    def test(self, sess, rows):
        return sess.run(self.scores, {self.x: rows})
"""

MAIN = """\
import tensorflow as tf

from network import Network

net = Network()
layers = net.build("TEST", 3, tag="dense")
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(layers["mode"], net.mode.upper(), net.test(sess, [[1.0, 2.0]]).tolist())
"""

# The session was an argument once; the tag is given twice now.
CONVERT = """\
import tensorflow as tf

from network import Network


def convert(net, folder):
    sess = tf.Session()
    with sess.graph.as_default():
        layers = net.build(sess, "TRAIN", 3, tag="default")
        saver = tf.train.Saver()
        saver.restore(sess, folder)


if __name__ == "__main__":
    try:
        convert(Network(), "none")
    except TypeError as error:
        print("raised")
"""

# One that gives too much, and one that leaves something out.
OLDER = """\
import tensorflow as tf

import network

with tf.Session() as session:
    try:
        network.Network().build(session, "TRAIN", 2, "tag", 1.0)
    except TypeError:
        print("too many")
    net = network.Network()
    try:
        net.build(session)
    except TypeError:
        print("too few")
    net.build("TEST", 2)
    session.run(tf.global_variables_initializer())
    print(net.test(session, [[1.0, 2.0], [3.0, 4.0]]).tolist())
"""


@pytest.mark.parametrize("script", [CONVERT, OLDER], ids=["given twice", "too many, too few"])
def test_calls_that_only_raise(script: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "before").mkdir()
    (tmp_path / "before" / "network.py").write_text(NETWORK)
    (tmp_path / "after").mkdir()
    files = {"network.py": NETWORK, "main.py": MAIN, "script.py": script}
    outcome = migrated(files, tmp_path / "after")
    assert {site.tier for site in outcome.report.sites} == {"native"}
    for name, content in outcome.contents.items():
        (tmp_path / "after" / name).write_bytes(content)
    start = f"import sys\nsys.path.insert(0, {str(tmp_path / 'before')!r})\n"
    for name in ("main.py", "script.py"):
        text = outcome.contents[name].decode()
        assert said_by(text, tmp_path / "after") == run_legacy(start + files[name])


# A decorator gives what the call leaves out.
SCOPED = """\
import tensorflow as tf

slim = tf.contrib.slim


@slim.add_arg_scope
def unit(x, scale, shift=0.0):
    return x * scale + shift


x = tf.placeholder(tf.float32, [None])
with slim.arg_scope([unit], scale=3.0):
    y = unit(x, shift=1.0)
with tf.Session() as sess:
    print(sess.run(y, {x: [1.0, 2.0]}).tolist())
"""


def test_decorators_may_give_arguments(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(SCOPED, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(SCOPED)
