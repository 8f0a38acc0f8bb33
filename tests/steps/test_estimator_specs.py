"""Model functions of estimators that scripts without an estimator call: they give a record of tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

MODEL = """\
import numpy as np
import tensorflow as tf


def network(x, training):
    start = np.sin(np.arange(6)).reshape(2, 3)
    x = tf.layers.dense(x, 3, tf.nn.relu, kernel_initializer=tf.constant_initializer(start), name="hidden")
    if training:
        x = x + 0.5
    return tf.layers.dense(x, 1, kernel_initializer=tf.constant_initializer(0.5), name="out")


def model_fn(features, labels, mode, params):
    if isinstance(features, dict):
        features = features["x"]
    out = network(features, mode == tf.estimator.ModeKeys.TRAIN)
    predictions = {"out": out, "sign": tf.sign(out)}
    if mode == tf.estimator.ModeKeys.PREDICT:
        outputs = {"sign": tf.estimator.export.PredictOutput(predictions)}
        return tf.estimator.EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
    loss = tf.reduce_mean(tf.square(out - labels), axis=0)
    predictions["away"] = tf.abs(out - labels)
    train_op = None
    if mode == tf.estimator.ModeKeys.TRAIN:
        step = tf.train.get_or_create_global_step()
        train_op = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, predictions, loss, train_op)
"""

# The loss, of one element in an array, is a scalar in the record.
LOOP = """\
import numpy as np
import tensorflow as tf

import model

rows = np.float32([[1.0, 2.0], [3.0, 4.0]])
spec = model.model_fn(tf.constant(rows), tf.constant([[1.0], [2.0]]), tf.estimator.ModeKeys.TRAIN, {"rate": 0.01})
predictions = spec.predictions
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, loss = sess.run([spec.train_op, spec.loss])
        print(loss.shape, "%.4f" % loss)
    found = sess.run(predictions)
    print(sorted(found), " ".join("%.4f" % each for each in found["away"].ravel()))
"""

SERVE = """\
import tensorflow as tf

from model import model_fn


class Server(object):
    def __init__(self):
        self.rows = tf.placeholder(tf.float32, [None, 2])
        self.found = model_fn({"x": self.rows}, None, mode=tf.estimator.ModeKeys.PREDICT, params=None).predictions
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def answer(self, rows):
        return self.sess.run(self.found["out"], feed_dict={self.rows: rows})


server = Server()
print(" ".join("%.4f" % each for each in server.answer([[1.0, 2.0], [0.0, 1.0]]).ravel()))
"""

# What has an estimator stays as it is, beside the others.
TRAIN = """\
import numpy as np
import tensorflow as tf

import model


def inputs():
    rows = np.float32([[1.0, 2.0], [3.0, 4.0]])
    return tf.data.Dataset.from_tensor_slices(({"x": rows}, np.float32([[1.0], [2.0]]))).batch(2).repeat(3)


estimator = tf.estimator.Estimator(model.model_fn, params={"rate": 0.01})
estimator.train(inputs)
print("%.4f" % estimator.evaluate(inputs, steps=1)["loss"])
"""


@pytest.mark.parametrize(("script", "sites"), [(LOOP, 2), (SERVE, 1)], ids=["a loop", "a class"])
def test_model_functions_without_an_estimator(
    script: str, sites: int, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    for folder in ("before", "after"):
        (tmp_path / folder).mkdir()
    (tmp_path / "before" / "model.py").write_text(MODEL)
    files = {"model.py": MODEL, "script.py": script, "train.py": TRAIN}
    outcome = migrated(files, tmp_path / "after")
    found = [site for site in outcome.report.sites if not site.initializer_only]
    assert [(site.path, site.tier, site.form) for site in found] == [("script.py", "native", "steps")] * sites
    for name, content in outcome.contents.items():
        (tmp_path / "after" / name).write_bytes(content)
    start = f"import sys\nsys.path.insert(0, {str(tmp_path / 'before')!r})\n"
    for name in ("script.py", "train.py"):
        assert said_by(outcome.contents[name].decode(), tmp_path / "after") == run_legacy(start + files[name])
