"""What a model says of itself is what TF 1.15.5's said: JSON, YAML, `get_config`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import compat
from compat.keras2 import backend, layers, models


@pytest.fixture(autouse=True)
def _in_a_graph() -> Iterator[None]:
    with compat.Graph().as_default():
        yield
        backend.set_session(None)


def _nested() -> tuple[Any, Any]:
    first = layers.Dense(2, input_shape=(3,), kernel_initializer="ones", name="first")
    inner = models.Sequential([first, layers.Dropout(0.3, name="some")], name="inner")
    x = layers.Input((3,), name="x")
    middle = models.Model(x, layers.add([inner(x), layers.Dense(2, name="other")(x)], name="sum"), name="middle")
    return inner, models.Model(x, middle(x), name="outer")


def test_json_of_nested_models() -> None:
    inner, outer = _nested()
    told = json.loads(inner.to_json())
    assert sorted(told) == ["backend", "class_name", "config", "keras_version"]
    assert told["keras_version"] == "2.2.4-tf"
    assert [layer["class_name"] for layer in told["config"]["layers"]] == ["Dense", "Dropout"]
    assert told["config"]["layers"][0]["config"]["batch_input_shape"] == [None, 3]
    told = json.loads(outer.to_json())
    assert (told["class_name"], type(outer).__name__) == ("Model", "Model")
    assert sorted(told["config"]) == ["input_layers", "layers", "name", "output_layers"]
    given, middle = told["config"]["layers"]
    assert sorted(given["config"]) == ["batch_input_shape", "dtype", "name", "ragged", "sparse"]
    assert middle["class_name"] == "Model" and middle["inbound_nodes"] == [[["x", 0, 0, {}]]]
    kept = [layer["class_name"] for layer in middle["config"]["layers"][1]["config"]["layers"]]
    assert kept == ["Dense", "Dropout"]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_models_come_back(form: str) -> None:
    _, outer = _nested()
    text = getattr(outer, f"to_{form}")()
    again = getattr(models, f"model_from_{form}")(text)
    again.set_weights(outer.get_weights())
    x = np.linspace(-1, 1, 6).reshape(2, 3)
    np.testing.assert_array_equal(again.predict(x), outer.predict(x))
    assert [layer.name for layer in again.layers] == ["x", "middle"]


def test_yaml_makes_no_objects() -> None:
    with pytest.raises(Exception, match="could not determine a constructor"):
        models.model_from_yaml("!!python/object/apply:os.getcwd []")


def test_a_sequential_comes_back_from_its_configuration() -> None:
    inner, _ = _nested()
    again = models.Sequential.from_config(inner.get_config())
    again.set_weights(inner.get_weights())
    x = np.ones((1, 3))
    np.testing.assert_array_equal(again.predict(x), inner.predict(x))
    assert sorted(again.get_config()) == ["layers", "name"]


def test_files_come_back(tmp_path: Any) -> None:
    _, outer = _nested()
    path = str(tmp_path / "outer.h5")
    outer.save(path)
    again = models.load_model(path)
    np.testing.assert_array_equal(again.predict(np.ones((1, 3))), outer.predict(np.ones((1, 3))))
    assert models.clone_model(outer).count_params() == outer.count_params() == 16
