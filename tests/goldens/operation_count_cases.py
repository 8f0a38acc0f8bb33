"""Programs of TF 1.x in whose graphs operations are counted: what stands in front of draws, in many arrangements."""

import numpy as np
import tensorflow as tf
from tensorflow.contrib.slim.nets import resnet_v1


def batch(*shape, **kwargs):
    """A placeholder."""
    return tf.placeholder(kwargs.get("dtype", tf.float32), shape)


def variable(shape=(3,), resource=False, dtype=tf.float32):
    """A variable of zeros."""
    return tf.get_variable("v", shape, dtype, initializer=tf.zeros_initializer(), use_resource=resource)


def images():
    """A batch of images."""
    return batch(None, 8, 8, 3)


def features():
    """A batch of features."""
    return batch(None, 4)


def shadows(*variables, **kwargs):
    """Moving averages of variables."""
    return tf.train.ExponentialMovingAverage(0.9, **kwargs).apply(list(variables))


def saved(resource=False, count=2, **kwargs):
    """A saver of some variables."""
    for number in range(count):
        tf.get_variable(f"v{number}", [2], initializer=tf.zeros_initializer(), use_resource=resource)
    return tf.train.Saver(**kwargs)


def network(layers=2, activation=tf.nn.relu):
    """A network of dense layers, and its loss."""
    h = features()
    for _ in range(layers):
        h = tf.layers.dense(h, 5, activation=activation)
    labels = tf.placeholder(tf.int64, [None])
    return tf.losses.sparse_softmax_cross_entropy(labels, h)


def summaries():
    """Each kind of summary, and all of them merged."""
    x = features()
    tf.summary.scalar("s", tf.reduce_mean(x))
    tf.summary.histogram("h", x)
    tf.summary.image("i", images(), 2)
    tf.summary.text("t", tf.constant("text"))
    tf.summary.audio("a", batch(None, 100), 8000)
    return tf.summary.merge_all()


def scoped(resource):
    """Reads, updates and slices of one variable."""
    v = variable([3], resource)
    tf.assign(v, v + 1.0)
    v.assign_sub(tf.ones([3]))
    v.read_value()
    v.value()
    return v[0] * 2.0, v * v


def in_scope():
    """Batch normalization that a scope tells whether it trains."""
    with tf.contrib.framework.arg_scope([tf.contrib.layers.batch_norm], is_training=tf.placeholder(tf.bool, [])):
        return tf.contrib.layers.batch_norm(features())


def residual_network(is_training):
    """A network of slim's."""
    with tf.contrib.framework.arg_scope(resnet_v1.resnet_arg_scope()):
        blocks = [resnet_v1.resnet_v1_block("block1", base_depth=2, num_units=1, stride=2)]
        return resnet_v1.resnet_v1(images(), blocks, 3, is_training)


def dropped():
    """Dropout in its forms."""
    h = features()
    h = tf.nn.dropout(h, 0.5)
    h = tf.layers.dropout(h, 0.3, training=True)
    return tf.nn.dropout(h, keep_prob=tf.placeholder(tf.float32, []))


def dropped_rows():
    """Dropout whose random numbers have a shape of their own: written down, and in part a tensor."""
    x = tf.placeholder(tf.float32, [None, 3])
    h = tf.nn.dropout(x, 0.5, noise_shape=[2, 1])
    h = tf.layers.dropout(h, 0.3, noise_shape=(None, 1), training=True)
    h = tf.nn.dropout(h, keep_prob=tf.placeholder(tf.float32, []), noise_shape=[tf.shape(x)[0], 1])
    return tf.random_gamma(tf.shape(h)[:1], h[0, 0])


CASES = {
    "assign number": lambda: tf.assign(variable(()), 2.0),
    "assign tensor": lambda: tf.assign(variable(), tf.ones([3]) * 2),
    "assign resource": lambda: tf.assign(variable(resource=True), [1.0, 2.0, 3.0]),
    "assign method": lambda: variable().assign([1.0, 2.0, 3.0]),
    "assign method resource": lambda: variable(resource=True).assign(np.ones(3)),
    "assign_add method": lambda: variable(()).assign_add(1.0),
    "assign_sub method resource": lambda: variable((), True).assign_sub(1.0),
    "assign_add integer": lambda: tf.assign_add(variable((), dtype=tf.int64), 1),
    "assign no value": lambda: variable().assign([1.0, 2.0, 3.0], read_value=False),
    "assign twice": lambda: tf.assign_add(tf.assign(variable(), tf.ones([3])), tf.ones([3])),
    "assign of itself": lambda: [v.assign(v * 0.5) for v in [variable()]],
    "scatter_update": lambda: tf.scatter_update(variable(), [0, 2], [1.0, 2.0]),
    "scatter_add tensor": lambda: tf.scatter_add(variable((4, 2)), batch(None, dtype=tf.int32), batch(None, 2)),
    "scatter_add resource": lambda: tf.scatter_add(variable(resource=True), [0, 2], [1.0, 2.0]),
    "scatter_nd_update": lambda: tf.scatter_nd_update(variable(), [[0]], [1.0]),
    "scatter_nd_add resource": lambda: tf.scatter_nd_add(variable(resource=True), [[0]], [1.0]),
    "read_value": lambda: variable().read_value(),
    "read_value resource": lambda: variable(resource=True).read_value(),
    "value resource": lambda: variable(resource=True).value(),
    "initialized_value": lambda: variable().initialized_value(),
    "initialized_value resource": lambda: variable(resource=True).initialized_value(),
    "variable of variable": lambda: tf.Variable(variable().initialized_value() * 2.0),
    "several": lambda: scoped(False),
    "several resource": lambda: scoped(True),
    "global step": lambda: tf.assign_add(tf.train.get_or_create_global_step(), 1),
    "initializers run": lambda: [variable(), tf.global_variables_initializer(), tf.local_variables_initializer()],
    "conv2d": lambda: tf.layers.conv2d(images(), 4, 3),
    "conv2d same relu": lambda: tf.layers.conv2d(images(), 4, [3, 5], 2, "same", activation=tf.nn.relu),
    "conv2d no bias": lambda: tf.layers.conv2d(batch(2, 8, 8, 3), 4, 3, use_bias=False),
    "conv2d first": lambda: tf.layers.conv2d(batch(None, 3, 8, 8), 4, 3, data_format="channels_first"),
    "conv2d regularized": lambda: tf.layers.conv2d(
        images(), 4, 3, kernel_regularizer=tf.contrib.layers.l2_regularizer(0.1)
    ),
    "conv2d reused": lambda: [tf.layers.conv2d(images(), 4, 3, name="c", reuse=tf.AUTO_REUSE) for _ in range(2)],
    "conv2d layer twice": lambda: [tf.layers.Conv2D(3, 3, padding="same")] * 2,
    "conv1d": lambda: tf.layers.conv1d(batch(None, 10, 3), 4, 3),
    "conv3d": lambda: tf.layers.conv3d(batch(None, 5, 5, 5, 2), 4, 3),
    "conv2d_transpose same": lambda: tf.layers.conv2d_transpose(images(), 4, 3, 2, "same"),
    "conv2d_transpose valid": lambda: tf.layers.conv2d_transpose(batch(2, 8, 8, 3), 4, 3),
    "conv3d_transpose": lambda: tf.layers.conv3d_transpose(batch(None, 5, 5, 5, 2), 4, 3, 2, "same"),
    "separable_conv2d": lambda: tf.layers.separable_conv2d(images(), 4, 3),
    "contrib conv2d": lambda: tf.contrib.layers.conv2d(images(), 4, 3),
    "contrib conv2d normalized": lambda: tf.contrib.layers.conv2d(
        images(), 4, 3, normalizer_fn=tf.contrib.layers.batch_norm
    ),
    "contrib conv2d regularized": lambda: tf.contrib.layers.conv2d(
        images(), 4, [3, 3], weights_regularizer=tf.contrib.layers.l2_regularizer(0.1)
    ),
    "contrib conv2d_transpose": lambda: tf.contrib.layers.conv2d_transpose(images(), 4, 3, 2),
    "slim conv2d": lambda: tf.contrib.slim.conv2d(images(), 4, [3, 3]),
    "slim repeat": lambda: tf.contrib.slim.repeat(images(), 2, tf.contrib.slim.conv2d, 4, [3, 3]),
    "slim fully_connected": lambda: tf.contrib.slim.fully_connected(features(), 3),
    "contrib fully_connected regularized": lambda: tf.contrib.layers.fully_connected(
        features(), 3, weights_regularizer=tf.contrib.layers.l1_regularizer(0.1)
    ),
    "contrib flatten": lambda: tf.contrib.layers.flatten(images()),
    "layers flatten": lambda: tf.layers.flatten(images()),
    "max_pooling2d": lambda: tf.layers.max_pooling2d(images(), 2, 2),
    "contrib max_pool2d": lambda: tf.contrib.layers.max_pool2d(images(), 2),
    "average_pooling2d": lambda: tf.layers.average_pooling2d(images(), 2, 2),
    "conv with variable": lambda: tf.nn.relu(
        tf.nn.bias_add(tf.nn.conv2d(images(), variable((3, 3, 3, 4)), [1, 1, 1, 1], "SAME"), tf.zeros([4]))
    ),
    "pools": lambda: tf.nn.avg_pool(
        tf.nn.max_pool(images(), [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), [1, 2, 2, 1], [1] * 4, "SAME"
    ),
    "lrn": lambda: tf.nn.lrn(images(), 4),
    "dense": lambda: tf.layers.dense(features(), 3),
    "dense activation": lambda: tf.layers.dense(features(), 3, tf.nn.tanh, use_bias=False),
    "dense regularized": lambda: tf.layers.dense(
        features(), 3, kernel_regularizer=tf.contrib.layers.l2_regularizer(0.1)
    ),
    "dense l1_l2": lambda: tf.layers.dense(
        features(), 3, kernel_regularizer=tf.contrib.layers.l1_l2_regularizer(0.1, 0.2)
    ),
    "dense keras l2": lambda: tf.layers.dense(features(), 3, kernel_regularizer=tf.keras.regularizers.l2(0.1)),
    "dense rank 3": lambda: tf.layers.dense(batch(None, 5, 4), 3),
    "dense rank 3 static": lambda: tf.layers.dense(batch(2, 5, 4), 3),
    "dense rank 4": lambda: tf.layers.dense(batch(2, None, 5, 4), 3),
    "dense large": lambda: tf.layers.dense(batch(None, 2000), 10, kernel_initializer=tf.zeros_initializer()),
    "dense constraint": lambda: tf.layers.dense(features(), 3, bias_initializer=tf.constant_initializer(0.1)),
    "batch_normalization": lambda: tf.layers.batch_normalization(features()),
    "batch_normalization training": lambda: tf.layers.batch_normalization(features(), training=True),
    "batch_normalization fused": lambda: tf.layers.batch_normalization(images(), training=True),
    "batch_normalization fused inference": lambda: tf.layers.batch_normalization(images()),
    "batch_normalization placeholder": lambda: tf.layers.batch_normalization(
        features(), training=tf.placeholder(tf.bool, [])
    ),
    "batch_normalization placeholder fused": lambda: tf.layers.batch_normalization(
        images(), training=tf.placeholder(tf.bool, [])
    ),
    "batch_normalization no scale": lambda: tf.layers.batch_normalization(features(), scale=False, training=True),
    "batch_normalization rank 3": lambda: tf.layers.batch_normalization(batch(None, 5, 4), training=True),
    "contrib batch_norm": lambda: tf.contrib.layers.batch_norm(features()),
    "contrib batch_norm inference": lambda: tf.contrib.layers.batch_norm(features(), is_training=False),
    "contrib batch_norm fused": lambda: tf.contrib.layers.batch_norm(images()),
    "contrib batch_norm scale": lambda: tf.contrib.layers.batch_norm(images(), scale=True, fused=True),
    "contrib batch_norm placeholder": lambda: tf.contrib.layers.batch_norm(
        features(), is_training=tf.placeholder(tf.bool, [])
    ),
    "contrib batch_norm at once": lambda: tf.contrib.layers.batch_norm(features(), updates_collections=None),
    "nn batch_normalization": lambda: tf.nn.batch_normalization(features(), 0.0, 1.0, None, None, 1e-3),
    "moments": lambda: tf.nn.moments(images(), [0, 1, 2]),
    "layer_norm": lambda: tf.contrib.layers.layer_norm(features()),
    "zeros_like": lambda: [tf.zeros_like(features()), tf.zeros_like(tf.ones([2, 3]))],
    "ones_like": lambda: [tf.ones_like(features()), tf.ones_like(tf.zeros([2, 3]))],
    "ones_like integers": lambda: tf.ones_like([1, 2], dtype=tf.float32),
    "ones_like large": lambda: tf.ones_like(tf.zeros([50, 40])),
    "zeros large": lambda: [tf.zeros([50, 40]), tf.ones([50, 40])],
    "variables large": lambda: [variable([50, 40]), tf.get_variable("o", [2000], initializer=tf.ones_initializer())],
    "constant_initializer large": lambda: tf.get_variable("o", [2000], initializer=tf.constant_initializer(0.1)),
    "constant_initializer array": lambda: tf.get_variable("o", [2], initializer=tf.constant_initializer([0.1, 2.0])),
    "fill": lambda: [tf.fill([2, 3], 1.0), tf.zeros(tf.shape(features())), tf.zeros([tf.shape(features())[0], 3])],
    "one_hot": lambda: tf.one_hot(batch(None, dtype=tf.int32), 5),
    "one_hot values": lambda: tf.one_hot(batch(None, dtype=tf.int32), 5, 1.0, 0.0),
    "one_hot on": lambda: tf.one_hot(batch(None, dtype=tf.int32), 5, on_value=2),
    "one_hot dtype": lambda: tf.one_hot([0, 1], 5, dtype=tf.float64, axis=0),
    "split": lambda: tf.split(features(), 2, 1),
    "split sizes": lambda: tf.split(features(), [1, 3], 1),
    "split axis": lambda: tf.split(value=batch(4, 2), num_or_size_splits=4),
    "tensordot": lambda: tf.tensordot(batch(2, 3), batch(3, 4), 1),
    "tensordot lists": lambda: tf.tensordot(batch(2, 3, 4), batch(4, 3), [[1, 2], [1, 0]]),
    "tensordot unknown": lambda: tf.tensordot(batch(None, 5, 4), batch(4, 3), [[2], [0]]),
    "tensordot vectors": lambda: tf.tensordot(batch(3), batch(3), 1),
    "einsum": lambda: tf.einsum("ij,jk->ik", batch(2, 3), batch(3, 4)),
    "einsum batch": lambda: tf.einsum("bij,bjk->bik", batch(None, 2, 3), batch(None, 3, 4)),
    "matrix_diag": lambda: tf.matrix_diag(batch(None, 3)),
    "matrix_diag_part": lambda: tf.matrix_diag_part(batch(None, 3, 3)),
    "matrix_set_diag": lambda: tf.matrix_set_diag(batch(None, 3, 3), batch(None, 3)),
    "diag": lambda: [tf.diag([1.0, 2.0]), tf.diag_part(batch(3, 3)), tf.eye(3), tf.eye(3, batch_shape=[2])],
    "trace": lambda: tf.trace(batch(3, 3)),
    "mean_squared_error": lambda: tf.losses.mean_squared_error(batch(None, 1), batch(None, 1)),
    "mean_squared_error static": lambda: tf.losses.mean_squared_error(batch(4, 2), batch(4, 2)),
    "mean_squared_error weights": lambda: tf.losses.mean_squared_error(batch(4, 2), batch(4, 2), [[1.0], [0.0]] * 2),
    "mean_squared_error reduction": lambda: tf.losses.mean_squared_error(
        batch(None, 1), batch(None, 1), reduction=tf.losses.Reduction.MEAN
    ),
    "mean_squared_error sum": lambda: tf.losses.mean_squared_error(
        batch(None, 1), batch(None, 1), reduction=tf.losses.Reduction.SUM
    ),
    "mean_squared_error none": lambda: tf.losses.mean_squared_error(
        batch(None, 1), batch(None, 1), reduction=tf.losses.Reduction.NONE
    ),
    "mean_squared_error over size": lambda: tf.losses.mean_squared_error(
        batch(None, 1), batch(None, 1), reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE
    ),
    "mean_squared_error int weight": lambda: tf.losses.mean_squared_error(batch(None, 1), batch(None, 1), 2),
    "absolute_difference": lambda: tf.losses.absolute_difference(batch(None, 1), batch(None, 1)),
    "huber_loss": lambda: tf.losses.huber_loss(batch(None, 1), batch(None, 1)),
    "log_loss": lambda: tf.losses.log_loss(batch(None, 1), batch(None, 1)),
    "hinge_loss": lambda: tf.losses.hinge_loss(batch(None, 1), batch(None, 1)),
    "cosine_distance": lambda: tf.losses.cosine_distance(features(), features(), axis=1),
    "mean_pairwise_squared_error": lambda: tf.losses.mean_pairwise_squared_error(features(), features()),
    "sigmoid_cross_entropy": lambda: tf.losses.sigmoid_cross_entropy(features(), features()),
    "sigmoid_cross_entropy smooth": lambda: tf.losses.sigmoid_cross_entropy(
        features(), features(), label_smoothing=0.1
    ),
    "softmax_cross_entropy": lambda: tf.losses.softmax_cross_entropy(features(), features()),
    "softmax_cross_entropy integers": lambda: tf.losses.softmax_cross_entropy(batch(3, 4, dtype=tf.int32), batch(3, 4)),
    "sparse_softmax_cross_entropy": lambda: tf.losses.sparse_softmax_cross_entropy(
        batch(None, dtype=tf.int64), features()
    ),
    "sparse_softmax_cross_entropy columns": lambda: tf.losses.sparse_softmax_cross_entropy(
        batch(None, 1, dtype=tf.int64), features()
    ),
    "compute_weighted_loss": lambda: tf.losses.compute_weighted_loss(batch(None)),
    "compute_weighted_loss weights": lambda: tf.losses.compute_weighted_loss(batch(3, 2), tf.ones([3, 1])),
    "total loss": lambda: [network(), tf.losses.get_total_loss(), tf.losses.get_regularization_loss()],
    "nn losses": lambda: [
        tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=features(), logits=features())),
        tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=features(), logits=features())),
        tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=batch(None, dtype=tf.int64), logits=features())
        ),
        tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=features(), logits=features())),
        tf.nn.l2_loss(features()),
        tf.nn.weighted_cross_entropy_with_logits(features(), features(), 2.0),
    ],
    "clip_by_global_norm": lambda: tf.clip_by_global_norm([features(), tf.ones([3])], 5.0),
    "clip_by_global_norm none": lambda: tf.clip_by_global_norm([features(), None, tf.ones([3])], 1),
    "clip_by_global_norm norm": lambda: tf.clip_by_global_norm([features()], 1.0, use_norm=tf.constant(2.0)),
    "clips": lambda: [
        tf.clip_by_value(features(), -1.0, 1.0),
        tf.clip_by_norm(features(), 2.0),
        tf.global_norm([features()]),
    ],
    "saver": saved,
    "saver one": lambda: saved(count=1),
    "saver resource": lambda: saved(True, 3),
    "saver reshape": lambda: saved(reshape=True),
    "saver list": lambda: [saved(), tf.train.Saver(tf.global_variables()[:1], max_to_keep=1)],
    "saver dictionary": lambda: tf.train.Saver({"w": variable()}),
    "moving average": lambda: shadows(variable()),
    "moving average drawn": lambda: shadows(tf.get_variable("w", [2, 2]), tf.Variable(tf.random_normal([2]))),
    "moving average resource": lambda: shadows(variable(resource=True)),
    "moving average tensor": lambda: shadows(tf.ones([2]) * 2.0, tf.constant(2.0) * 2.0),
    "moving average updates": lambda: shadows(variable(), num_updates=3),
    "moving average debiased": lambda: shadows(tf.ones([2]) * 2.0, zero_debias=True),
    "exponential_decay": lambda: tf.train.exponential_decay(0.1, tf.train.get_or_create_global_step(), 100, 0.9),
    "exponential_decay staircase": lambda: tf.train.exponential_decay(
        0.1, tf.Variable(0, trainable=False), 100, 0.9, staircase=True
    ),
    "polynomial_decay": lambda: tf.train.polynomial_decay(0.1, tf.train.get_or_create_global_step(), 100),
    "polynomial_decay cycle": lambda: tf.train.polynomial_decay(0.1, tf.Variable(0), 100, cycle=True),
    "inverse_time_decay": lambda: tf.train.inverse_time_decay(0.1, tf.Variable(0), 100, 0.9),
    "natural_exp_decay": lambda: tf.train.natural_exp_decay(0.1, tf.Variable(0), 100, 0.9),
    "cosine_decay": lambda: tf.train.cosine_decay(0.1, tf.Variable(0), 100),
    "piecewise_constant": lambda: tf.train.piecewise_constant(tf.Variable(0), [10, 20], [1.0, 0.5, 0.1]),
    "summaries": summaries,
    "gradients of a product": lambda: [tf.gradients(tf.reduce_sum(v * 2.0), v) for v in [variable()]],
    "gradient descent": lambda: tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(variable() ** 2)),
    "gradient descent of square": lambda: tf.train.GradientDescentOptimizer(0.1).minimize(
        tf.reduce_mean(tf.square(features() - variable((4,))))
    ),
    "gradient descent of network": lambda: tf.train.GradientDescentOptimizer(0.1).minimize(network()),
    "adam of network": lambda: tf.train.AdamOptimizer(0.1).minimize(
        network(3, tf.nn.tanh), global_step=tf.train.get_or_create_global_step()
    ),
    "momentum of network": lambda: tf.train.MomentumOptimizer(0.1, 0.9).minimize(network(1, None)),
    "rmsprop of network": lambda: tf.train.RMSPropOptimizer(0.1).minimize(network(1, tf.nn.sigmoid)),
    "adagrad of network": lambda: tf.train.AdagradOptimizer(0.1).minimize(network(1)),
    "apply_gradients": lambda: tf.train.AdamOptimizer(0.1).apply_gradients([(tf.ones([3]), variable())]),
    "apply_gradients descent": lambda: tf.train.GradientDescentOptimizer(0.1).apply_gradients(
        [(tf.ones([3]), variable())], tf.train.get_or_create_global_step()
    ),
    "apply_gradients momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients(
        [(tf.ones([3]), variable(resource=True))]
    ),
    "cond": lambda: tf.cond(tf.placeholder(tf.bool, []), lambda: tf.ones([2]), lambda: tf.zeros([2])),
    "while_loop": lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]),
    "map_fn": lambda: tf.map_fn(lambda x: x * 2.0, features()),
    "scan": lambda: tf.scan(lambda a, x: a + x, features()),
    "lstm cell": lambda: tf.nn.rnn_cell.BasicLSTMCell(3)(features(), (tf.zeros([2, 3]), tf.zeros([2, 3]))),
    "gru cell": lambda: tf.nn.rnn_cell.GRUCell(3)(features(), tf.zeros([2, 3])),
    "basic cell": lambda: tf.nn.rnn_cell.BasicRNNCell(3)(features(), tf.zeros([2, 3])),
    "static_rnn": lambda: tf.nn.static_rnn(
        tf.nn.rnn_cell.BasicLSTMCell(3), tf.unstack(batch(2, 3, 4), axis=1), dtype=tf.float32
    ),
    "dynamic_rnn": lambda: tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(3), batch(2, 3, 4), dtype=tf.float32),
    "zero_state": lambda: tf.nn.rnn_cell.MultiRNNCell(
        [tf.nn.rnn_cell.LSTMCell(3), tf.nn.rnn_cell.GRUCell(2)]
    ).zero_state(4, tf.float32),
    "dropout": dropped,
    "dropout of whole rows": dropped_rows,
    "zero_state tensor": lambda: tf.nn.rnn_cell.LSTMCell(3).zero_state(tf.shape(features())[0], tf.float32),
    "reshape scalar": lambda: tf.reshape(tf.ones([1]), []),
    "zeros of tensors": lambda: [
        tf.zeros([tf.shape(features())[0]]),
        tf.ones([2, 3, tf.shape(features())[0], 4]),
        tf.zeros((tf.shape(features())[0], tf.shape(features())[1])),
    ],
    "embedding_lookup resource": lambda: tf.nn.embedding_lookup(variable((4, 2), True), [0, 1]),
    "gather of variable": lambda: [tf.gather(v, [0, 1]) for v in [variable()]],
    "rmsprop large": lambda: tf.train.RMSPropOptimizer(0.1).apply_gradients([(tf.ones([50, 40]), variable((50, 40)))]),
    "adagrad large": lambda: tf.train.AdagradOptimizer(0.1).apply_gradients([(tf.ones([50, 40]), variable((50, 40)))]),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1).apply_gradients([(tf.ones([3]), variable())]),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(0.1).apply_gradients([(tf.ones([3]), variable())]),
    "adam resource": lambda: tf.train.AdamOptimizer(0.1).apply_gradients([(tf.ones([3]), variable(resource=True))]),
    "polynomial_decay tensors": lambda: tf.train.polynomial_decay(
        tf.constant(0.1), tf.train.get_or_create_global_step(), tf.constant(100.0), power=2.0
    ),
    "inverse_time_decay staircase": lambda: tf.train.inverse_time_decay(
        tf.constant(0.1), tf.train.get_or_create_global_step(), 100, 0.9, staircase=True
    ),
    "embedding_lookup": lambda: tf.nn.embedding_lookup(tf.get_variable("e", [9, 2]), batch(None, dtype=tf.int64)),
    "accuracy": lambda: tf.reduce_mean(
        tf.cast(tf.equal(tf.argmax(features(), 1), tf.argmax(features(), 1)), tf.float32)
    ),
    "reductions": lambda: [
        tf.reduce_mean(features()),
        tf.reduce_sum(features(), 1),
        tf.reduce_max(features(), [0, 1], keepdims=True),
        tf.reduce_prod(tf.ones([2])),
        tf.reduce_all(tf.ones([2]) > 0),
        tf.reduce_logsumexp(features(), 1),
        tf.reduce_mean(batch(None)),
    ],
    "arithmetic": lambda: [
        features() / 2.0,
        features() // 2.0,
        features() % 2.0,
        2.0 - features(),
        -features(),
        abs(features()),
        features() ** 2,
        features() > 0.5,
        tf.add_n([features(), features()]) if 0 else tf.add_n([tf.ones([2]), tf.ones([2])]),
        tf.div(features(), 2.0),
        tf.divide(features(), 2.0),
        tf.square(features()),
        tf.log(features() + 1e-8),
        tf.sqrt(features()),
        tf.maximum(features(), 0.0),
        tf.squared_difference(features(), 1.0),
    ],
    "shapes": lambda: [
        tf.reshape(images(), [-1, 192]),
        tf.concat([features(), features()], 1),
        tf.stack([tf.ones([2]), tf.zeros([2])]),
        tf.unstack(tf.ones([2, 3])),
        tf.transpose(features()),
        tf.transpose(images(), [0, 3, 1, 2]),
        tf.expand_dims(features(), 1),
        tf.squeeze(batch(None, 1)),
        tf.tile(features(), [1, 2]),
        tf.gather(features(), [0, 1]),
        tf.range(5),
        features()[:, 1:3],
        features()[..., tf.newaxis],
        tf.shape(features())[0],
        tf.pad(features(), [[0, 0], [1, 1]]),
        tf.where(features() > 0, tf.ones([2, 4]), tf.zeros([2, 4])),
        tf.reverse(features(), [1]),
        tf.boolean_mask(tf.ones([3]), [True, False, True]),
        tf.sequence_mask(batch(None, dtype=tf.int32), 5),
    ],
    "activations": lambda: [
        f(features())
        for f in (
            tf.nn.relu,
            tf.nn.elu,
            tf.nn.leaky_relu,
            tf.nn.selu,
            tf.nn.softmax,
            tf.nn.log_softmax,
            tf.nn.softplus,
            tf.nn.relu6,
            tf.tanh,
            tf.sigmoid,
            tf.nn.swish,
            tf.nn.crelu,
        )
    ],
    "numbers": lambda: [tf.random_uniform([2]), tf.truncated_normal([2]), tf.random_shuffle(tf.range(3))],
    "multinomial": lambda: tf.multinomial(features(), 2),
    "uniform integers": lambda: tf.random_uniform([2], maxval=5, dtype=tf.int32),
    "random_gamma": lambda: tf.random_gamma([2], 1.0),
    "xavier": lambda: tf.get_variable("w", [3, 4], initializer=tf.contrib.layers.xavier_initializer()),
    "variance scaling": lambda: tf.get_variable("w", [3, 4], initializer=tf.variance_scaling_initializer()),
    "uniform initializer": lambda: tf.get_variable("w", [3, 4], initializer=tf.random_uniform_initializer(-1.0, 1.0)),
    "orthogonal": lambda: tf.get_variable("w", [3, 4], initializer=tf.orthogonal_initializer()),
    "truncated initializer": lambda: tf.get_variable("w", [3], initializer=tf.truncated_normal_initializer(stddev=0.1)),
    "regularized variable": lambda: tf.get_variable("w", [3], regularizer=tf.contrib.layers.l2_regularizer(0.1)),
    "variables": lambda: [
        tf.Variable(3),
        tf.Variable([1.0, 2.0], trainable=False),
        tf.Variable(tf.zeros([2]), name="z"),
    ],
    "variable of numpy": lambda: tf.Variable(np.ones((2, 3), np.float32)),
    "variable of function": lambda: tf.Variable(lambda: tf.ones([2])),
    "conv2d dilated": lambda: tf.layers.conv2d(images(), 4, 3, dilation_rate=2),
    "conv1d dilated": lambda: tf.layers.conv1d(batch(None, 10, 3), 4, 3, dilation_rate=2),
    "contrib conv2d dilated": lambda: tf.contrib.layers.conv2d(images(), 4, 3, rate=2),
    "conv2d_transpose first": lambda: tf.layers.conv2d_transpose(
        batch(None, 3, 8, 8), 4, 3, data_format="channels_first"
    ),
    "mean_squared_error placeholder weights": lambda: tf.losses.mean_squared_error(
        batch(None, 1), batch(None, 1), weights=batch(None, 1)
    ),
    "batch_norm in a scope": in_scope,
    "batch_norm of a layer": lambda: tf.contrib.layers.fully_connected(
        features(),
        3,
        normalizer_fn=tf.contrib.layers.batch_norm,
        normalizer_params={"is_training": tf.placeholder(tf.bool, [])},
    ),
    "batch_norm of a layer of slim": lambda: tf.contrib.slim.conv2d(
        images(),
        3,
        1,
        normalizer_fn=tf.contrib.slim.batch_norm,
        normalizer_params={"is_training": tf.placeholder(tf.bool, [])},
    ),
    "residual network": lambda: residual_network(True),
    "residual network placeholder": lambda: residual_network(tf.placeholder(tf.bool, [])),
    "saver sharded": lambda: saved(sharded=True),
    "decoded step": lambda: tf.train.create_global_step(),
    "dataset": lambda: (
        tf.data.Dataset.from_tensor_slices(np.ones([4, 2], np.float32)).batch(2).make_one_shot_iterator().get_next()
    ),
    "dataset shuffled": lambda: (
        tf.data.Dataset.range(4).cache().shuffle(3).batch(2).make_one_shot_iterator().get_next()
    ),
    "cell wrapped": lambda: tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), output_keep_prob=0.5),
    "dataset initializable": lambda: [
        (it.initializer, it.get_next()) for it in [tf.data.Dataset.range(5).repeat().make_initializable_iterator()]
    ],
    "metrics accuracy": lambda: tf.metrics.accuracy(batch(None, dtype=tf.int64), batch(None, dtype=tf.int64)),
    "group": lambda: [
        tf.group(variable().initializer, tf.no_op()),
        tf.tuple([tf.ones([2])]),
        tf.identity(tf.ones([1])),
    ],
    "stop_gradient": lambda: tf.stop_gradient(features()),
    "print": lambda: tf.Print(features(), [tf.shape(features())], "x"),
    "py_func": lambda: tf.py_func(lambda x: x, [features()], tf.float32),
    "resize": lambda: [
        tf.image.resize_images(images(), [4, 4]),
        tf.image.resize_bilinear(images(), [4, 4]),
        tf.image.resize_nearest_neighbor(images(), [16, 16]),
    ],
}

DIFFERENT = {
    "variable of variable": "tf.Variable.initialized_value",
    "dense keras l2": "tf.keras.regularizers.l2",
    "batch_normalization placeholder": "tf.layers.* training",
    "batch_normalization placeholder fused": "tf.layers.* training",
    "contrib batch_norm placeholder": "tf.contrib.layers.* is_training",
    "einsum batch": "tf.einsum",
    "piecewise_constant": "tf.train.piecewise_constant",
    "gradients of a product": "tf.gradients",
    "gradient descent": "tf.train.Optimizer.minimize",
    "gradient descent of square": "tf.train.Optimizer.minimize",
    "gradient descent of network": "tf.train.Optimizer.minimize",
    "adam of network": "tf.train.Optimizer.minimize",
    "momentum of network": "tf.train.Optimizer.minimize",
    "rmsprop of network": "tf.train.Optimizer.minimize",
    "adagrad of network": "tf.train.Optimizer.minimize",
    "adam resource": "tf.train.Optimizer.apply_gradients",
    "cond": "tf.cond",
    "while_loop": "tf.while_loop",
    "map_fn": "tf.map_fn",
    "scan": "tf.scan",
    "dynamic_rnn": "tf.nn.dynamic_rnn",
    "embedding_lookup resource": "tf.nn.embedding_lookup",
    "activations": "tf.nn.swish",
    "conv2d_transpose first": "tf.layers.* data_format",
    "mean_squared_error placeholder weights": "tf.losses.* weights",
    "batch_norm in a scope": "tf.contrib.framework.arg_scope is_training",
    "batch_norm of a layer": "tf.contrib.layers.* normalizer_params",
    "residual network placeholder": "tf.contrib.slim.* is_training",
    "batch_norm of a layer of slim": "tf.contrib.slim.* normalizer_params",
    "saver sharded": "tf.train.Saver sharded",
}
"""Cases whose numbers are others than TF1's, each with what makes them so: a row of `operation_count.txt`."""
ONCE = ("tf.debugging.set_log_device_placement",)
"""Snippets of what is said before anything else, of the whole process."""
