"""TF 1.x calls of convolutions, pooling and patches; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

X = np.sin(np.arange(32, dtype=np.float32)).reshape(1, 4, 4, 2)
F = np.cos(np.arange(36, dtype=np.float32)).reshape(3, 3, 2, 2)
S = np.sin(np.arange(12, dtype=np.float32)).reshape(1, 6, 2)
G = np.cos(np.arange(12, dtype=np.float32)).reshape(3, 2, 2)
V = np.sin(np.arange(54, dtype=np.float32)).reshape(1, 3, 3, 3, 2)
H = np.cos(np.arange(32, dtype=np.float32)).reshape(2, 2, 2, 2, 2)
M = np.cos(np.arange(18, dtype=np.float32)).reshape(3, 3, 2)
ONES = [1, 1, 1, 1]

SNIPPETS = {
    "tf.nn.conv2d": lambda: tf.nn.conv2d(X, F, ONES, "SAME"),
    "tf.nn.conv2d / keywords": lambda: tf.nn.conv2d(input=X, filter=F, strides=[1, 2, 2, 1], padding="VALID", name="c"),
    "tf.nn.conv2d / positional": lambda: tf.nn.conv2d(X, F, ONES, "SAME", True, "NHWC", [1, 2, 2, 1], "c"),
    "tf.nn.conv1d": lambda: tf.nn.conv1d(S, G, 1, "SAME"),
    "tf.nn.conv1d / value": lambda: tf.nn.conv1d(value=S, filters=G, stride=2, padding="VALID", use_cudnn_on_gpu=False),
    "tf.nn.conv1d / data_format": lambda: tf.nn.conv1d(S, G, 1, "SAME", None, "NWC", "c"),
    "tf.nn.conv1d_transpose": lambda: tf.nn.conv1d_transpose(S, G, [1, 12, 2], 2, "SAME"),
    "tf.nn.conv3d": lambda: tf.nn.conv3d(V, H, [1, 1, 1, 1, 1], "SAME"),
    "tf.nn.conv3d / filter": lambda: tf.nn.conv3d(
        V, filter=H, strides=[1, 2, 2, 2, 1], padding="VALID", data_format="NDHWC", name="c"
    ),
    "tf.nn.conv2d_transpose": lambda: tf.nn.conv2d_transpose(X, F, [1, 8, 8, 2], [1, 2, 2, 1]),
    "tf.nn.conv2d_transpose / value": lambda: tf.nn.conv2d_transpose(
        value=X, filter=F, output_shape=[1, 8, 8, 2], strides=[1, 2, 2, 1], padding="SAME", data_format="NHWC", name="d"
    ),
    "tf.nn.conv2d_transpose / positional": lambda: tf.nn.conv2d_transpose(
        X, F, [1, 4, 4, 2], ONES, "SAME", "NHWC", "d"
    ),
    "tf.nn.conv3d_transpose": lambda: tf.nn.conv3d_transpose(V, H, [1, 6, 6, 6, 2], [1, 2, 2, 2, 1]),
    "tf.nn.conv3d_transpose / filter": lambda: tf.nn.conv3d_transpose(
        V, filter=H, output_shape=[1, 6, 6, 6, 2], strides=[1, 2, 2, 2, 1], name="d"
    ),
    "tf.nn.conv_transpose": lambda: tf.nn.conv_transpose(X, F, [1, 8, 8, 2], 2),
    "tf.nn.convolution": lambda: tf.nn.convolution(X, F, "SAME"),
    "tf.nn.convolution / dilation_rate": lambda: tf.nn.convolution(X, F, "SAME", None, [2, 2], "c"),
    "tf.nn.convolution / strides": lambda: tf.nn.convolution(input=X, filter=F, padding="VALID", strides=[1, 1]),
    "tf.nn.atrous_conv2d": lambda: tf.nn.atrous_conv2d(X, F, 2, "SAME"),
    "tf.nn.atrous_conv2d_transpose": lambda: tf.nn.atrous_conv2d_transpose(X, F, [1, 4, 4, 2], 2, "SAME"),
    "tf.nn.depthwise_conv2d": lambda: tf.nn.depthwise_conv2d(X, F, ONES, "SAME"),
    "tf.nn.depthwise_conv2d / rate": lambda: tf.nn.depthwise_conv2d(X, F, ONES, "SAME", [2, 2], "d"),
    "tf.nn.depthwise_conv2d_native": lambda: tf.nn.depthwise_conv2d_native(X, F, ONES, "SAME"),
    "tf.nn.separable_conv2d": lambda: tf.nn.separable_conv2d(X, F, F[:1, :1].repeat(2, 2), ONES, "SAME"),
    "tf.nn.separable_conv2d / rate": lambda: tf.nn.separable_conv2d(
        X, F, F[:1, :1].repeat(2, 2), ONES, "SAME", rate=[2, 2], name="s"
    ),
    "tf.nn.conv2d_backprop_input": lambda: tf.nn.conv2d_backprop_input([1, 4, 4, 2], F, X, ONES, "SAME"),
    "tf.nn.conv2d_backprop_filter": lambda: tf.nn.conv2d_backprop_filter(X, [3, 3, 2, 2], X, ONES, "SAME"),
    "tf.nn.conv3d_backprop_filter": lambda: tf.nn.conv3d_backprop_filter(
        V, [2, 2, 2, 2, 2], V, [1, 1, 1, 1, 1], "SAME"
    ),
    "tf.nn.conv3d_backprop_filter_v2": lambda: tf.nn.conv3d_backprop_filter_v2(
        V, [2, 2, 2, 2, 2], V, [1, 1, 1, 1, 1], "SAME"
    ),
    "tf.nn.depthwise_conv2d_native_backprop_input": lambda: tf.nn.depthwise_conv2d_native_backprop_input(
        [1, 4, 4, 2], F[:, :, :, :1], X, ONES, "SAME"
    ),
    "tf.nn.depthwise_conv2d_native_backprop_filter": lambda: tf.nn.depthwise_conv2d_native_backprop_filter(
        X, [3, 3, 2, 1], X, ONES, "SAME"
    ),
    "tf.nn.with_space_to_batch": lambda: tf.nn.with_space_to_batch(
        tf.constant(X), [2, 2], "SAME", lambda x, blocks, padding: x * 2, [3, 3]
    ),
    "tf.nn.max_pool": lambda: tf.nn.max_pool(X, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
    "tf.nn.max_pool / value": lambda: tf.nn.max_pool(
        value=X, ksize=[1, 3, 3, 1], strides=ONES, padding="VALID", data_format="NHWC", name="p"
    ),
    "tf.nn.max_pool / positional": lambda: tf.nn.max_pool(X, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", "NHWC", "p"),
    "tf.nn.avg_pool": lambda: tf.nn.avg_pool(X, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
    "tf.nn.avg_pool / value": lambda: tf.nn.avg_pool(value=X, ksize=[1, 3, 3, 1], strides=ONES, padding="VALID"),
    "tf.nn.max_pool2d": lambda: tf.nn.max_pool2d(X, 2, 2, "SAME"),
    "tf.nn.max_pool1d": lambda: tf.nn.max_pool1d(S, 2, 2, "SAME"),
    "tf.nn.avg_pool1d": lambda: tf.nn.avg_pool1d(S, 2, 2, "SAME"),
    "tf.nn.max_pool3d": lambda: tf.nn.max_pool3d(V, 2, 2, "SAME"),
    "tf.nn.avg_pool3d": lambda: tf.nn.avg_pool3d(V, 2, 2, "SAME"),
    "tf.nn.max_pool_v2": lambda: tf.nn.max_pool_v2(X, 2, 2, "SAME"),
    "tf.nn.avg_pool_v2": lambda: tf.nn.avg_pool_v2(X, 2, 2, "SAME"),
    "tf.nn.pool": lambda: tf.nn.pool(X, [2, 2], "MAX", "SAME"),
    "tf.nn.pool / dilation_rate": lambda: tf.nn.pool(X, [2, 2], "AVG", "VALID", [2, 2], None, "p"),
    "tf.nn.max_pool_with_argmax": lambda: tf.nn.max_pool_with_argmax(X, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
    "tf.nn.max_pool_with_argmax / Targmax": lambda: tf.nn.max_pool_with_argmax(
        X, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", Targmax=tf.int64, name="p"
    ),
    "tf.nn.dilation2d": lambda: tf.nn.dilation2d(X, M, ONES, ONES, "SAME"),
    "tf.nn.dilation2d / filter": lambda: tf.nn.dilation2d(
        X, filter=M, strides=ONES, rates=[1, 2, 2, 1], padding="SAME", name="d"
    ),
    "tf.nn.erosion2d": lambda: tf.nn.erosion2d(X, M, ONES, ONES, "SAME"),
    "tf.nn.fractional_max_pool": lambda: tf.nn.fractional_max_pool(
        X, [1.0, 1.44, 1.73, 1.0], deterministic=True, seed=3, seed2=4
    ),
    "tf.nn.fractional_avg_pool": lambda: tf.nn.fractional_avg_pool(
        X, [1.0, 1.44, 1.73, 1.0], deterministic=True, seed=3, seed2=4
    ),
    "tf.extract_image_patches": lambda: tf.extract_image_patches(X, [1, 2, 2, 1], [1, 2, 2, 1], ONES, "VALID"),
    "tf.extract_image_patches / ksizes": lambda: tf.extract_image_patches(
        X, ksizes=[1, 2, 2, 1], strides=[1, 2, 2, 1], rates=ONES, padding="SAME", name="p"
    ),
    "tf.image.extract_patches": lambda: tf.image.extract_patches(X, [1, 2, 2, 1], [1, 2, 2, 1], ONES, "VALID"),
}
