"""A predictor gives what a saved model, or an Estimator's checkpoint, computes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from tests.steps.migration import migrated, said_by

SERVING = """\
import numpy as np
import tensorflow as tf

with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.Variable(np.linspace(-1, 1, 6).reshape(3, 2).astype("float32"))
    y = tf.matmul(x, w)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, "sm", inputs={"x": x}, outputs={"y": y})
predict = tf.contrib.predictor.from_saved_model("sm")
print(np.round(predict({"x": np.ones((1, 3))})["y"], 4).tolist(), sorted(predict.feed_tensors))
by_names = tf.contrib.predictor.from_saved_model("sm", input_names={"a": "x:0"}, output_names={"b": "MatMul:0"})
print(sorted(by_names({"a": [[1.0, 2.0, 3.0]]})))
try:
    predict({"z": 1})
except ValueError as error:
    print(str(error).split(":")[0])
"""
ESTIMATOR = """\
import tensorflow as tf
from tensorflow.contrib import predictor

tf.logging.set_verbosity(tf.logging.ERROR)


def model_fn(features, labels, mode):
    out = tf.layers.dense(features["x"], 1, kernel_initializer=tf.ones_initializer(), name="out")
    if mode == tf.estimator.ModeKeys.PREDICT:
        served = {"serving_default": tf.estimator.export.PredictOutput({"out": out})}
        return tf.estimator.EstimatorSpec(mode, predictions=out, export_outputs=served)
    loss = tf.losses.mean_squared_error(labels, out)
    step = tf.train.get_global_step()
    train = tf.train.GradientDescentOptimizer(0.125).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def inputs():
    return tf.data.Dataset.from_tensors(({"x": [[1.0, 2.0]]}, [[1.0]])).repeat(2)


def receiver():
    x = tf.placeholder(tf.float32, [None, 2], name="fed")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


estimator = tf.estimator.Estimator(model_fn, "model")
estimator.train(inputs)
predict = predictor.from_estimator(estimator, receiver)
print(predict({"x": [[1.0, 1.0], [0.5, 0.0]]})["out"].tolist())
"""


@pytest.mark.parametrize("program", [SERVING, ESTIMATOR], ids=["a saved model", "an estimator"])
def test_programs_predict_what_they_predicted(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
    text = migrated(program, tmp_path / "new").contents["main.py"].decode()
    assert said_by(text, tmp_path / "new") == run_legacy(program, cwd=tmp_path / "old")


def test_wrong_signatures_are_refused(tmp_path: Path) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        x = compat.placeholder(tf.float32, [], name="x")
        compat.saved_model.simple_save(session, str(tmp_path / "sm"), {"x": x}, {"y": 2.0 * x})
    with pytest.raises(ValueError, match=r"Available signatures are \['serving_default'"):
        compat.contrib.predictor.from_saved_model(str(tmp_path / "sm"), "other")
    with pytest.raises(ValueError, match="input_names and output_names must both be specified"):
        compat.contrib.predictor.from_saved_model(str(tmp_path / "sm"), input_names={"x": "x:0"})
    with pytest.raises(ValueError, match="at most one of signature_def_key"):
        compat.contrib.predictor.from_saved_model(
            str(tmp_path / "sm"), "a", input_names={"x": "x:0"}, output_names={"y": "mul:0"}
        )


def test_an_output_that_a_model_does_not_have(tmp_path: Path) -> None:
    def model(features: Any, labels: Any, mode: str) -> Any:
        outputs = {"doubled": compat.estimator.export.PredictOutput({"y": 2.0 * features})}
        return compat.estimator.EstimatorSpec(mode, predictions=features, export_outputs=outputs)

    def receiver() -> Any:
        x = compat.placeholder(tf.float32, [])
        return compat.estimator.export.ServingInputReceiver(x, {"x": x})

    estimator = compat.estimator.Estimator(model, str(tmp_path / "model"))
    with pytest.raises(KeyError, match=r"output_key must be one of \['doubled'\]; got serving_default"):
        compat.contrib.predictor.from_estimator(estimator, receiver)
