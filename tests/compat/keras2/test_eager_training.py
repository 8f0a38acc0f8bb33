"""What is logged where TF 1.15 trained eagerly; the numbers are those that TF 1.15.5 printed for the same calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from compat import behavior
from compat.keras2 import callbacks, layers, losses, models, optimizers

_DATA = np.random.RandomState(3)
X = _DATA.normal(size=(10, 3)).astype("float32")
Y = _DATA.normal(size=(10, 1)).astype("float32")
Z = (_DATA.uniform(size=(10, 1)) > 0.5).astype("float32")
PARTS = (slice(0, 4), slice(4, 7), slice(7, 10))


def _weighted(model: Any) -> Any:
    model.set_weights([np.linspace(-1, 1, weight.size).reshape(weight.shape) for weight in model.get_weights()])
    return model


def _single(rate: float = 0.05) -> Any:
    model = _weighted(models.Sequential([layers.Dense(4, activation="tanh", input_shape=(3,)), layers.Dense(1)]))
    model.compile(optimizers.SGD(rate), "mse", metrics=["mae"])
    return model


def _batches() -> Iterator[Any]:
    while True:
        for part in PARTS:
            yield X[part], Y[part]


def _fit(model: Any, targets: Any, epochs: int = 1, **more: Any) -> dict[str, list[float]]:
    return dict(model.fit(X, targets, batch_size=4, epochs=epochs, shuffle=False, verbose=0, **more).history)


def _near(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_a_batch_adds_to_what_fit_left_and_lets_it_go() -> None:
    model, first = _single(), PARTS[0]
    for part in PARTS[:2]:
        model.train_on_batch(X[part], Y[part])
    _fit(model, Y, 2)
    _near(model.train_on_batch(X[first], Y[first]), [2.00543, 1.19761])
    _near(model.train_on_batch(X[first], Y[first]), [1.90254, 1.33593])
    _fit(model, Y)
    _near(model.test_on_batch(X[first], Y[first]), [1.78904, 1.14948])
    _near(model.test_on_batch(X[first], Y[first]), [1.78904, 1.31217])
    _fit(model, Y, validation_data=(X[PARTS[1]], Y[PARTS[1]]))
    _near(model.train_on_batch(X[first], Y[first]), [1.7716, 1.10706])
    _near(model.evaluate(X, Y, batch_size=3, verbose=0), [1.19793, 1.00025])
    _near(model.train_on_batch(X[first], Y[first]), [1.70245, 1.08169])
    model.evaluate(X, Y, batch_size=3, verbose=0)
    model.test_on_batch(X[first], Y[first])
    _fit(model, Y)
    model.predict(X, verbose=0)
    _near(model.train_on_batch(X[first], Y[first]), [1.64542, 1.26767])


def test_metrics_that_are_kept_beside_the_loss_of_the_batch() -> None:
    model = _single(0.0)
    _near(model.train_on_batch(X[PARTS[0]], Y[PARTS[0]], reset_metrics=False), [2.65237, 1.27754])
    _near(model.train_on_batch(X[PARTS[1]], Y[PARTS[1]], reset_metrics=False), [2.24532, 1.28032])
    _near(model.test_on_batch(X[PARTS[1]], Y[PARTS[1]]), [2.24532, 1.28143])
    _near(model.test_on_batch(X[PARTS[1]], Y[PARTS[1]]), [2.24532, 1.28402])


def test_losses_of_several_outputs() -> None:
    given = layers.Input((3,))
    hidden = layers.Dense(4, activation="tanh", name="h")(given)
    outputs = [layers.Dense(1, name="a")(hidden), layers.Dense(1, name="b", activation="sigmoid")(hidden)]
    model = _weighted(models.Model(given, outputs))
    model.compile(
        optimizers.SGD(0.05),
        {"a": "mse", "b": "binary_crossentropy"},
        metrics={"a": ["mae"], "b": ["accuracy"]},
        loss_weights={"a": 1.0, "b": 0.5},
    )
    assert model.metrics_names == ["loss", "a_loss", "b_loss", "a_mean_absolute_error", "b_acc"]
    for part in PARTS[:2]:
        model.train_on_batch(X[part], [Y[part], Z[part]])
    history = _fit(model, [Y, Z], 2)
    _near(history["loss"], [2.22862, 1.94289])
    _near(history["a_loss"], [1.69606, 1.41107])
    _near(history["b_loss"], [0.75158, 0.74099])
    found = model.train_on_batch(X[PARTS[0]], [Y[PARTS[0]], Z[PARTS[0]]])
    _near(found, [2.30556, 1.56071, 0.70371, 1.19584, 0.57143])


@pytest.mark.filterwarnings("ignore:.*_generator. is deprecated")
def test_evaluations_in_steps() -> None:
    model = _single(0.0)
    _near(model.evaluate(X, Y, batch_size=4, verbose=0), [2.41961, 1.30438])
    _near(model.evaluate_generator(_batches(), 3), [2.39374, 1.30438])
    _near(model.evaluate(X, Y, batch_size=4, verbose=0), [2.41961, 1.30438])
    trained = model.fit_generator(_batches(), 3, 1, verbose=0, validation_data=_batches(), validation_steps=3)
    _near([trained.history[name][0] for name in ("loss", "val_loss")], [2.41961, 2.39374])
    trained = model.fit_generator(_batches(), 3, 1, verbose=0, validation_data=(X[:5], Y[:5]))
    _near([trained.history[name][0] for name in ("val_loss", "val_mean_absolute_error")], [2.64327, 1.39325])


def test_callbacks_see_the_loss_of_a_batch() -> None:
    seen: list[tuple[float, float]] = []

    class Seen(callbacks.Callback):  # type: ignore[misc]
        def on_batch_end(self, batch: int, logs: Any = None) -> None:
            seen.append((logs["loss"], logs["mean_absolute_error"]))

    history = _fit(_single(), Y, callbacks=[Seen()])
    _near(seen, [(2.65237, 1.27754), (2.60134, 1.34), (1.15796, 1.23531)])
    _near(history["loss"], [2.33308])


def test_the_loss_chooses_the_accuracy() -> None:
    x = np.array([[1.0, 0.2, 0.3], [0.1, 0.5, 0.2], [0.0, 0.1, 0.9], [0.2, 0.9, 0.1], [0.8, 0.1, 0.1], [0.1, 0.2, 0.3]])
    classes = np.array([0, 1, 2, 1, 0, 2])

    def own(labels: Any, outputs: Any) -> Any:
        return losses.sparse_categorical_crossentropy(labels, outputs)

    found = []
    for loss in ("sparse_categorical_crossentropy", own):
        model = models.Sequential([layers.Activation("softmax", input_shape=(3,))])
        model.compile("sgd", loss, metrics=["accuracy"])
        assert model.metrics_names == ["loss", "acc"]
        found.append(model.evaluate(x, classes, verbose=0)[1])
    # The labels have one column, whose greatest is the first: as if every example were of the first class.
    assert found == pytest.approx([1.0, 1 / 3])


def test_classes_weigh_in_what_validates() -> None:
    model = models.Sequential([layers.Dense(2, kernel_initializer="zeros", activation="softmax", input_shape=(3,))])
    model.compile(optimizers.SGD(0.0), "sparse_categorical_crossentropy")
    classes = (Z[:, 0]).astype("int32")
    history = _fit(model, classes, class_weight={0: 1.0, 1: 3.0}, validation_data=(X[:2], np.array([1, 1])))
    _near(history["val_loss"], [3 * np.log(2)])
    _near(history["loss"], [np.log(2) * np.where(classes, 3, 1).mean()])


def test_names_of_metrics_under_the_behavior_of_tensorflow_2(monkeypatch: pytest.MonkeyPatch) -> None:
    def names() -> list[str]:
        model = models.Sequential([layers.Dense(1, input_shape=(3,))])
        model.compile("sgd", "mse", metrics=["accuracy", "mse"], weighted_metrics=["mae"])
        return list(model.metrics_names)

    assert names() == ["loss", "acc", "mean_squared_error", "weighted_mean_absolute_error"]
    monkeypatch.setattr(behavior, "_is_v2", True)
    assert names() == ["loss", "accuracy", "mse", "mae"]


@pytest.mark.filterwarnings("ignore:.*_generator. is deprecated")
def test_no_worker_reads_in_the_programs_thread() -> None:
    model = models.Sequential([layers.Dense(1, kernel_initializer="zeros", input_shape=(3,))])
    model.compile(optimizers.SGD(0.0), "mse")
    found = model.fit_generator(_batches(), steps_per_epoch=3, verbose=0, workers=0).history["loss"]
    _near(found, [np.mean(Y**2)])
    _near(model.evaluate_generator(_batches(), 1, workers=0), np.mean(Y[PARTS[0]] ** 2))
    assert model.predict_generator(_batches(), 1, workers=0).tolist() == [[0.0]] * 4


def test_one_batch_gives_a_loss_of_32_bits_and_tensors() -> None:
    model = models.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(1,))])
    model.compile("sgd", "mse")
    loss = model.train_on_batch(np.full((1, 1), 1 / 3), np.zeros((1, 1)))
    assert (type(loss), str(loss)) == (np.float32, "0.11111112")
    assert model.predict_on_batch(np.zeros((2, 1))).numpy().shape == (2, 1)
    assert isinstance(model.evaluate(np.zeros((1, 1)), np.zeros((1, 1)), verbose=0), float)
