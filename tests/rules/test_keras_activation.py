"""The name of an activation that Keras 3 means another function by."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.engine import becomes, unchanged

HEAD = "import tensorflow as tf\nfrom tensorflow.keras import layers\n"
NEW = "import tensorflow as tf\nfrom tensorflow.keras import layers\nimport compat\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("layers.Activation('hard_sigmoid')", "layers.Activation(compat.keras.activations.hard_sigmoid)"),
        (
            "layers.Dense(3, activation='hard_sigmoid', name='hard_sigmoid')",
            "layers.Dense(3, activation=compat.keras.activations.hard_sigmoid, name='hard_sigmoid')",
        ),
        ("tf.keras.activations.get('hard_sigmoid')", "tf.keras.activations.get(compat.keras.activations.hard_sigmoid)"),
    ],
)
def test_layers_that_are_given_the_name(before: str, after: str) -> None:
    becomes(f"{HEAD}made = {before}\n", f"{NEW}made = {after}\n")


def test_other_names_and_other_calls_stay() -> None:
    unchanged(f"{HEAD}made = [layers.Activation('sigmoid'), print('hard_sigmoid')]\n")
    unchanged("from tensorflow.keras import layers\n\nmade = layers.Activation('relu', name='hard_sigmoid')\n")


def test_the_functions_differ() -> None:
    x = tf.constant([1.0])
    ours = tf.keras.layers.Activation(compat.keras.activations.hard_sigmoid)(x)
    np.testing.assert_allclose(ours, [0.7], rtol=1e-6)  # TF 1.15.5: clip(x / 5 + 1 / 2, 0, 1)
    assert abs(float(tf.keras.layers.Activation("hard_sigmoid")(x)[0]) - 0.7) > 0.03
