"""A stand-alone `Sequential` that learns its input's shape late, as in Keras 2.2.5."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compat.keras2.process import printed

_MODEL = """\
import numpy as np
from compat.keras2.standalone import backend as K
from compat.keras2.standalone.layers import Dense, Dropout, Input
from compat.keras2.standalone.models import Model, Sequential

X, Y = np.arange(12, dtype=np.float32).reshape(4, 3) / 10, np.ones((4, 3), np.float32)
first = Dense(3, kernel_initializer="ones", activation="relu")
model = Sequential([first, Dropout(0.0), Dense(3, kernel_initializer="ones")])
model.compile("sgd", "mse", metrics=["mae"])
"""
_LOOK = """
print([each.name for each in model.inputs], [layer.output.name for layer in model.layers])
print(model.input_shape, model.output_shape, model.input_names, model.output_names, len(model.weights))
print(round(float(K.function([model.inputs[0]], [first.output])([X])[0].sum()), 2))
"""


@pytest.mark.parametrize(
    "told",
    [
        "model.build((None, 3))",
        "model.predict(X)",
        "model.fit(X, Y, epochs=1, batch_size=4, verbose=0); first.set_weights([np.ones((3, 3)), np.zeros(3)])",
        "model.evaluate(X, Y, verbose=0)",
        "model.test_on_batch(X, Y)",
        "model.fit_generator(iter([(X, Y * 0)] * 2), 1, verbose=0); first.set_weights([np.ones((3, 3)), np.zeros(3)])",
    ],
)
def test_it_becomes_a_network(tmp_path: Path, told: str) -> None:
    assert printed(f"{_MODEL}{told}{_LOOK}", tmp_path) == [
        "['sequential_1_input:0'] ['dense_1/Relu:0', 'dropout_1/Identity:0', 'dense_2/BiasAdd:0']",
        "(None, 3) (None, 3) ['sequential_1_input'] ['dense_2'] 4",
        "19.8",
    ]


def test_one_that_is_not_built_has_no_weights(tmp_path: Path) -> None:
    assert printed(f"{_MODEL}print(model.built, model.weights, model.get_weights())", tmp_path) == ["False [] []"]


def test_a_part_of_it_is_a_model(tmp_path: Path) -> None:
    cut = "model.build((None, 3))\nprint(round(float(Model(model.input, first.output).predict(X).sum()), 2))\n"
    grown = "model.add(Dense(2))\nprint(model.output_shape)\nmodel.pop()\nprint(model.output_shape, len(model.weights))"
    assert printed(f"{_MODEL}{cut}{grown}", tmp_path) == ["19.8", "(None, 2)", "(None, 3) 4"]


def test_it_is_called_on_an_input_of_another_model(tmp_path: Path) -> None:
    around = "given = Input((3,))\nouter = Model(given, model(given))\nprint([layer.name for layer in outer.layers])\n"
    shapes = "print(model.input_shape, round(float(outer.predict(X).sum()), 2))"
    assert printed(f"{_MODEL}{around}{shapes}", tmp_path) == [
        "['input_1', 'sequential_1']",
        "(None, 3) 59.4",
    ]


def test_a_layer_that_it_has_twice_is_called_twice(tmp_path: Path) -> None:
    twice = "same = Dense(3, kernel_initializer='ones')\nmodel = Sequential([same, same])\nmodel.build((None, 3))\n"
    look = "print(round(float(model.predict(X).sum()), 2), len(model.layers), len(model.weights), model.count_params())"
    assert printed(f"{_MODEL}{twice}{look}", tmp_path) == ["59.4 1 2 12"]
