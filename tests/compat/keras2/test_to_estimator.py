"""`model_to_estimator`: training, evaluation and predictions as TF 1.15.5 printed them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras2 import backend, estimator, layers, models


def test_a_compiled_model(tmp_path: Path) -> None:
    rng = np.random.RandomState(0)
    x = rng.normal(size=(24, 4)).astype("float32")
    y = (x[:, :1] > 0).astype("float32")
    with compat.Graph().as_default():
        model = models.Sequential(
            [
                layers.Dense(5, activation="relu", input_shape=(4,), name="a"),
                layers.Dense(1, activation="sigmoid", name="b"),
            ]
        )
        model.set_weights([rng.normal(scale=0.5, size=weight.shape) for weight in model.get_weights()])
        model.compile(compat.train.AdamOptimizer(0.05), "binary_crossentropy", metrics=["accuracy"])
        made = estimator.model_to_estimator(keras_model=model, model_dir=str(tmp_path / "est"))
    backend.set_session(None)

    def inputs() -> tf.data.Dataset:
        return tf.data.Dataset.from_tensor_slices(({"a_input": x}, y)).batch(8)

    made.train(lambda: inputs().repeat(2))
    found = made.evaluate(inputs)
    assert sorted(found) == ["acc", "global_step", "loss"]
    np.testing.assert_allclose([found["acc"], found["loss"]], [0.75, 0.433], atol=1e-4)
    predicted = [next(iter(row.values()))[0] for row in made.predict(inputs)][:4]
    np.testing.assert_allclose(predicted, [0.9544, 0.8774, 0.6895, 0.7662], atol=1e-4)


def test_what_it_does_not_take() -> None:
    with pytest.raises(ValueError, match="not both"):
        estimator.model_to_estimator()
    with compat.Graph().as_default():
        model = models.Sequential([layers.Dense(1, input_shape=(2,))])
        with pytest.raises(ValueError, match="has not been compiled"):
            estimator.model_to_estimator(model)
        with pytest.raises(NotImplementedError, match="leave checkpoint_format out"):
            estimator.model_to_estimator(model, checkpoint_format="checkpoint")
