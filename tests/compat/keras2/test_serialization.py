"""What objects of Keras say of themselves, as in TF 1.15.5's own Keras and in Keras 2.2.5."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compat.keras2 import activations, initializers, layers, losses, models, regularizers
from tests.compat.keras2.process import printed

_INITIALIZERS = """\
from compat.keras2.standalone import initializers

for name in ("glorot_uniform", "he_normal", "lecun_uniform", "zeros", "uniform", "truncated_normal"):
    print(name, initializers.serialize(initializers.get(name)))
print(initializers.serialize(initializers.he_normal(seed=3)))
scaling = initializers.VarianceScaling(2.0, "fan_out", "normal", 1)
print(initializers.serialize(scaling), initializers.serialize(initializers.Constant(2.0)))
"""

_LAYERS = """\
import json
from compat.keras2.standalone.layers import LSTM, BatchNormalization, Dense
from compat.keras2.standalone.models import Sequential, model_from_json

config = LSTM(2).get_config()
print(config["dtype"], config["kernel_initializer"], config["recurrent_initializer"])
print(BatchNormalization().get_config()["gamma_initializer"])
model = Sequential([Dense(2, kernel_initializer="he_uniform", input_shape=(3,))])
text = model.to_json()
print(json.loads(text)["config"]["layers"][0]["config"]["kernel_initializer"], model_from_json(text).to_json() == text)
"""


def test_initializers(tmp_path: Path) -> None:
    scaled = (
        "{'class_name': 'VarianceScaling', 'config': {'scale': %s, 'mode': '%s', 'distribution': '%s', 'seed': %s}}"
    )
    assert printed(_INITIALIZERS, tmp_path) == [
        f"glorot_uniform {scaled % (1.0, 'fan_avg', 'uniform', None)}",
        f"he_normal {scaled % (2.0, 'fan_in', 'normal', None)}",
        f"lecun_uniform {scaled % (1.0, 'fan_in', 'uniform', None)}",
        "zeros {'class_name': 'Zeros', 'config': {}}",
        "uniform {'class_name': 'RandomUniform', 'config': {'minval': -0.05, 'maxval': 0.05, 'seed': None}}",
        "truncated_normal {'class_name': 'TruncatedNormal', 'config': {'mean': 0.0, 'stddev': 0.05, 'seed': None}}",
        scaled % (2.0, "fan_in", "normal", 3),
        f"{scaled % (2.0, 'fan_out', 'normal', 1)} {{'class_name': 'Constant', 'config': {{'value': 2.0}}}}",
    ]


def test_layers(tmp_path: Path) -> None:
    glorot = "{'scale': 1.0, 'mode': 'fan_avg', 'distribution': 'uniform', 'seed': None}"
    uniform = "{'distribution': 'uniform', 'mode': 'fan_in', 'scale': 2.0, 'seed': None}"
    found = printed(_LAYERS, tmp_path)
    assert found[0] == (
        f"float32 {{'class_name': 'VarianceScaling', 'config': {glorot}}} "
        "{'class_name': 'Orthogonal', 'config': {'gain': 1.0, 'seed': None}}"
    )
    assert found[1] == "{'class_name': 'Ones', 'config': {}}"
    name, is_same = found[2].rsplit(" ", 1)
    assert sorted(literal_eval(name)["config"].items(), key=str) == sorted(literal_eval(uniform).items(), key=str)
    assert (literal_eval(name)["class_name"], is_same) == ("VarianceScaling", "True")


def test_a_function_of_the_program_is_read_back_eagerly() -> None:
    def twice(x: Any) -> Any:
        return x * 2

    model = models.Sequential([layers.Dense(2, activation=twice, kernel_initializer="ones", input_shape=(3,))])
    again = models.model_from_json(model.to_json(), custom_objects={"twice": twice})
    again.set_weights(model.get_weights())
    assert again.predict(np.ones((1, 3))).tolist() == [[6.0, 6.0]]


def test_configurations_eagerly() -> None:
    config = layers.Dense(2, kernel_regularizer=regularizers.l2(0.5), kernel_initializer="he_normal").get_config()
    assert config["bias_initializer"] == {"class_name": "Zeros", "config": {"dtype": "float32"}}
    assert config["kernel_regularizer"] == {"class_name": "L1L2", "config": {"l1": 0.0, "l2": 0.5}}
    scaling = {"scale": 2.0, "mode": "fan_in", "distribution": "truncated_normal", "seed": None, "dtype": "float32"}
    assert config["kernel_initializer"] == {"class_name": "VarianceScaling", "config": scaling}
    assert initializers.serialize(initializers.get("glorot_uniform"))["class_name"] == "GlorotUniform"
    assert (activations.serialize(activations.tanh), losses.serialize(losses.mean_squared_error)) == (
        "tanh",
        "mean_squared_error",
    )


def test_code_of_another_python_is_refused() -> None:
    config = {"name": "twice", "function": ["4wEAAAA=", None, None], "function_type": "lambda"}
    with pytest.raises(ValueError, match="code of another version of Python"):
        layers.Lambda.from_config(config)
