"""What callbacks are told; each list is what TF 1.15.5 (or Keras 2.2.5) told them of the same call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras2 import callbacks, layers, metrics, models, utils
from tests.compat.keras2.process import printed

X = np.arange(10.0).reshape(5, 2).astype("float32") / 10
Y = np.ones((5, 1), "float32")


class _Told(callbacks.Callback):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[str, int, int | None, int | None]] = []
        self.told: dict[str, Any] = {}
        self.whole: list[Any] = []

    def _batch(self, what: str, number: int, logs: Any) -> None:
        self.batches.append((what, number, logs.get("batch"), logs.get("size")))

    def _begin(self, logs: Any = None) -> None:
        self.told = {**self.params, "metrics": list(self.params.get("metrics", ["none"]))}
        self.whole.append(logs)

    def _end(self, logs: Any = None) -> None:
        self.whole.append(logs)

    on_train_begin = on_test_begin = on_predict_begin = _begin
    on_train_end = on_test_end = on_predict_end = _end

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._batch("begin", batch, logs)

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        assert "loss" in logs
        self._batch("end", batch, logs)

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        assert "acc" in logs
        self._batch("test", batch, logs)

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        assert [each.shape[1] for each in logs["outputs"]] == [1]
        self._batch("predict", batch, logs)


class _Parts(utils.Sequence):  # type: ignore[misc]
    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> Any:
        return X[2 * index : 2 * index + 2], Y[2 * index : 2 * index + 2]


def _model() -> Any:
    model = models.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile("sgd", "mse", metrics=["accuracy"])
    return model


def _batches() -> Iterator[Any]:
    while True:
        for start in (0, 2, 4):
            yield X[start : start + 2], Y[start : start + 2]


def _dataset() -> tf.data.Dataset:
    return tf.data.Dataset.from_tensor_slices((X, Y)).batch(2)


def _pairs(*sizes: int) -> list[tuple[str, int, int, int]]:
    """Batches that are begun and ended with the same size."""
    return [(what, number, number, size) for number, size in enumerate(sizes) for what in ("begin", "end")]


def _ends(what: str, *sizes: int) -> list[tuple[str, int, int, int]]:
    return [(what, number, number, size) for number, size in enumerate(sizes)]


_OF_ARRAYS = {"batch_size": 2, "steps": 3, "samples": 5, "do_validation": False, "metrics": ["loss", "acc"]}
_OF_STEPS = {**_OF_ARRAYS, "batch_size": None, "steps": 2, "samples": 2}
_VALIDATING = {"do_validation": True, "metrics": ["loss", "acc", "val_loss", "val_acc"]}
_COUNTING = [("begin", 0, 0, 1), ("end", 0, 0, 2), ("begin", 1, 1, 1), ("end", 1, 1, 2), ("begin", 2, 2, 1)]
CASES: dict[str, tuple[Callable[[Any, list[Any]], Any], dict[str, Any], list[Any]]] = {
    "arrays": (
        lambda model, told: model.fit(X, Y, batch_size=2, verbose=0, callbacks=told),
        _OF_ARRAYS,
        _pairs(2, 2, 1),
    ),
    "arrays that validate": (
        lambda model, told: model.fit(X, Y, 2, verbose=0, callbacks=told, validation_data=(X[:3], Y[:3])),
        {**_OF_ARRAYS, **_VALIDATING},
        [*_pairs(2, 2, 1), *_ends("test", 2, 1)],
    ),
    "a share that validates": (
        lambda model, told: model.fit(X, Y, verbose=0, callbacks=told, validation_split=0.4),
        {**_OF_ARRAYS, **_VALIDATING, "batch_size": 32, "steps": 1, "samples": 3},
        [*_pairs(3), *_ends("test", 2)],
    ),
    "a dataset": (
        lambda model, told: model.fit(_dataset(), verbose=0, callbacks=told),
        {**_OF_STEPS, "steps": None, "samples": None},
        [*_COUNTING, ("end", 2, 2, 1), ("begin", 3, 3, 1)],
    ),
    "a dataset in steps": (
        lambda model, told: model.fit(_dataset().repeat(), steps_per_epoch=2, verbose=0, callbacks=told),
        _OF_STEPS,
        _COUNTING[:4],
    ),
    "a sequence": (
        lambda model, told: model.fit(_Parts(), verbose=0, callbacks=told),
        {**_OF_STEPS, "samples": 4},
        _pairs(2, 2),
    ),
    "a generator": (
        lambda model, told: model.fit_generator(_batches(), 2, verbose=0, callbacks=told, validation_data=(X, Y)),
        {**_OF_STEPS, **_VALIDATING},
        [*_pairs(2, 2), *_ends("test", 2, 2, 1)],
    ),
    "an evaluation": (
        lambda model, told: model.evaluate(X, Y, batch_size=2, verbose=0, callbacks=told),
        {**_OF_ARRAYS, "samples": True},
        _ends("test", 2, 2, 1),
    ),
    "an evaluation of a dataset": (
        lambda model, told: model.evaluate(_dataset(), verbose=0, callbacks=told),
        {**_OF_STEPS, "steps": 3, "samples": False},
        _ends("test", 2, 2, 1),
    ),
    "an evaluation of a generator": (
        lambda model, told: model.evaluate_generator(_batches(), steps=2, callbacks=told),
        _OF_STEPS,
        _ends("test", 2, 2),
    ),
    "a prediction": (
        lambda model, told: model.predict(X, batch_size=2, callbacks=told),
        {**_OF_ARRAYS, "samples": True, "metrics": []},
        _ends("predict", 2, 2, 1),
    ),
    "a prediction of a dataset": (
        lambda model, told: model.predict(_dataset(), callbacks=told),
        {**_OF_STEPS, "steps": 3, "samples": False, "metrics": []},
        _ends("predict", 1, 1, 1),
    ),
    "a prediction of a generator": (
        lambda model, told: model.predict_generator(_batches(), steps=3, callbacks=told),
        {**_OF_STEPS, "steps": 3, "samples": 3, "metrics": []},
        _ends("predict", 2, 2, 1),
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore:`Model:UserWarning")
def test_callbacks_are_told_of_batches_and_of_what_is_trained(case: str) -> None:
    run, params, batches = CASES[case]
    told = _Told()
    run(_model(), [told])
    assert {key: told.told[key] for key in params} == params
    assert told.batches == batches
    assert set(map(str, told.whole)) == {"None"}


def test_each_epoch_counts_the_batches_of_a_dataset() -> None:
    told = _Told()
    history = _model().fit(_dataset(), epochs=2, verbose=0, callbacks=[told], validation_data=_dataset())
    of_epoch = [*_COUNTING, ("end", 2, 2, 1), ("begin", 3, 3, 1), *_ends("test", 2, 2, 1)]
    assert told.batches == 2 * of_epoch
    assert history.params["steps"] == 3
    assert len(history.history["val_acc"]) == 2


def test_a_prediction_inside_a_training_is_one_of_its_own() -> None:
    model, told = _model(), _Told()
    inside = callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: model.predict(X[:4], batch_size=3))
    model.fit(X, Y, batch_size=2, epochs=2, verbose=0, callbacks=[inside, told], validation_data=(X, Y))
    assert told.batches == 2 * [*_pairs(2, 2, 1), *_ends("test", 2, 2, 1)]


def test_names_of_a_model_that_its_first_batch_builds() -> None:
    told = _Told()
    model = models.Sequential([layers.Dense(1)])
    model.compile("sgd", "mse", metrics=["mae", "acc", metrics.mean_squared_error], weighted_metrics=["mse"])
    history = model.fit(X, Y, verbose=0, callbacks=[told])
    names = ["mean_absolute_error", "acc", "mean_squared_error", "weighted_mean_squared_error"]
    assert told.told["metrics"] == history.params["metrics"] == ["loss", *names]


def test_what_is_written_of_batches_is_their_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    _model().fit(X, Y, batch_size=2, verbose=1, callbacks=[_Told()])
    shown = capsys.readouterr().out
    assert "loss: " in shown and "size: " not in shown and "batch: " not in shown


def test_a_graph_tells_the_same_with_numbers_of_python() -> None:
    told = _Told()
    with compat.Graph().as_default():
        _model().fit(_dataset(), verbose=0, callbacks=[told])
    assert told.batches == _pairs(1, 1, 1)
    assert repr((told.told["steps"], told.told["samples"])) == "(3, 3)"
    assert told.whole == [None, None]


def test_a_generator_of_the_stand_alone_package(tmp_path: Path) -> None:
    program = """\
import numpy as np
from compat.keras2 import standalone as keras
x, y = np.arange(8.0).reshape(4, 2), np.ones((4, 1))
def batches():
    while True:
        yield x[:3], y[:3]
        yield x[3:], y[3:]
class Told(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        print(sorted(self.params.items()), logs)
    def on_batch_end(self, batch, logs=None):
        print(batch, logs["batch"], logs["size"])
model = keras.models.Sequential([keras.layers.Dense(1, input_shape=(2,))])
model.compile("sgd", "mse", metrics=["mae"])
model.fit_generator(batches(), 2, verbose=2, callbacks=[Told()])
"""
    names = ["loss", "mean_absolute_error", "val_loss", "val_mean_absolute_error"]
    expected = [("do_validation", False), ("epochs", 1), ("metrics", names), ("steps", 2), ("verbose", 2)]
    found = printed(program, tmp_path)
    assert found[0] == f"{expected} None"
    assert [line for line in found[1:] if "/" not in line and line[0].isdigit()] == ["0 0 3", "1 1 1"]
