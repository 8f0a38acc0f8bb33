import tensorflow as tf
import tensorflow.contrib as tf_contrib

weight_init = tf_contrib.layers.xavier_initializer()
weight_regularizer = tf_contrib.layers.l2_regularizer(scale=0.0001)


def conv(x, channels, kernel=3, stride=1, use_bias=True, scope='conv_0'):
    with tf.variable_scope(scope):
        x = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], mode='REFLECT')
        return tf.layers.conv2d(
            inputs=x, filters=channels, kernel_size=kernel, kernel_initializer=weight_init,
            kernel_regularizer=weight_regularizer, strides=stride, use_bias=use_bias)


def deconv(x, channels, kernel=3, stride=2, use_bias=True, scope='deconv_0'):
    with tf.variable_scope(scope):
        return tf.layers.conv2d_transpose(
            inputs=x, filters=channels, kernel_size=kernel, kernel_initializer=weight_init,
            kernel_regularizer=weight_regularizer, strides=stride, padding='SAME', use_bias=use_bias)


def resblock(x_init, channels, scope='resblock_0'):
    with tf.variable_scope(scope):
        with tf.variable_scope('res1'):
            x = conv(x_init, channels, use_bias=False)
            x = instance_norm(x)
            x = relu(x)
        with tf.variable_scope('res2'):
            x = conv(x, channels, use_bias=False)
            x = instance_norm(x)
        return x + x_init


def instance_norm(x, scope='instance_norm'):
    return tf_contrib.layers.instance_norm(x, epsilon=1e-05, center=True, scale=True, scope=scope)


def relu(x):
    return tf.nn.relu(x)


def lrelu(x, alpha=0.2):
    return tf.nn.leaky_relu(x, alpha)


def tanh(x):
    return tf.tanh(x)


def L1_loss(x, y):
    return tf.reduce_mean(tf.abs(x - y))


def discriminator_loss(real, fake):
    return tf.reduce_mean(fake) - tf.reduce_mean(real)


def generator_loss(fake):
    return -tf.reduce_mean(fake)


def regularization_loss(scope_name):
    losses = [loss for loss in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES) if scope_name in loss.name]
    return tf.add_n(losses)
