"""Recurrent layers with TF 1.15's defaults: the values that TF 1.15.5 gives for the same weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.engine import becomes
from tests.goldens.keras_recurrent_cases import POINTS, outputs

GOLDEN = json.loads((Path(__file__).parents[2] / "goldens" / "keras_recurrent.json").read_text(encoding="utf-8"))
OURS = outputs(tf.keras, compat.keras.layers, lambda tensor: tensor.numpy())


@pytest.mark.parametrize("name", OURS)
def test_values(name: str) -> None:
    np.testing.assert_allclose(OURS[name], GOLDEN[name], rtol=1.3e-6, atol=1e-6)


def test_keras_3_has_others() -> None:
    """Else the shims would not be needed."""
    theirs = outputs(tf.keras, tf.keras.layers, lambda tensor: tensor.numpy())
    assert np.abs(np.subtract(theirs["LSTM"], GOLDEN["LSTM"])).max() > 1e-3
    assert theirs.keys() == OURS.keys()


def test_hard_sigmoid() -> None:
    np.testing.assert_allclose(compat.keras.activations.hard_sigmoid(POINTS), GOLDEN["hard_sigmoid"], rtol=1e-6)


@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    model = tf.keras.Sequential([tf.keras.Input([5, 3]), getattr(compat.keras.layers, name)(4)])
    model.save(str(tmp_path / "model.keras"))
    loaded = tf.keras.models.load_model(str(tmp_path / "model.keras"))
    given = tf.ones([2, 5, 3])
    np.testing.assert_array_equal(loaded(given), model(given))


def test_rewritten() -> None:
    becomes(
        """
        import tensorflow as tf
        from tensorflow.keras.layers import GRU, Dense
        def model():
            return [tf.keras.layers.LSTM(4), GRU(4), Dense(2)]
        """,
        """
        import tensorflow as tf
        from compat.keras.layers import GRU
        from tensorflow.keras.layers import Dense
        import compat
        def model():
            return [compat.keras.layers.LSTM(4), GRU(4), Dense(2)]
        """,
    )
