"""contrib.layers to compare with TF 1.15.5; see layer_cases.py. Python 3.7 syntax."""

from tests.goldens.layer_cases import IMAGE, MATRIX, SEQUENCE, VOLUME, distinct, square, value_for  # noqa: F401


def fully_connected(tf, x):
    return tf.contrib.layers.fully_connected(x, 4)


def fully_connected_regularized(tf, x):
    layers = tf.contrib.layers
    x = layers.fully_connected(x, 4, scope="fc1", weights_regularizer=layers.l2_regularizer(0.1))
    x = layers.fully_connected(x, 3, scope="fc2", weights_regularizer=layers.l1_regularizer(0.2), activation_fn=None)
    return layers.linear(
        x, 2, biases_regularizer=layers.l1_l2_regularizer(0.1, 0.2), biases_initializer=tf.ones_initializer()
    )


def fully_connected_normalized(tf, x):
    layers = tf.contrib.layers
    return layers.fully_connected(
        x, 4, normalizer_fn=layers.batch_norm, normalizer_params={"is_training": True, "decay": 0.9}
    )


def fully_connected_shared(tf, x):
    layers = tf.contrib.layers
    with tf.variable_scope("tower") as scope:
        first = layers.fully_connected(x, 4, scope="fc")
        scope.reuse_variables()
        return first + layers.fully_connected(x, 4, scope="fc")


def fully_connected_of_sequence(tf, x):
    return tf.contrib.layers.fully_connected(x, 3, activation_fn=tf.tanh)


def legacy_fully_connected(tf, x):
    return tf.contrib.layers.legacy_fully_connected(x, 3)


def conv2d(tf, x):
    return tf.contrib.layers.conv2d(x, 4, 3)


def conv2d_in_arg_scope(tf, x):
    layers = tf.contrib.layers
    with tf.contrib.framework.arg_scope([layers.conv2d], padding="VALID", weights_regularizer=square):
        with tf.contrib.framework.arg_scope([layers.conv2d], normalizer_fn=layers.batch_norm):
            x = layers.conv2d(x, 4, [3, 3], stride=2, scope="c1")
        return layers.conv2d(x, 3, [1, 2], scope="c2", activation_fn=None)


def conv2d_atrous(tf, x):
    return tf.contrib.layers.conv2d(x, 4, 3, rate=2)


def convolution_of_sequence(tf, x):
    return tf.contrib.layers.convolution(x, 4, 3)


def conv3d(tf, x):
    return tf.contrib.layers.conv3d(x, 4, 3, stride=2)


def conv2d_transpose(tf, x):
    return tf.contrib.layers.conv2d_transpose(x, 4, [4, 4], stride=2)


def conv3d_transpose(tf, x):
    return tf.contrib.layers.conv3d_transpose(x, 2, 3, stride=2)


def separable_conv2d(tf, x):
    return tf.contrib.layers.separable_conv2d(x, 5, 3, depth_multiplier=2)


def separable_conv2d_depthwise(tf, x):
    return tf.contrib.layers.separable_conv2d(x, None, 3, depth_multiplier=2, stride=2)


def conv2d_in_plane(tf, x):
    return tf.contrib.layers.conv2d_in_plane(x, 3)


def batch_norm(tf, x):
    return tf.contrib.layers.batch_norm(x)


def batch_norm_of_image(tf, x):
    return tf.contrib.layers.batch_norm(x, decay=0.9, epsilon=1e-5, scale=True, scope="bn")


def batch_norm_forced(tf, x):
    return tf.contrib.layers.batch_norm(
        x, updates_collections=None, scale=True, is_training=True, activation_fn=tf.nn.relu
    )


def batch_norm_of_matrix_inference(tf, x):
    return tf.contrib.layers.batch_norm(x, is_training=False, center=False)


def batch_norm_unfused(tf, x):
    return tf.contrib.layers.batch_norm(x, fused=False, scale=True)


def batch_norm_unfused_forced(tf, x):
    return tf.contrib.layers.batch_norm(x, fused=False, updates_collections=None)


def batch_norm_of_sequence(tf, x):
    return tf.contrib.layers.batch_norm(x, scale=True)


def batch_norm_debiased(tf, x):
    return tf.contrib.layers.batch_norm(x, zero_debias_moving_mean=True)


def batch_norm_weighted(tf, x):
    return tf.contrib.layers.batch_norm(x, batch_weights=[1.0, 2.0, 0.5])


def layer_norm(tf, x):
    return tf.contrib.layers.layer_norm(x)


def layer_norm_of_image(tf, x):
    options = {"begin_norm_axis": 2, "begin_params_axis": -2}
    return tf.contrib.layers.layer_norm(x, scope="ln", activation_fn=tf.nn.relu, **options)


def instance_norm(tf, x):
    return tf.contrib.layers.instance_norm(x, epsilon=1e-5)


def instance_norm_channels_first(tf, x):
    return tf.contrib.layers.instance_norm(x, data_format="NCHW", center=False)


def group_norm(tf, x):
    return tf.contrib.layers.group_norm(x, groups=3)


def group_norm_close_to_zero(tf, x):
    return tf.contrib.layers.group_norm(x, groups=1, mean_close_to_zero=True)


def bias_add(tf, x):
    return tf.contrib.layers.bias_add(x, activation_fn=tf.nn.relu)


def pooled(tf, x):
    layers = tf.contrib.layers
    return layers.max_pool2d(x, 2) + layers.avg_pool2d(x, [2, 2], scope="pool")


def pooled_volume(tf, x):
    layers = tf.contrib.layers
    return layers.max_pool3d(x, 2, stride=1) + layers.avg_pool3d(x, 2, stride=1)


def pooled_any(tf, x):
    return tf.contrib.slim.pool(x, [2, 3], "AVG", stride=[1, 2])


def flat_softmax(tf, x):
    layers = tf.contrib.layers
    return layers.unit_norm(layers.softmax(layers.flatten(x)), dim=1)


def maxout(tf, x):
    return tf.contrib.layers.maxout(tf.contrib.layers.fully_connected(x, 6), 2)


def repeated(tf, x):
    layers = tf.contrib.layers
    x = layers.repeat(x, 2, layers.conv2d, 4, [3, 3], scope="conv1")
    return layers.repeat(x, 2, layers.conv2d, 3, 1)


def stacked(tf, x):
    layers = tf.contrib.layers
    x = layers.stack(x, layers.fully_connected, [5, 4], scope="fc")
    return layers.stack(x, layers.fully_connected, [(3, None), 2])


def columns(tf, x):
    layers = tf.contrib.layers
    return layers.sequence_to_images(layers.images_to_sequence(x), 8)


def spatial_softmax(tf, x):
    return tf.contrib.layers.spatial_softmax(x, temperature=0.7)


def embed_sequence(tf, x):
    ids = tf.cast(x * 4.0 + 2.0, tf.int32)
    layers = tf.contrib.layers
    first = layers.embed_sequence(ids, 5, 3, scope="words")
    return first + layers.embed_sequence(ids, 5, 3, scope="words", reuse=True, unique=True)


def bow_encoder(tf, x):
    return tf.contrib.layers.bow_encoder(tf.cast(x * 4.0 + 2.0, tf.int32), 5, 3)


def one_hot(tf, x):
    return tf.contrib.layers.one_hot_encoding(tf.cast(x * 4.0 + 2.0, tf.int32), 5) * x[:, :, None]


def scaled_gradient(tf, x):
    return tf.contrib.layers.scale_gradient(tf.contrib.layers.linear(x, 3), 0.25)


def regularization_applied(tf, x):
    layers = tf.contrib.layers
    x = layers.legacy_linear(x, 3)
    layers.apply_regularization(layers.l2_regularizer(0.3))
    return x


def outputs_collected(tf, x):
    layers = tf.contrib.layers
    with tf.contrib.framework.arg_scope([layers.fully_connected], outputs_collections="ends"):
        layers.fully_connected(layers.fully_connected(x, 3, scope="a"), 2, scope="b")
    first, second = tf.get_collection("ends")
    return tf.contrib.layers.linear(first, 2, scope="c") + second


CASES = {
    fully_connected: MATRIX,
    fully_connected_regularized: MATRIX,
    fully_connected_normalized: MATRIX,
    fully_connected_shared: MATRIX,
    fully_connected_of_sequence: SEQUENCE,
    legacy_fully_connected: SEQUENCE,
    conv2d: IMAGE,
    conv2d_in_arg_scope: IMAGE,
    conv2d_atrous: IMAGE,
    convolution_of_sequence: SEQUENCE,
    conv3d: VOLUME,
    conv2d_transpose: IMAGE,
    conv3d_transpose: VOLUME,
    separable_conv2d: IMAGE,
    separable_conv2d_depthwise: IMAGE,
    conv2d_in_plane: IMAGE,
    batch_norm: MATRIX,
    batch_norm_of_image: IMAGE,
    batch_norm_forced: IMAGE,
    batch_norm_of_matrix_inference: MATRIX,
    batch_norm_unfused: IMAGE,
    batch_norm_unfused_forced: IMAGE,
    batch_norm_of_sequence: SEQUENCE,
    batch_norm_debiased: IMAGE,
    batch_norm_weighted: SEQUENCE,
    layer_norm: MATRIX,
    layer_norm_of_image: IMAGE,
    instance_norm: IMAGE,
    instance_norm_channels_first: IMAGE,
    group_norm: IMAGE,
    group_norm_close_to_zero: IMAGE,
    bias_add: IMAGE,
    pooled: IMAGE,
    pooled_volume: VOLUME,
    pooled_any: IMAGE,
    flat_softmax: IMAGE,
    maxout: MATRIX,
    repeated: IMAGE,
    stacked: MATRIX,
    columns: IMAGE,
    spatial_softmax: IMAGE,
    embed_sequence: MATRIX,
    bow_encoder: MATRIX,
    one_hot: MATRIX,
    scaled_gradient: MATRIX,
    regularization_applied: MATRIX,
    outputs_collected: MATRIX,
}

BRIDGE_ONLY = set()


def input_for(case):
    """The input of a case."""
    return value_for(*CASES[case])
