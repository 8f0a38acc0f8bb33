"""`without_layers`: what stays is the model's own, and what cannot be done is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from compat.keras import without_layers
from tests.compat.keras.saving import saved_and_loaded

layers = tf.keras.layers
KERAS = tuple(int(number) for number in tf.keras.__version__.split(".")[:2])


def conv(name: str, filters: int = 2) -> Any:
    return layers.Conv2D(filters, 3, padding="same", bias_initializer="normal", name=name)


def images(batch: int = 1, size: int = 8) -> Any:
    return np.random.RandomState(0).rand(batch, size, size, 2).astype(np.float32)


def test_a_chain_keeps_its_weights() -> None:
    x = tf.keras.Input([None, None, 2])
    first, second = conv("first"), conv("second")
    model = tf.keras.Model(x, second(layers.MaxPool2D(name="pool")(first(x))), name="net")
    finer = without_layers(model, "pool")
    assert finer.name == "net" and [layer.name for layer in finer.layers][1:] == ["first", "second"]
    np.testing.assert_array_equal(finer(images()), second(first(images())))
    assert all(one is other for one, other in zip(finer.weights, model.weights, strict=True))
    assert model(images()).shape == (1, 4, 4, 2), "the model itself is as it was"


def test_branches_and_layers_that_are_called_twice() -> None:
    x = tf.keras.Input([8, 8, 2])
    shared, pool = conv("shared"), layers.AveragePooling2D(2, name="pool")
    left = shared(pool(x))
    right = pool(shared(x))
    model = tf.keras.Model(x, [layers.Add(name="sum")([left, right]), left])
    both, one = without_layers(model, ["pool"])(images())
    np.testing.assert_allclose(both, 2 * shared(images()), rtol=1e-6)
    np.testing.assert_array_equal(one, shared(images()))


def test_layers_next_to_the_output_and_to_each_other() -> None:
    x = tf.keras.Input([8, 8, 2])
    stem = conv("stem")
    y = layers.GlobalMaxPool2D(name="head")(layers.ReLU(name="relu")(layers.ReLU(name="other")(stem(x))))
    cut = without_layers(tf.keras.Model(x, y), ["relu", "other", "head"])
    np.testing.assert_array_equal(cut(images()), stem(images()))


def test_models_inside_of_models() -> None:
    x = tf.keras.Input([None, None, 2])
    inner_input = tf.keras.Input([None, None, 2])
    stem = conv("stem")
    inner = tf.keras.Model(inner_input, layers.MaxPool2D(name="pool")(stem(inner_input)), name="inner")
    model = tf.keras.Model(x, layers.MaxPool2D(name="pool")(inner(inner(x))))
    finer = without_layers(model, ["inner/pool", "pool"])
    np.testing.assert_array_equal(finer(images()), stem(stem(images())))
    assert without_layers(model, "inner/pool")(images()).shape == (1, 4, 4, 2)
    if KERAS >= (3, 13):
        np.testing.assert_array_equal(without_layers(model, ["inner", "pool"])(images()), images())
    else:  # Keras had no models without any layer yet
        with pytest.raises(ValueError, match="not connected"):
            without_layers(model, ["inner", "pool"])
    assert model(images()).shape == (1, 1, 1, 2)


def test_sequential_models() -> None:
    first, second = conv("first"), conv("second")
    model = tf.keras.Sequential([tf.keras.Input([8, 8, 2]), first, layers.Dropout(0.5, name="drop"), second])
    cut = without_layers(model, "drop")
    np.testing.assert_array_equal(cut(images(), training=True), second(first(images())))


def test_training_arguments_go_on_to_the_layers_that_stay() -> None:
    x = tf.keras.Input([4])
    model = tf.keras.Model(x, layers.ReLU(name="relu")(layers.Dropout(0.5, name="drop")(x)))
    cut = without_layers(model, "relu")
    ones = np.ones((100, 4), np.float32)
    assert set(np.unique(cut(ones, training=True))) == {0.0, 2.0}
    np.testing.assert_array_equal(cut(ones, training=False), ones)


def test_saved_loaded_and_trained(tmp_path: Path) -> None:
    x = tf.keras.Input([None, None, 2])
    model = tf.keras.Model(x, conv("second")(layers.MaxPool2D(name="pool")(conv("first")(x))))
    finer = without_layers(model, "pool")
    expected = finer(images())
    for form, loaded in saved_and_loaded(finer, tmp_path):
        np.testing.assert_allclose(loaded(tf.constant(images())), expected, atol=1e-6, err_msg=form)
    finer.compile("sgd", "mse")
    before = model.get_weights()
    finer.fit(images(4), np.zeros((4, 8, 8, 2)), verbose=0)
    assert not np.array_equal(before[0], model.get_weights()[0]), "the weights are shared, as the docstring says"


def test_errors() -> None:
    x = tf.keras.Input([8, 8, 2], name="x")
    y = layers.Add(name="sum")([conv("stem")(x), x])
    model = tf.keras.Model(x, layers.Dense(3, name="head")(layers.Flatten(name="flat")(y)), name="net")
    with pytest.raises(ValueError, match="no layer 'heat'; there is head"):
        without_layers(model, "heat")
    with pytest.raises(ValueError, match="sum has 2 inputs"):
        without_layers(model, "sum")
    with pytest.raises(ValueError, match="'x' is an input"):
        without_layers(model, "x")
    with pytest.raises(ValueError, match="without flat, layer head does not take"):
        without_layers(model, "flat")
    with pytest.raises(TypeError, match="Dense"):
        without_layers(model, "head/kernel")

    class Own(tf.keras.Model):  # type: ignore[misc]
        pass

    with pytest.raises(TypeError, match="Own"):
        without_layers(Own(), "anything")
    with pytest.raises(ValueError, match="not been built"):
        without_layers(tf.keras.Sequential([layers.Dense(1, name="one")]), "one")
