"""contrib.layers to compare with TF 1.15.5; see layer_cases.py. Python 3.7 syntax."""

from goldens.layer_cases import IMAGE, MATRIX, SEQUENCE, VOLUME, square, value_for


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
}

BRIDGE_ONLY = set()


def input_for(case):
    """The input of a case."""
    return value_for(*CASES[case])
