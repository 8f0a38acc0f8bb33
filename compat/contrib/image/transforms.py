"""Projective transforms of images: `tf.contrib.image.transform` and its kin.

A transform is `[a0, a1, a2, b0, b1, b2, c0, c1]`: output point (x, y) takes the input point
((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) with k = c0 x + c1 y + 1. Points outside are 0.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

_DTYPES = (tf.uint8, tf.int32, tf.int64, tf.float16, tf.float32, tf.float64)


def transform(
    images: Any, transforms: Any, interpolation: str = "NEAREST", output_shape: Any = None, name: str | None = None
) -> tf.Tensor:
    """Applies projective transforms; stands for `tf.contrib.image.transform`.

    Args:
      images: `[batch, rows, columns, channels]`, `[rows, columns, channels]` or `[rows, columns]`.
      transforms: `[8]` for all, or `[batch, 8]`.
      interpolation: "NEAREST" or "BILINEAR".
      output_shape: rows and columns of the result, those of the images when None.

    Raises:
      TypeError: the type or the ranks do not fit.
      ValueError: `output_shape` has not two elements.
    """
    with tf.name_scope(name or "transform"):
        images = tf.convert_to_tensor(images, name="images")
        if images.dtype not in _DTYPES:
            raise TypeError(f"Invalid dtype {images.dtype}.")
        batch = _as_batch(images)
        size = tf.shape(batch)[1:3] if output_shape is None else tf.convert_to_tensor(output_shape, tf.int32)
        if size.shape.rank != 1 or size.shape[0] != 2:
            raise ValueError(f"output_shape must have 2 elements: new_height, new_width, got {output_shape}")
        transforms = tf.convert_to_tensor(transforms, tf.float32, name="transforms")
        if transforms.shape.rank == 1:
            transforms = transforms[tf.newaxis]
        if transforms.shape.rank != 2:
            raise TypeError(f"Transforms should have rank 1 or 2, but got rank {transforms.shape.rank}")
        result = tf.raw_ops.ImageProjectiveTransformV2(
            images=batch, output_shape=size, transforms=transforms, interpolation=interpolation.upper()
        )
        fixed = tf.get_static_value(size)
        rows, columns = batch.shape[1:3] if output_shape is None else (None, None) if fixed is None else fixed
        result.set_shape([batch.shape[0], rows, columns, batch.shape[3]])
        if images.shape.rank == 3:
            return result[0]
        return result[0, :, :, 0] if images.shape.rank == 2 else result


def _as_batch(images: tf.Tensor) -> tf.Tensor:
    if images.shape.rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if images.shape.rank == 2:
        return images[tf.newaxis, :, :, tf.newaxis]
    if images.shape.rank == 3:
        return images[tf.newaxis]
    if images.shape.rank != 4:
        raise TypeError("Images should have rank between 2 and 4.")
    return images


def translate(images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None) -> tf.Tensor:
    """Moves images by (dx, dy); stands for `tf.contrib.image.translate`.

    Args:
      translations: `[2]` for all, or `[batch, 2]`.
    """
    with tf.name_scope(name or "translate"):
        return transform(images, translations_to_projective_transforms(translations), interpolation)


def rotate(images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None) -> tf.Tensor:
    """Turns images counterclockwise around their centre; stands for `tf.contrib.image.rotate`.

    Args:
      angles: in radians, one for all or `[batch]`.
    """
    with tf.name_scope(name or "rotate"):
        images = tf.convert_to_tensor(images, name="images")
        rows, columns = (tf.cast(size, tf.float32) for size in tf.unstack(tf.shape(_as_batch(images))[1:3]))
        return transform(images, angles_to_projective_transforms(angles, rows, columns), interpolation)


def translations_to_projective_transforms(translations: Any, name: str | None = None) -> tf.Tensor:
    """The transforms that move by (dx, dy); `tf.contrib.image.translations_to_projective_transforms`.

    Raises:
      TypeError: the rank is not 1 or 2.
    """
    with tf.name_scope(name or "translations_to_projective_transforms"):
        moves = tf.convert_to_tensor(translations, tf.float32, name="translations")
        if moves.shape.rank == 1:
            moves = moves[tf.newaxis]
        if moves.shape.rank != 2:
            raise TypeError("Translations should have rank 1 or 2.")
        one, zero = tf.ones_like(moves[:, 0]), tf.zeros_like(moves[:, 0])
        return tf.stack([one, zero, -moves[:, 0], zero, one, -moves[:, 1], zero, zero], axis=1)


def angles_to_projective_transforms(
    angles: Any, image_height: Any, image_width: Any, name: str | None = None
) -> tf.Tensor:
    """The transforms that turn around the centre; `tf.contrib.image.angles_to_projective_transforms`.

    Raises:
      TypeError: the angles' rank is not 0 or 1.
    """
    with tf.name_scope(name or "angles_to_projective_transforms"):
        turns = tf.convert_to_tensor(angles, tf.float32, name="angles")
        if turns.shape.rank == 0:
            turns = turns[tf.newaxis]
        if turns.shape.rank != 1:
            raise TypeError("Angles should have rank 0 or 1.")
        cosine, sine = tf.cos(turns), tf.sin(turns)
        right, bottom = tf.cast(image_width, tf.float32) - 1, tf.cast(image_height, tf.float32) - 1
        x_offset = (right - (cosine * right - sine * bottom)) / 2.0
        y_offset = (bottom - (sine * right + cosine * bottom)) / 2.0
        zero = tf.zeros_like(turns)
        return tf.stack([cosine, -sine, x_offset, sine, cosine, y_offset, zero, zero], axis=1)


def flat_transforms_to_matrices(transforms: Any) -> tf.Tensor:
    """`[batch, 8]` to `[batch, 3, 3]`; stands for `tf.contrib.image.flat_transforms_to_matrices`."""
    flat = tf.convert_to_tensor(transforms, tf.float32)
    flat = flat[tf.newaxis] if flat.shape.rank == 1 else flat
    flat = tf.reshape(flat, [-1, 8])
    return tf.reshape(tf.concat([flat, tf.ones_like(flat[:, :1])], axis=1), [-1, 3, 3])


def matrices_to_flat_transforms(transform_matrices: Any) -> tf.Tensor:
    """`[batch, 3, 3]` to `[batch, 8]`; stands for `tf.contrib.image.matrices_to_flat_transforms`."""
    flat = tf.reshape(tf.convert_to_tensor(transform_matrices, tf.float32), [-1, 9])
    return (flat / flat[:, 8:9])[:, :8]


def compose_transforms(*transforms: Any) -> tf.Tensor:
    """One transform for several, the first applied first; stands for `tf.contrib.image.compose_transforms`.

    Raises:
      ValueError: none is given.
    """
    if not transforms:
        raise ValueError("compose_transforms needs at least one transform")
    composed = flat_transforms_to_matrices(transforms[0])
    for one in transforms[1:]:
        composed = tf.matmul(composed, flat_transforms_to_matrices(one))
    return matrices_to_flat_transforms(composed)
