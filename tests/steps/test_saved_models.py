"""SavedModels written and read by programs without sessions, and variables restored by functions of a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

BUILDER = """\
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.python.saved_model import builder as saved_model_builder
from tensorflow.python.saved_model import signature_constants, signature_def_utils, tag_constants
from tensorflow.python.saved_model.utils import build_tensor_info

folder = os.path.join(tempfile.mkdtemp(), "export")
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
y = tf.identity(tf.matmul(x, w), name="y")
train = tf.assign(w, w * 2.0)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train)
    print(sess.run(y, feed_dict={x: np.ones([1, 2])}))
    builder = saved_model_builder.SavedModelBuilder(folder)
    signature = signature_def_utils.build_signature_def(
        inputs={"x": build_tensor_info(x)}, outputs={"y": build_tensor_info(y)},
        method_name=signature_constants.PREDICT_METHOD_NAME)
    builder.add_meta_graph_and_variables(
        sess, [tag_constants.SERVING],
        signature_def_map={signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        legacy_init_op=tf.group(tf.tables_initializer(), name="legacy_init_op"))
    print(os.path.basename(builder.save()))
print(sorted(os.listdir(folder)), sorted(os.listdir(folder + "/variables")))
with tf.Session(graph=tf.Graph()) as sess:
    meta = tf.saved_model.loader.load(sess, ["serve"], folder)
    name = meta.signature_def["serving_default"].outputs["y"].name
    print(sess.run(name, {"x:0": np.ones([2, 2])}))
"""

EXPORTER = """\
import tempfile

import numpy as np
import tensorflow as tf


class Model(object):
    def __init__(self, words):
        self.table = tf.contrib.lookup.index_table_from_tensor(words, default_value=9)
        self.text = tf.placeholder(tf.string, [None], name="text")
        self.ids = self.table.lookup(self.text)
        self.v = tf.Variable(2.0, name="v")
        self.out = tf.multiply(tf.cast(self.ids, tf.float32), self.v, name="out")
        self.up = tf.assign_add(self.v, 1.0)


class Trainer(object):
    def __init__(self, model, session=None):
        self.model, self.session = model, session or tf.Session()
        self.session.run([tf.global_variables_initializer(), tf.tables_initializer()])

    def fit(self, turns):
        for _ in range(turns):
            self.session.run(self.model.up)

    def export(self, folder):
        tf.saved_model.simple_save(self.session, folder, inputs={"text": self.model.text},
                                   outputs={"out": self.model.out}, legacy_init_op=tf.tables_initializer())


def serve(folder, words):
    with tf.Session(graph=tf.Graph()) as sess:
        tf.saved_model.loader.load(sess, [tf.saved_model.tag_constants.SERVING], folder)
        print([v.name for v in tf.global_variables()])
        print(sess.run("out:0", feed_dict={"text:0": words}))


folder = tempfile.mkdtemp() + "/export"
trainer = Trainer(Model(["a", "b", "c"]))
trainer.fit(3)
print(trainer.session.run(trainer.model.out, {trainer.model.text: ["b", "x"]}))
trainer.export(folder)
serve(folder, ["c", "a", "q"])
"""

RESTORER = """\
import tempfile

import numpy as np
import tensorflow as tf

slim = tf.contrib.slim


class Net(object):
    def __init__(self, scale):
        with tf.variable_scope("net"):
            self.x = tf.placeholder(tf.float32, [None, 2])
            self.out = slim.fully_connected(self.x, 2, weights_initializer=tf.constant_initializer(scale))

    def restorer(self, path):
        return slim.assign_from_checkpoint_fn(path, slim.get_model_variables("net"))


def write(path):
    with tf.Graph().as_default():
        net = Net(0.5)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return tf.train.Saver().save(sess, path)


def read(path):
    with tf.Graph().as_default():
        net = Net(3.0)
        init_fn = net.restorer(path)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            print(sess.run(net.out, {net.x: np.ones([1, 2])}))
            init_fn(sess)
            print(sess.run(net.out, {net.x: np.ones([1, 2])}))


read(write(tempfile.mkdtemp() + "/model"))
"""

RESTORERS = """\
import tempfile

import tensorflow as tf
from tensorflow.contrib import slim
from tensorflow.contrib.framework import assign_from_checkpoint_fn

path = tempfile.mkdtemp() + "/model"
a = tf.get_variable("a", initializer=1.0)
b = tf.get_variable("b", initializer=2.0)
total = a + b
restorers = [assign_from_checkpoint_fn(path, {"a": b}), slim.assign_from_checkpoint_fn(path, [a])]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([tf.assign(a, 10.0), tf.assign(b, 20.0)])
    tf.train.Saver().save(sess, path)
    sess.run(tf.global_variables_initializer())
    for restore in restorers:
        restore(sess)
        print(sess.run([a, b, total]))
"""


@pytest.mark.parametrize(
    "program", [BUILDER, EXPORTER, RESTORER, RESTORERS], ids=["a builder", "an exporter", "a restorer", "restorers"]
)
def test_programs_that_export_and_restore(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert "bridge" not in {site.tier for site in outcome.report.sites}
    text = outcome.contents["main.py"].decode()
    assert "Session(" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
