"""`compat.keras2` where programs ran eagerly in TF 1.15, and where its package is missing."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import keras2
from compat.keras2 import layers, models


def test_outside_of_graphs_keras_is_as_it_was() -> None:
    model = models.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    weight = model.weights[0]
    assert isinstance(weight, tf.Variable)
    np.testing.assert_array_equal(weight.numpy(), [[1.0], [1.0]])
    model.compile(compat.train.GradientDescentOptimizer(0.1), "mse", metrics=["accuracy"])
    history = model.fit(np.ones((2, 2)), np.zeros((2, 1)), verbose=0)
    assert sorted(history.history) == ["acc", "loss"]


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install 'tf_keras=="):
        keras2._require()


def test_another_version_than_tensorflows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "2.9.0")
    with pytest.raises(ImportError, match=r"tf_keras 2\.9\.0 does not belong to TensorFlow"):
        keras2._require()


def test_metrics_by_the_loss_and_optimizers_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    x = np.random.RandomState(0).normal(size=(7, 3)).astype("float32")
    y = np.eye(2, dtype="float32")[[0, 1, 1, 0, 1, 0, 0]]
    model = models.Sequential([layers.Dense(2, input_shape=(3,), activation="sigmoid")])
    model.set_weights([np.linspace(-1, 1, 6).reshape(3, 2), np.zeros(2)])
    model.compile("nadam", "binary_crossentropy", metrics=["accuracy"])
    history = model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0).history
    np.testing.assert_allclose(history["acc"], [0.5, 0.5])
    np.testing.assert_allclose(history["loss"], [0.89815527, 0.89725405], rtol=1e-5)
    np.testing.assert_allclose(model.get_weights()[0][0], [-0.99748987, -0.5975551], rtol=1e-5)
    capsys.readouterr()
    np.testing.assert_allclose(model.predict(x[:1]), [[0.22305296, 0.50130045]], rtol=1e-5)
    assert capsys.readouterr().out == ""


def test_optimizers_by_the_path_of_their_sources() -> None:
    path = keras2.optimizer_v2.optimizer_v2
    assert issubclass(keras2.optimizer_v2.adam.Adam, path.OptimizerV2)
    assert isinstance(keras2.optimizers.SGD(), path.OptimizerV2)
    assert keras2.optimizer_v2.learning_rate_schedule.ExponentialDecay is keras2.optimizers.schedules.ExponentialDecay
