"""Spatial pyramid pooling: TF 1.15.5's values, plain NumPy's, and those of the window form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import strategies

import compat
from compat.keras import SpatialPyramidPooling, spatial_pyramid_pool
from tests.compat.keras.saving import saved_and_loaded

GOLDENS = np.load(Path(__file__).parents[2] / "goldens" / "pyramid.npz")
NUMBERS = sorted({int(name.split("/")[0]) for name in GOLDENS})


def plain(images: Any, rows: int, columns: int, pooling: str) -> Any:
    """Region by region."""
    batch, height, width, channels = images.shape
    result = np.empty((batch, rows, columns, channels), images.dtype)
    for i in range(rows):
        ys = [i * height // rows] if rows > height else [y for y in range(height) if y * rows // height == i]
        for j in range(columns):
            xs = [j * width // columns] if columns > width else [x for x in range(width) if x * columns // width == j]
            region = images[:, ys][:, :, xs]
            result[:, i, j] = region.mean((1, 2)) if pooling == "average" else region.max((1, 2))
    return result


@pytest.mark.parametrize("pooling", ["average", "max"])
@pytest.mark.parametrize("number", NUMBERS)
def test_values_of_tensorflow_1(number: int, pooling: str) -> None:
    images, scale = GOLDENS[f"{number}/images"], int(GOLDENS[f"{number}/scale"])
    sizes = tf.TensorSpec([None, None, None, 3], tf.float32)
    for upsample, key in ((False, f"{number}/{pooling}"), (True, f"{number}/{pooling}/upsampled")):
        pool = tf.function(lambda x, up=upsample: spatial_pyramid_pool(x, scale, pooling, up), input_signature=[sizes])
        np.testing.assert_allclose(pool(images), GOLDENS[key], rtol=0, atol=1e-6)
        np.testing.assert_allclose(spatial_pyramid_pool(images, scale, pooling, upsample), pool(images), atol=1e-6)


@hypothesis.given(
    height=strategies.integers(1, 12),
    width=strategies.integers(1, 12),
    rows=strategies.integers(1, 9),
    columns=strategies.integers(1, 9),
    pooling=strategies.sampled_from(["average", "max"]),
)
@hypothesis.settings(deadline=None, max_examples=60)
def test_what_plain_numpy_gives(height: int, width: int, rows: int, columns: int, pooling: str) -> None:
    images = np.random.RandomState(height * 13 + width).randn(2, height, width, 2) - 3.0
    pooled = spatial_pyramid_pool(images, (rows, columns), pooling)
    assert pooled.shape == (2, rows, columns, 2)
    np.testing.assert_allclose(pooled, plain(images, rows, columns, pooling), rtol=1e-12)


@pytest.mark.parametrize("scale", [1, 2, 3, 6])
def test_the_window_form_where_it_applies(scale: int) -> None:
    images = tf.random.stateless_normal([2, 6, 12, 3], [1, 2])
    window = [6 // scale, 12 // scale]
    np.testing.assert_array_equal(
        spatial_pyramid_pool(images, scale, "max"), tf.nn.max_pool2d(images, window, window, "VALID")
    )
    np.testing.assert_allclose(
        spatial_pyramid_pool(images, scale), tf.nn.avg_pool2d(images, window, window, "VALID"), atol=1e-6
    )


def test_what_is_wrong_with_masks() -> None:
    """The figures of the docstring: 7 x 7 ones at scale 6 divided by 49 / 36, and a maximum with zeros in it."""
    ones = np.ones((1, 7, 7, 1), np.float32)
    regions = np.arange(7) * 6 // 7
    counts = np.outer(np.bincount(regions), np.bincount(regions))
    wrong = counts / (49 / 36)
    assert (round(wrong.min(), 2), round(wrong.max(), 2)) == (0.73, 2.94)
    np.testing.assert_array_equal(spatial_pyramid_pool(ones, 6), np.ones((1, 6, 6, 1)))
    np.testing.assert_array_equal(spatial_pyramid_pool(-ones, 6, "max"), -np.ones((1, 6, 6, 1)))
    np.testing.assert_array_equal(spatial_pyramid_pool(ones, 9), np.ones((1, 9, 9, 1)))


@pytest.mark.parametrize("pooling", ["average", "max"])
@pytest.mark.parametrize("upsample", [False, True])
def test_saved_and_loaded(pooling: str, upsample: bool, tmp_path: Path) -> None:
    images = tf.keras.Input([None, None, 2])
    network = tf.keras.Model(images, SpatialPyramidPooling((2, 3), pooling, upsample)(images))
    assert network.output_shape == ((None, None, None, 2) if upsample else (None, 2, 3, 2))
    for form, loaded in saved_and_loaded(network, tmp_path):
        for height, width in ((5, 7), (2, 2)):
            given = np.random.RandomState(0).randn(1, height, width, 2).astype(np.float32)
            expected = spatial_pyramid_pool(given, (2, 3), pooling, upsample)
            np.testing.assert_allclose(loaded(tf.constant(given)), expected, atol=1e-6, err_msg=form)


def test_a_pyramid_learns() -> None:
    images = tf.keras.Input([None, None, 1])
    levels = [SpatialPyramidPooling(scale, pooling, True)(images) for scale, pooling in ((1, "max"), (2, "average"))]
    together = tf.keras.layers.Concatenate()([images, *levels])
    network = tf.keras.Model(images, tf.keras.layers.Conv2D(1, 1)(together))
    network.compile(tf.keras.optimizers.Adam(0.05), "mse")
    random = np.random.RandomState(0)
    losses = []
    for size in (5, 8, 5, 8):
        x = random.rand(16, size, size + 1, 1)
        y = x + x.mean((1, 2), keepdims=True)
        losses.append(network.fit(x, y, epochs=20, verbose=0).history["loss"][-1])
    assert losses[-1] < 0.5 * losses[0]


def test_gradients() -> None:
    images = tf.constant(np.random.RandomState(1).permutation(30).reshape(1, 5, 6, 1), tf.float64)
    for pooling in ("average", "max"):
        (theory,), (measured,) = tf.test.compute_gradient(
            lambda x, pooling=pooling: spatial_pyramid_pool(x, (2, 7), pooling), [images], delta=1e-3
        )
        np.testing.assert_allclose(theory, measured, atol=1e-6)


def test_types() -> None:
    integers = tf.constant(np.arange(20).reshape(1, 4, 5, 1), tf.uint8)
    assert spatial_pyramid_pool(integers, 2, "max")[0, :, :, 0].numpy().tolist() == [[7, 9], [17, 19]]
    with pytest.raises(TypeError, match="uint8"):
        spatial_pyramid_pool(integers, 2)
    many = tf.ones([1, 100, 100, 1], tf.float16) * 7
    assert spatial_pyramid_pool(many, 1).numpy().item() == 7  # a sum in float16 would be infinite


def test_in_a_graph_of_tf1(graph: Any) -> None:
    images = compat.placeholder(tf.float32, [None, None, None, 1])
    pooled = spatial_pyramid_pool(images, 2, "max")
    with compat.Session() as session:
        given = np.arange(12.0).reshape(1, 3, 4, 1)
        assert session.run(pooled, {images: given})[0, :, :, 0].tolist() == [[5, 7], [9, 11]]


def test_errors() -> None:
    with pytest.raises(ValueError, match="scale"):
        SpatialPyramidPooling(0)
    with pytest.raises(ValueError, match="average, max"):
        SpatialPyramidPooling(2, "median")
    with pytest.raises(tf.errors.InvalidArgumentError, match="no pixels"):
        spatial_pyramid_pool(tf.zeros([1, 0, 3, 1]), 2)
    with pytest.raises(ValueError, match="rank"):
        spatial_pyramid_pool(tf.zeros([3, 3, 1]), 2)
