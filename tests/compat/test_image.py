"""Functions of `tf.image` whose results in TensorFlow 2 are others; the values are those of TF 1.15.5."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import compat

PIXELS = np.array([[[3], [200]], [[90], [255]]])
STANDARD = [
    ("uint8", 1, [0, 126, 0, 236]),
    ("int16", 50, [-13400, 6300, -4700, 11800]),
    ("int32", 1, [-268, 126, -94, 236]),
    ("float16", 1, [-1.374, 0.646, -0.482, 1.21]),
    ("float64", 1, [-1.374, 0.646, -0.482, 1.21]),
]


@pytest.mark.parametrize(("dtype", "factor", "wanted"), STANDARD)
def test_standardized_images_keep_their_type(dtype: str, factor: int, wanted: list[float]) -> None:
    images = (PIXELS * factor).astype(dtype)
    found = compat.image.per_image_standardization(tf.constant(images)).numpy()
    assert found.dtype == images.dtype
    np.testing.assert_allclose(found.ravel(), wanted, atol=2e-3)


def test_under_the_bridge() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        fed = compat.placeholder(tf.uint8, [None, None, 1])
        standard = compat.image.per_image_standardization(fed)
        np.testing.assert_array_equal(session.run(standard, {fed: PIXELS}).ravel(), STANDARD[0][2])
