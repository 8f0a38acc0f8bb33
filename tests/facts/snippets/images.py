"""TF 1.x calls of image functions; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

X = (np.arange(48, dtype=np.float32) / 47).reshape(1, 4, 4, 3)
P = X[0]
U = (P * 255).astype(np.uint8)
BOXES = np.array([[0.0, 0.0, 0.5, 0.5], [0.1, 0.1, 1.0, 0.9]], np.float32)


def png():
    """An encoded image."""
    return tf.image.encode_png(U)


SNIPPETS = {
    "tf.image.resize_images": lambda: tf.image.resize_images(X, [3, 6]),
    "tf.image.resize_images / uint8": lambda: tf.image.resize_images(U, [2, 3]),
    "tf.image.resize_images / align_corners": lambda: tf.image.resize_images(X, [3, 6], align_corners=True),
    "tf.image.resize_images / method": lambda: tf.image.resize_images(
        X, [3, 6], tf.image.ResizeMethod.NEAREST_NEIGHBOR
    ),
    "tf.image.resize_images / bicubic": lambda: tf.image.resize_images(X, [3, 6], method=tf.image.ResizeMethod.BICUBIC),
    "tf.image.resize_images / area": lambda: tf.image.resize_images(X, [2, 2], method=tf.image.ResizeMethod.AREA),
    "tf.image.resize_images / preserve_aspect_ratio": lambda: tf.image.resize_images(
        X, [2, 6], preserve_aspect_ratio=True
    ),
    "tf.image.resize_images / same size": lambda: tf.image.resize_images(U, [4, 4]),
    "tf.image.resize_bilinear": lambda: tf.image.resize_bilinear(X, [3, 6]),
    "tf.image.resize_bilinear / align_corners": lambda: tf.image.resize_bilinear(X, [3, 6], True, "r"),
    "tf.image.resize_bilinear / half_pixel_centers": lambda: tf.image.resize_bilinear(
        X, [3, 6], half_pixel_centers=True
    ),
    "tf.image.resize_bilinear / tensors": lambda: tf.image.resize_bilinear(X, [tf.constant(3), 6]),
    "tf.image.resize_nearest_neighbor": lambda: tf.image.resize_nearest_neighbor(X, [3, 6]),
    "tf.image.resize_nearest_neighbor / align_corners": lambda: tf.image.resize_nearest_neighbor(
        X, size=(3, 6), align_corners=True
    ),
    "tf.image.resize_bicubic": lambda: tf.image.resize_bicubic(X, [3, 6]),
    "tf.image.resize_area": lambda: tf.image.resize_area(X, [2, 3]),
    "tf.image.resize_image_with_crop_or_pad": lambda: tf.image.resize_image_with_crop_or_pad(P, 2, 6),
    "tf.image.resize_with_crop_or_pad": lambda: tf.image.resize_with_crop_or_pad(P, 6, 2),
    "tf.image.resize_image_with_pad": lambda: tf.image.resize_image_with_pad(P, 3, 6),
    "tf.image.crop_and_resize": lambda: tf.image.crop_and_resize(X, BOXES, [0, 0], [2, 2]),
    "tf.image.crop_and_resize / box_ind": lambda: tf.image.crop_and_resize(
        X, BOXES, box_ind=[0, 0], crop_size=[2, 2], method="nearest", extrapolation_value=1.0, name="c"
    ),
    "tf.image.crop_to_bounding_box": lambda: tf.image.crop_to_bounding_box(P, 1, 0, 2, 3),
    "tf.image.pad_to_bounding_box": lambda: tf.image.pad_to_bounding_box(P, 1, 0, 6, 5),
    "tf.image.central_crop": lambda: tf.image.central_crop(P, 0.5),
    "tf.image.draw_bounding_boxes": lambda: tf.image.draw_bounding_boxes(X, BOXES[None]),
    "tf.image.draw_bounding_boxes / name": lambda: tf.image.draw_bounding_boxes(X, BOXES[None], "d"),
    "tf.image.draw_bounding_boxes / colors": lambda: tf.image.draw_bounding_boxes(
        X, BOXES[None], colors=[[1.0, 0.0, 0.5]]
    ),
    "tf.image.extract_glimpse": lambda: tf.image.extract_glimpse(
        X, [2, 2], [[0.0, 0.5]], centered=True, normalized=True, uniform_noise=False
    ),
    "tf.image.extract_glimpse / pixels": lambda: tf.image.extract_glimpse(X, [2, 2], [[1.0, 1.0]], False, False, False),
    "tf.image.flip_left_right": lambda: tf.image.flip_left_right(P),
    "tf.image.flip_up_down": lambda: tf.image.flip_up_down(P),
    "tf.image.transpose_image": lambda: tf.image.transpose_image(P),
    "tf.image.rot90": lambda: tf.image.rot90(P, 3),
    "tf.image.adjust_brightness": lambda: tf.image.adjust_brightness(P, 0.1),
    "tf.image.adjust_contrast": lambda: tf.image.adjust_contrast(P, 2.0),
    "tf.image.adjust_gamma": lambda: tf.image.adjust_gamma(P, 0.5),
    "tf.image.adjust_hue": lambda: tf.image.adjust_hue(P, 0.2),
    "tf.image.adjust_saturation": lambda: tf.image.adjust_saturation(P, 0.5),
    "tf.image.adjust_jpeg_quality": lambda: tf.shape(tf.image.adjust_jpeg_quality(U, 90)),
    "tf.image.adjust_jpeg_quality / name": lambda: tf.shape(tf.image.adjust_jpeg_quality(U, 90, "j")),
    "tf.image.per_image_standardization": lambda: tf.image.per_image_standardization(P),
    "tf.image.convert_image_dtype": lambda: tf.image.convert_image_dtype(U, tf.float32),
    "tf.image.convert_image_dtype / saturate": lambda: tf.image.convert_image_dtype(P * 1.5, tf.uint8, saturate=True),
    "tf.image.grayscale_to_rgb": lambda: tf.image.grayscale_to_rgb(tf.constant(P[:, :, :1])),
    "tf.image.rgb_to_grayscale": lambda: tf.image.rgb_to_grayscale(P),
    "tf.image.rgb_to_hsv": lambda: tf.image.rgb_to_hsv(P),
    "tf.image.hsv_to_rgb": lambda: tf.image.hsv_to_rgb(P),
    "tf.image.rgb_to_yiq": lambda: tf.image.rgb_to_yiq(P),
    "tf.image.yiq_to_rgb": lambda: tf.image.yiq_to_rgb(P),
    "tf.image.rgb_to_yuv": lambda: tf.image.rgb_to_yuv(P),
    "tf.image.yuv_to_rgb": lambda: tf.image.yuv_to_rgb(P),
    "tf.image.image_gradients": lambda: tf.image.image_gradients(tf.constant(X)),
    "tf.image.sobel_edges": lambda: tf.image.sobel_edges(tf.constant(X)),
    "tf.image.total_variation": lambda: tf.image.total_variation(tf.constant(P)),
    "tf.image.psnr": lambda: tf.image.psnr(tf.constant(X), tf.constant(X * 0.9), 1.0),
    "tf.image.ssim": lambda: tf.image.ssim(
        tf.constant(np.tile(X, [1, 4, 4, 1])), tf.constant(np.tile(X * 0.9, [1, 4, 4, 1])), 1.0
    ),
    "tf.image.ssim_multiscale": lambda: tf.image.ssim_multiscale(
        tf.constant(np.tile(X, [1, 12, 12, 1])),
        tf.constant(np.tile(X * 0.9, [1, 12, 12, 1])),
        1.0,
        power_factors=(0.5, 0.5),
    ),
    "tf.image.non_max_suppression": lambda: tf.image.non_max_suppression(BOXES, [0.9, 0.8], 2, 0.1),
    "tf.image.non_max_suppression_padded": lambda: tf.image.non_max_suppression_padded(
        BOXES, [0.9, 0.8], 2, 0.1, pad_to_max_output_size=True
    ),
    "tf.image.non_max_suppression_overlaps": lambda: tf.image.non_max_suppression_overlaps(
        [[1.0, 0.6], [0.6, 1.0]], [0.9, 0.8], 2, 0.5
    ),
    "tf.image.non_max_suppression_with_scores": lambda: tf.image.non_max_suppression_with_scores(
        BOXES, [0.9, 0.8], 2, 0.1
    ),
    "tf.image.combined_non_max_suppression": lambda: tf.image.combined_non_max_suppression(
        BOXES[None, :, None], np.float32([[[0.9], [0.8]]]), 2, 2
    ),
    "tf.image.encode_png": lambda: tf.image.decode_png(tf.image.encode_png(U)),
    "tf.image.decode_png": lambda: tf.image.decode_png(png(), 1),
    "tf.image.decode_image": lambda: tf.image.decode_image(png()),
    "tf.image.encode_jpeg": lambda: tf.shape(tf.image.decode_jpeg(tf.image.encode_jpeg(U, quality=100))),
    "tf.image.decode_jpeg": lambda: tf.shape(tf.image.decode_jpeg(tf.image.encode_jpeg(U), channels=1)),
    "tf.image.extract_jpeg_shape": lambda: tf.image.extract_jpeg_shape(tf.image.encode_jpeg(U)),
    "tf.image.is_jpeg": lambda: tf.image.is_jpeg(tf.image.encode_jpeg(U)),
    "tf.image.decode_and_crop_jpeg": lambda: tf.shape(
        tf.image.decode_and_crop_jpeg(tf.image.encode_jpeg(U), [0, 0, 2, 3])
    ),
    "tf.image.random_brightness": lambda: tf.shape(tf.image.random_brightness(P, 0.2)),
    "tf.image.random_contrast": lambda: tf.shape(tf.image.random_contrast(P, 0.2, 0.5)),
    "tf.image.random_hue": lambda: tf.shape(tf.image.random_hue(P, 0.2)),
    "tf.image.random_saturation": lambda: tf.shape(tf.image.random_saturation(P, 0.2, 0.5)),
    "tf.image.random_flip_left_right": lambda: tf.shape(tf.image.random_flip_left_right(P)),
    "tf.image.random_flip_up_down": lambda: tf.shape(tf.image.random_flip_up_down(P)),
    "tf.image.random_jpeg_quality": lambda: tf.shape(tf.image.random_jpeg_quality(U, 50, 90)),
    "tf.image.sample_distorted_bounding_box": lambda: tf.image.sample_distorted_bounding_box(
        [4, 4, 3], BOXES[None, :1], seed=3, seed2=4
    ),
    "tf.image.ResizeMethod": lambda: [
        tf.image.ResizeMethod.BILINEAR,
        tf.image.ResizeMethod.NEAREST_NEIGHBOR,
        tf.image.ResizeMethod.BICUBIC,
        tf.image.ResizeMethod.AREA,
    ],
}
