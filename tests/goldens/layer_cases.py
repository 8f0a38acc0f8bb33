"""Layers to compare with TF 1.15.5: one function a case, run by make_layers.py there and by the tests here.

Each takes the namespace (`tensorflow` of 1.15, or `compat`) and the input, and gives the output. Python 3.7 syntax.
"""

import zlib

import numpy as np

MATRIX = ("matrix", (6, 5))
SEQUENCE = ("sequence", (3, 7, 4))
IMAGE = ("image", (4, 8, 7, 3))
VOLUME = ("volume", (2, 5, 6, 4, 3))


def square(weights):
    """A regularizer without any TensorFlow name in it: the square of the first element."""
    first = weights
    while len(first.shape) > 0:
        first = first[0]
    return first * first


def dense(tf, x):
    return tf.layers.dense(x, 4, activation=tf.nn.relu, kernel_regularizer=square)


def dense_of_sequence(tf, x):
    return tf.layers.dense(x, 3, use_bias=False, name="projection")


def dense_shared(tf, x):
    first = tf.layers.dense(x, 5, name="fc")
    return tf.layers.dense(first, 5, activation=tf.tanh, name="fc", reuse=True)


def dense_unnamed(tf, x):
    with tf.variable_scope("net"):
        x = tf.layers.dense(tf.layers.dense(x, 4), 4)
    return tf.layers.dense(tf.layers.Dense(3, activation="sigmoid")(x), 2)


def dense_in_scope_with_defaults(tf, x):
    with tf.variable_scope("s", initializer=tf.ones_initializer(), regularizer=square):
        return tf.layers.dense(x, 3, name="d")


def layer_object_twice(tf, x):
    layer = tf.layers.Dense(5, name="shared")
    return layer(layer(x))


def flatten(tf, x):
    return tf.layers.flatten(x)


def dropout_off(tf, x):
    return tf.layers.dropout(x, rate=0.3)


def conv1d(tf, x):
    return tf.layers.conv1d(x, 5, 3, padding="same", activation=tf.nn.relu)


def conv1d_strided(tf, x):
    return tf.layers.conv1d(x, 5, 3, strides=2)


def conv2d(tf, x):
    return tf.layers.conv2d(x, 4, [3, 3], padding="same", activation=tf.nn.relu)


def conv2d_strided(tf, x):
    return tf.layers.conv2d(x, 4, (3, 2), strides=(2, 1), use_bias=False, name="c")


def conv2d_dilated(tf, x):
    return tf.layers.conv2d(x, 4, 3, dilation_rate=2, padding="SAME")


def conv3d(tf, x):
    return tf.layers.conv3d(x, 4, 2, padding="same")


def conv2d_transpose(tf, x):
    return tf.layers.conv2d_transpose(x, 4, 3, strides=2, padding="same", activation=tf.nn.relu)


def conv2d_transpose_valid(tf, x):
    return tf.layers.conv2d_transpose(x, 4, [3, 2], strides=[2, 1])


def conv3d_transpose(tf, x):
    return tf.layers.conv3d_transpose(x, 2, 3, strides=2, padding="same")


def separable_conv1d(tf, x):
    return tf.layers.separable_conv1d(x, 5, 3, padding="same", depth_multiplier=2)


def separable_conv2d(tf, x):
    return tf.layers.separable_conv2d(x, 5, 3, strides=2, padding="same", depth_multiplier=2, activation=tf.nn.relu)


def max_pooling1d(tf, x):
    return tf.layers.max_pooling1d(x, 2, 2)


def average_pooling1d(tf, x):
    return tf.layers.average_pooling1d(x, 3, 2, padding="same")


def max_pooling2d(tf, x):
    return tf.layers.max_pooling2d(x, 2, 2)


def average_pooling2d(tf, x):
    return tf.layers.average_pooling2d(x, [3, 2], (2, 1), padding="same")


def max_pooling3d(tf, x):
    return tf.layers.max_pooling3d(x, 2, 2)


def average_pooling3d(tf, x):
    return tf.layers.average_pooling3d(x, 2, 1)


def batch_norm_training(tf, x):
    return tf.layers.batch_normalization(x, training=True)


def batch_norm_inference(tf, x):
    return tf.layers.batch_normalization(x)


def batch_norm_of_image(tf, x):
    return tf.layers.batch_normalization(x, training=True, momentum=0.9, epsilon=1e-5, name="bn")


def batch_norm_of_image_inference(tf, x):
    return tf.layers.batch_normalization(x, training=False, scale=False)


def batch_norm_unfused(tf, x):
    return tf.layers.batch_normalization(x, training=True, fused=False, center=False)


def batch_norm_first_axis(tf, x):
    return tf.layers.batch_normalization(x, axis=1, training=True)


def batch_norm_two_axes(tf, x):
    return tf.layers.batch_normalization(x, axis=[1, 3], training=True)


def batch_norm_renormalized(tf, x):
    clipping = {"rmax": 1.5, "rmin": 0.6, "dmax": 0.5}
    return tf.layers.batch_normalization(x, training=True, renorm=True, renorm_clipping=clipping)


def batch_norm_virtual(tf, x):
    return tf.layers.batch_normalization(x, training=True, virtual_batch_size=2)


def batch_norm_layer_twice(tf, x):
    layer = tf.layers.BatchNormalization()
    return layer(layer(x, training=True), training=False)


def _of_class(name, *arguments, **options):
    """A case that calls an object of one of the classes."""

    def case(tf, x):
        return getattr(tf.layers, name)(*arguments, **options)(x)

    case.__name__ = "class_" + name
    return case


CLASSES = {
    _of_class("Conv1D", 2, 3, dilation_rate=2): SEQUENCE,
    _of_class("Conv2D", 2, 3, strides=2, padding="same"): IMAGE,
    _of_class("Conv3D", 2, 2, use_bias=False): VOLUME,
    _of_class("Conv2DTranspose", 2, 3, strides=2): IMAGE,
    _of_class("Conv3DTranspose", 2, 2): VOLUME,
    _of_class("SeparableConv1D", 2, 3): SEQUENCE,
    _of_class("SeparableConv2D", 2, 3, dilation_rate=2): IMAGE,
    _of_class("MaxPooling1D", 3, 1): SEQUENCE,
    _of_class("MaxPooling2D", 3, 2, padding="same"): IMAGE,
    _of_class("MaxPooling3D", 2, 1): VOLUME,
    _of_class("AveragePooling1D", 2, 2): SEQUENCE,
    _of_class("AveragePooling2D", 2, 2): IMAGE,
    _of_class("AveragePooling3D", 2, 2, padding="same"): VOLUME,
    _of_class("Dropout", 0.5): MATRIX,
    _of_class("Flatten"): VOLUME,
}

CASES = {
    dense: MATRIX,
    dense_of_sequence: SEQUENCE,
    dense_shared: MATRIX,
    dense_unnamed: MATRIX,
    dense_in_scope_with_defaults: MATRIX,
    layer_object_twice: MATRIX,
    flatten: IMAGE,
    dropout_off: MATRIX,
    conv1d: SEQUENCE,
    conv1d_strided: SEQUENCE,
    conv2d: IMAGE,
    conv2d_strided: IMAGE,
    conv2d_dilated: IMAGE,
    conv3d: VOLUME,
    conv2d_transpose: IMAGE,
    conv2d_transpose_valid: IMAGE,
    conv3d_transpose: VOLUME,
    separable_conv1d: SEQUENCE,
    separable_conv2d: IMAGE,
    max_pooling1d: SEQUENCE,
    average_pooling1d: SEQUENCE,
    max_pooling2d: IMAGE,
    average_pooling2d: IMAGE,
    max_pooling3d: VOLUME,
    average_pooling3d: VOLUME,
    batch_norm_training: MATRIX,
    batch_norm_inference: MATRIX,
    batch_norm_of_image: IMAGE,
    batch_norm_of_image_inference: IMAGE,
    batch_norm_unfused: IMAGE,
    batch_norm_first_axis: SEQUENCE,
    batch_norm_two_axes: IMAGE,
    batch_norm_renormalized: MATRIX,
    batch_norm_virtual: MATRIX,
    batch_norm_layer_twice: MATRIX,
}

# In plain TF2 the moving averages are updated at once, so a later call in the same pass sees them; TF1 did it in a run.
BRIDGE_ONLY = {batch_norm_layer_twice}
CASES.update(CLASSES)


def value_for(name, shape):
    """A fixed value for the variable or input of that name: variances are positive."""
    drawn = np.random.RandomState(zlib.crc32(name.encode()) % (2**31)).uniform(-0.5, 0.5, shape)
    if any(word in name for word in ("variance", "stddev")):
        drawn = drawn + 1.0
    return np.asarray(drawn, np.float32)


def distinct(values):
    """Values in the same order, of which float16 too can tell every two apart: the largest of a window is one."""
    ranks = np.argsort(np.argsort(values, axis=None))
    return ((ranks - values.size // 2) / 1024.0).reshape(values.shape)


def input_for(case):
    """The input of a case."""
    return value_for(*CASES[case])
