"""`ConstantNoise`: one tensor for each size, drawn once, kept by all that saves a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras import ConstantNoise
from tests.compat.keras.saving import saved_and_loaded


def model(**options: Any) -> tf.keras.Model:
    images = tf.keras.Input([None, None, 3])
    return tf.keras.Model(images, ConstantNoise(**options)(images))


def noise_of(network: Any, height: int = 5, width: int = 4, batch: int = 1) -> Any:
    return np.asarray(network(tf.zeros([batch, height, width, 3])))


def test_it_is_the_same_in_each_call_and_for_each_image() -> None:
    network = model(stddev=2.0)
    first = noise_of(network)
    np.testing.assert_array_equal(noise_of(network, batch=3), np.repeat(first, 3, axis=0))
    images = np.ones((2, 5, 4, 3), np.float32)
    np.testing.assert_array_equal(network(images), images + first)


def test_each_size_has_its_own() -> None:
    network = model(stddev=1.0)
    small, large = noise_of(network), noise_of(network, 7, 9)
    assert large.shape == (1, 7, 9, 3)
    np.testing.assert_array_equal(noise_of(network), small)


def test_saved_and_loaded(tmp_path: Path) -> None:
    network = model(stddev=1.0)
    expected = noise_of(network)
    for form, loaded in saved_and_loaded(network, tmp_path):
        np.testing.assert_array_equal(noise_of(loaded), expected, err_msg=form)
        assert noise_of(loaded, 2, 8).shape == (1, 2, 8, 3), form


def test_checkpoints_and_weights_keep_it(tmp_path: Path) -> None:
    network, other = model(stddev=1.0), model(stddev=1.0)
    assert not np.array_equal(noise_of(network), noise_of(other))
    path = tf.train.Checkpoint(network).write(str(tmp_path / "checkpoint"))
    tf.train.Checkpoint(other).read(path).assert_consumed()
    np.testing.assert_array_equal(noise_of(other), noise_of(network))
    third = model(stddev=1.0)
    third.set_weights(network.get_weights())
    np.testing.assert_array_equal(noise_of(third), noise_of(network))


def test_its_moments() -> None:
    drawn = noise_of(model(stddev=0.5, mean=3.0, seed=0), 200, 200)
    assert drawn.mean() == pytest.approx(3.0, abs=0.01)
    assert drawn.std() == pytest.approx(0.5, abs=0.01)


def test_seeds() -> None:
    np.testing.assert_array_equal(noise_of(model(seed=4)), noise_of(model(seed=4)))
    assert not np.array_equal(noise_of(model(seed=4)), noise_of(model(seed=5)))
    drawn = []
    for _ in range(2):
        tf.keras.utils.set_random_seed(11)
        drawn.append(noise_of(model()))
    np.testing.assert_array_equal(drawn[0], drawn[1])


def test_training_leaves_it_alone() -> None:
    images = tf.keras.Input([4, 4, 1])
    network = tf.keras.Model(images, tf.keras.layers.Conv2D(1, 3)(ConstantNoise(1.0, name="noise")(images)))
    network.compile("sgd", "mse")
    layer = network.get_layer("noise")
    before = layer.drawn_from.numpy()
    network.fit(np.ones((8, 4, 4, 1)), np.zeros((8, 2, 2, 1)), verbose=0)
    np.testing.assert_array_equal(layer.drawn_from.numpy(), before)
    assert len(network.trainable_weights) == 2


def test_half_precision_is_the_same_noise_rounded() -> None:
    half = ConstantNoise(1.0, seed=3, dtype="float16")(tf.zeros([1, 6], tf.float16))
    single = ConstantNoise(1.0, seed=3)(tf.zeros([1, 6]))
    assert half.dtype == tf.float16
    np.testing.assert_array_equal(half, tf.cast(single, tf.float16))


def test_the_variable_of_tensorflow_1(graph: Any, tmp_path: Path) -> None:
    """A variable of unknown shape, made from the first batch, stays what it is: the figures are of TF 1.15.5."""
    x = compat.placeholder(tf.float32, [None, None, None, 3])
    drawn = tf.random.normal(tf.shape(x)[1:], stddev=0.001, seed=3)
    y = x + compat.Variable(drawn, validate_shape=False, trainable=False, name="noise")
    saver = compat.train.Saver()
    zeros = np.zeros((2, 4, 5, 3), np.float32)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer(), {x: zeros})
        noise = session.run(y, {x: zeros})
        np.testing.assert_allclose(noise[0, 0, 0], [0.00106166, -0.00087858, 0.00011187], atol=1e-8)
        np.testing.assert_array_equal(noise[0], noise[1])
        np.testing.assert_array_equal(session.run(y, {x: zeros[:1]}), noise[:1])
        path = saver.save(session, str(tmp_path / "noise"))
    with compat.Session() as session:
        saver.restore(session, path)
        np.testing.assert_array_equal(session.run(y, {x: zeros}), noise)


def test_errors() -> None:
    with pytest.raises(ValueError, match="stddev"):
        ConstantNoise(-1.0)
    with pytest.raises(ValueError, match="seed"):
        ConstantNoise(seed=2**31)
    with pytest.raises(TypeError, match="uint8"):
        ConstantNoise()(tf.zeros([1, 2], tf.uint8))
