"""Programs that put functions of their own in the place of TensorFlow's names, by a text or by an assignment."""

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

BY_MOCK = """\
import tensorflow as tf
from unittest import mock

real = tf.placeholder
names = []


def spy(dtype, shape=None, name=None):
    names.append(name)
    return real(dtype, shape, name)


with mock.patch.object(tf, "placeholder", side_effect=spy):
    x = tf.placeholder(tf.float32, [2], name="x")
y = x * 2.0
with tf.Session() as sess:
    print(names, sess.run(y, {x: [1.0, 2.0]}))
"""
BY_ASSIGNMENT = """\
import tensorflow as tf

real = tf.placeholder


def counted(*args, **kwargs):
    counted.calls = getattr(counted, "calls", 0) + 1
    return real(*args, **kwargs)


tf.placeholder = counted


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.scale = tf.placeholder(tf.float32, [])
        self.y = self.x * self.scale


net = Net()
sess = tf.Session()
print(counted.calls, sess.run(net.y, {net.x: [1.0, 2.0], net.scale: 3.0}))
"""
SESSIONS = """\
import tensorflow as tf


class Loud(tf.Session):
    def run(self, fetches, feed_dict=None, **kwargs):
        print("runs", fetches.name)
        return super(Loud, self).run(fetches, feed_dict, **kwargs)


tf.Session = Loud
x = tf.placeholder(tf.float32, [2], name="x")
y = tf.multiply(x, 2.0, name="y")
with tf.Session() as sess:
    print(sess.run(y, {x: [1.0, 2.0]}))
"""
LAYERS = """\
import tensorflow as tf

made = []
tf.layers.plain_dense = tf.layers.dense


def noted(*args, **kwargs):
    made.append(kwargs["name"])
    return tf.layers.plain_dense(*args, **kwargs)


tf.layers.dense = noted
tf.nn.doubled = lambda t: t * 2.0
x = tf.placeholder(tf.float32, [None, 2])
y = tf.nn.doubled(tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer(), name="only"))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(made, sess.run(y, {x: [[1.0, 2.0]]}))
"""


@pytest.mark.parametrize("code", [BY_MOCK, BY_ASSIGNMENT, SESSIONS, LAYERS])
@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_what_is_in_their_place_is_called(code: str, tier: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    (tmp_path / "main.py").write_text(code)
    options = Options(paths=(tmp_path,), root=tmp_path, jobs=1, tier=tier)
    outcome = pipeline.run(discover(options).code, options)
    assert not [finding for finding in outcome.report.findings if finding.action == "manual"]
    for name, content in outcome.contents.items():
        (tmp_path / name).write_bytes(content)
    done = warm.run([sys.executable, "main.py"], cwd=tmp_path, env=dict(os.environ, PYTHONPATH=str(ROOT)))
    assert (done.stdout, done.returncode) == (run_legacy(code), 0), done.stderr
