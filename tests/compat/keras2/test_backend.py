"""Functions of Keras's backend give what they gave: `tf.keras.backend` of TF 1.15.5, `keras.backend` of Keras 2.2.5."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import compat
from compat.keras2 import activations, backend, layers, models
from tests.compat.keras2.process import printed
from tests.goldens.keras_backend_cases import cases, values

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "goldens" / "keras_backend.json").read_text())
STANDALONE = """
import json
import compat
from compat.keras2.standalone import backend
from tests.goldens.keras_backend_cases import standalone_cases, values
with compat.Graph().as_default():
    print(json.dumps(values(backend, standalone_cases(backend))))
"""


def _different(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    assert sorted(found) == sorted(wanted)
    return [text for text in wanted if not _same(found[text], wanted[text])]


def _same(found: list[Any], wanted: list[Any]) -> bool:
    if not isinstance(wanted[-1], list):
        return found == wanted
    return found[:2] == wanted[:2] and np.allclose(found[2], wanted[2], rtol=1e-5, atol=1e-6)


def test_the_backend_of_tf_keras() -> None:
    with compat.Graph().as_default():
        found = values(backend, cases(backend))
    backend.set_session(None)
    assert _different(found, GOLDEN["tf.keras"]) == []


def test_the_backend_of_the_stand_alone_package(tmp_path: Path) -> None:
    found = json.loads(printed(STANDALONE, tmp_path)[-1])
    assert _different(found, GOLDEN["keras"]) == []


def test_a_layers_softmax_over_three_dimensions_is_a_quotient_and_a_backends_is_not() -> None:
    """Losses take the logits of a softmax alone: TF 1.15.5 clipped the quotient of `Activation("softmax")`."""
    with compat.Graph().as_default():
        given = layers.Input((2, 3))
        assert activations.softmax(given).op.type == "RealDiv"
        assert backend.softmax(given).op.type == "Softmax"
        model = models.Model(given, layers.Activation("softmax")(given))
        model.compile("sgd", "sparse_categorical_crossentropy")
        x = np.array([[[0.0, 50.0, 0.0], [1.0, 2.0, 3.0]]], "float32")
        loss = model.test_on_batch(x, np.array([[[0], [2]]]))
    backend.set_session(None)
    np.testing.assert_allclose(loss, 8.262851, rtol=1e-6)
