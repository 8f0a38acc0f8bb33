"""Spatial pyramid pooling in TensorFlow 1.15.5: by windows, where the scale divides the size, and by masks elsewhere.

    .legacy/bin/python -m tests.goldens.make_pyramid

The masks are those of the form that goes around (an identity matrix, resized), with its divisor and its maximum mended.
"""

import os

import numpy as np
import tensorflow as tf

# height, width, scale
CASES = [(4, 6, 2), (6, 6, 3), (8, 8, 1), (8, 4, 4), (5, 7, 2), (7, 5, 3), (11, 6, 4), (3, 9, 3)]


def by_windows(images, scale, pool):
    height, width = images.get_shape().as_list()[1:3]
    window = (height // scale, width // scale)
    return pool(images, pool_size=window, strides=window)


def by_masks(images, scale, pooling):
    size = tf.shape(images)
    regions = tf.reshape(tf.eye(scale * scale), [1, scale, scale, scale * scale])
    mask = tf.expand_dims(tf.image.resize_nearest_neighbor(regions, size[1:3]), 3)
    parts = tf.expand_dims(images, 4)
    if pooling == "average":
        pooled = tf.reduce_sum(parts * mask, [1, 2]) / tf.reduce_sum(mask, [1, 2])
    else:
        pooled = tf.reduce_max(
            tf.where(
                tf.broadcast_to(mask > 0, tf.shape(parts * mask)),
                parts * mask,
                tf.fill(tf.shape(parts * mask), -np.inf),
            ),
            [1, 2],
        )
    pooled = tf.reshape(pooled, [size[0], size[3], scale, scale])
    return tf.transpose(pooled, [0, 2, 3, 1])


def main():
    random = np.random.RandomState(3)
    arrays = {}
    for number, (height, width, scale) in enumerate(CASES):
        images = random.randn(2, height, width, 3).astype(np.float32) - 2.0
        with tf.Graph().as_default(), tf.Session() as session:
            given = tf.constant(images)
            divides = height % scale == 0 and width % scale == 0
            for pooling, pool in (("average", tf.layers.average_pooling2d), ("max", tf.layers.max_pooling2d)):
                pooled = by_windows(given, scale, pool) if divides else by_masks(given, scale, pooling)
                resized = tf.image.resize_bilinear(pooled, (height, width))
                small, large = session.run([pooled, resized])
                arrays[f"{number}/{pooling}"] = small
                arrays[f"{number}/{pooling}/upsampled"] = large
        arrays[f"{number}/images"] = images
        arrays[f"{number}/scale"] = scale
    np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pyramid.npz"), **arrays)


if __name__ == "__main__":
    main()
