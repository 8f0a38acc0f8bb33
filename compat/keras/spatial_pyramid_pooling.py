"""Spatial pyramid pooling of images whose size is known only when they come."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["SpatialPyramidPooling", "spatial_pyramid_pool"]

_POOLINGS = ("average", "max")


@tf.keras.utils.register_keras_serializable("compat")
class SpatialPyramidPooling(tf.keras.layers.Layer):  # type: ignore[misc]
    """One level of a spatial pyramid: images of any size are pooled to `scale` x `scale` regions.

    A pooling layer wants its window as numbers, and so the images' size; this one takes any size, and unknown ones.
    Pixel y of H rows belongs to region ``floor(y * scale / H)``, as columns do; each pixel belongs to one region. Where
    `scale` divides the size, that is `tf.nn.avg_pool2d` or `tf.nn.max_pool2d` with window and stride H / scale.
    Where it is larger than the size, a region has the one pixel that it lies in.

    It takes the place of the form with masks (an identity matrix resized to the images, multiplied with them), which
    takes scale ** 2 times the images' memory, and is wrong in these ways: its average divides by H * W / scale ** 2
    where regions have other numbers of pixels (an image of ones, 7 x 7 at scale 6, gives from 0.73 to 2.94); its
    maximum is 0 where all pixels are negative, for those outside of the mask count as 0; regions without pixels, where
    the scale is larger than the image, give 0. As it is usually passed on it does not run either: a bracket too many,
    `tf.images` for `tf.image`, the names `pooled`, `h` and `w` undefined.

    A pyramid has several levels::

        levels = [SpatialPyramidPooling(scale, upsample=True)(images) for scale in (1, 2, 3, 6)]
        together = tf.keras.layers.Concatenate()([images, *levels])

    Args:
      scale: regions along both axes; or a pair, of rows and of columns.
      pooling: "average" or "max".
      upsample: resize the result to the images' own size, bilinearly and with the sampling points of TF 1.15's
        `tf.image.resize_bilinear`.
      **kwargs: of `tf.keras.layers.Layer`.

    Raises:
      ValueError: `scale` is below 1, or `pooling` is another.
      TypeError: an average of integers is asked for.

    Example:
      >>> images = tf.keras.Input([None, None, 1])
      >>> model = tf.keras.Model(images, SpatialPyramidPooling(2, "max")(images))
      >>> model(tf.reshape(tf.range(-12.0, 0.0), [1, 3, 4, 1]))[0, :, :, 0].numpy()
      array([[-7., -5.],
             [-3., -1.]], dtype=float32)
    """

    def __init__(
        self, scale: int | tuple[int, int], pooling: str = "average", upsample: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.rows, self.columns = _pair(scale)
        self.pooling = _known(pooling)
        self.upsample = upsample

    def call(self, inputs: Any) -> Any:
        """Pools [batch, height, width, channels] to [batch, rows, columns, channels], or upsamples that again."""
        return spatial_pyramid_pool(inputs, (self.rows, self.columns), self.pooling, self.upsample)

    def compute_output_shape(self, inputs_shape: Any) -> tuple[int | None, ...]:
        batch, height, width, channels = inputs_shape
        size = (height, width) if self.upsample else (self.rows, self.columns)
        return (batch, *size, channels)

    def get_config(self) -> dict[str, Any]:
        config = {"scale": [self.rows, self.columns], "pooling": self.pooling, "upsample": self.upsample}
        return {**super().get_config(), **config}


def spatial_pyramid_pool(
    images: Any, scale: int | tuple[int, int], pooling: str = "average", upsample: bool = False
) -> tf.Tensor:
    """What `SpatialPyramidPooling` computes, as a function of tensors.

    Args:
      images: [batch, height, width, channels].
      scale, pooling, upsample: as for the layer.

    Returns:
      [batch, rows, columns, channels]; with `upsample`, [batch, height, width, channels]. Where several pixels are a
      region's maximum, the gradient is shared among them.

    Example:
      >>> spatial_pyramid_pool(tf.ones([1, 5, 7, 2]), 3).shape
      TensorShape([1, 3, 3, 2])
    """
    images = tf.convert_to_tensor(images)
    images.shape.assert_has_rank(4)
    rows, columns = _pair(scale)
    if _known(pooling) == "average" and not images.dtype.is_floating:
        raise TypeError(f"an average of {images.dtype.name} is no {images.dtype.name}: cast the images first")
    # Sums of half precision lose what single precision keeps.
    exact = tf.cast(images, tf.float32) if images.dtype in (tf.float16, tf.bfloat16) else images
    # Means of means are right here: along one axis all regions of the other have the same number of pixels.
    upright = _pooled_rows(tf.transpose(exact, [1, 0, 2, 3]), rows, pooling)
    pooled = tf.transpose(_pooled_rows(tf.transpose(upright, [2, 1, 0, 3]), columns, pooling), [1, 2, 0, 3])
    if upsample:
        size = tf.shape(images)[1:3]
        resized = tf.raw_ops.ResizeBilinear(images=pooled, size=size)  # its result has its own type, float32
        pooled = tf.ensure_shape(resized, images.shape)
    return tf.cast(pooled, images.dtype)


def _pooled_rows(x: tf.Tensor, regions: int, pooling: str) -> tf.Tensor:
    """Pools the first axis to a number of regions."""
    size = tf.shape(x)[0]
    with tf.control_dependencies(_not_empty(size)):
        parts = tf.maximum(size, regions)
    if x.shape[0] is None or x.shape[0] < regions:
        x = tf.gather(x, tf.range(parts) * size // parts)  # each pixel as often as a region lies in it
    region = tf.range(parts) * regions // parts
    pool = tf.math.unsorted_segment_mean if pooling == "average" else tf.math.unsorted_segment_max
    return pool(x, region, regions)


def _not_empty(size: tf.Tensor) -> list[Any]:
    check = tf.debugging.assert_positive(size, "there are no pixels to pool")
    return [] if check is None else [check]


def _pair(scale: Any) -> tuple[int, int]:
    rows, columns = scale if isinstance(scale, list | tuple) else (scale, scale)
    if rows < 1 or columns < 1:
        raise ValueError(f"scale must be at least 1, but is {scale}")
    return int(rows), int(columns)


def _known(pooling: str) -> str:
    if pooling not in _POOLINGS:
        raise ValueError(f"pooling must be one of {', '.join(_POOLINGS)}, but is {pooling!r}")
    return pooling
