"""TF 1.x calls of layers, cells and metrics, on a graph; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

X = np.sin(np.arange(12, dtype=np.float32)).reshape(2, 6)
S = np.sin(np.arange(24, dtype=np.float32)).reshape(2, 6, 2)
P = np.sin(np.arange(72, dtype=np.float32)).reshape(2, 6, 6, 1)
V = np.sin(np.arange(54, dtype=np.float32)).reshape(2, 3, 3, 3, 1)
A = np.array([0, 1, 2, 1], np.int64)
B = np.array([0, 2, 2, 1], np.int64)
T = np.array([True, False, True, True])
F = np.array([0.9, 0.4, 0.3, 0.8], np.float32)


def half():
    """An initializer without chance."""
    return tf.constant_initializer(0.5)


def names():
    """The names of all variables."""
    return [v.name for v in tf.global_variables()]


def run_layer(layer, value):
    """What a layer object gives, and its variables' names."""
    return layer(tf.constant(value)), names()


def run_cell(cell, **options):
    """What a cell gives over a sequence, and its variables' names."""
    with tf.variable_scope("rnn_test", initializer=half()):
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(S), dtype=tf.float32, **options)
    return outputs, list(state) if isinstance(state, tuple) else state, names()


def measured(make):
    """What a metric's update gives."""
    return make()[1]


SNIPPETS = {
    "tf.layers.dense": lambda: [tf.layers.dense(X, 3, kernel_initializer=half(), activation=tf.nn.tanh), names()],
    "tf.layers.dense / positional": lambda: tf.layers.dense(tf.constant(S), 2, None, False, half(), name="d"),
    "tf.layers.conv1d": lambda: [tf.layers.conv1d(S, 2, 3, 1, "same", kernel_initializer=half()), names()],
    "tf.layers.conv2d": lambda: [
        tf.layers.conv2d(P, 2, 3, (2, 2), "same", activation=tf.nn.relu, kernel_initializer=half()),
        names(),
    ],
    "tf.layers.conv3d": lambda: tf.layers.conv3d(V, 2, 2, kernel_initializer=half()),
    "tf.layers.conv2d_transpose": lambda: tf.layers.conv2d_transpose(P, 1, 3, 2, "same", kernel_initializer=half()),
    "tf.layers.conv3d_transpose": lambda: tf.layers.conv3d_transpose(V, 1, 2, 2, kernel_initializer=half()),
    "tf.layers.separable_conv1d": lambda: tf.layers.separable_conv1d(
        S, 2, 3, depthwise_initializer=half(), pointwise_initializer=half()
    ),
    "tf.layers.separable_conv2d": lambda: tf.layers.separable_conv2d(
        P, 2, 3, depthwise_initializer=half(), pointwise_initializer=half()
    ),
    "tf.layers.max_pooling1d": lambda: tf.layers.max_pooling1d(S, 2, 2),
    "tf.layers.max_pooling2d": lambda: tf.layers.max_pooling2d(P, 2, 2, "same"),
    "tf.layers.max_pooling3d": lambda: tf.layers.max_pooling3d(V, 2, 1),
    "tf.layers.average_pooling1d": lambda: tf.layers.average_pooling1d(S, 2, 2),
    "tf.layers.average_pooling2d": lambda: tf.layers.average_pooling2d(P, (3, 3), 2, padding="same"),
    "tf.layers.average_pooling3d": lambda: tf.layers.average_pooling3d(V, 2, 1),
    "tf.layers.batch_normalization": lambda: [tf.layers.batch_normalization(X, training=True), names()],
    "tf.layers.batch_normalization / inference": lambda: tf.layers.batch_normalization(
        X, axis=1, moving_mean_initializer=half(), training=False
    ),
    "tf.layers.dropout": lambda: tf.layers.dropout(X, 0.5),
    "tf.layers.dropout / training": lambda: (
        tf.reduce_mean(tf.layers.dropout(np.ones((100, 400), np.float32), rate=0.1, training=True)) > 0.97
    ),
    "tf.layers.flatten": lambda: tf.layers.flatten(P),
    "tf.layers.Dense": lambda: run_layer(tf.layers.Dense(3, kernel_initializer=half()), X),
    "tf.layers.Conv1D": lambda: run_layer(tf.layers.Conv1D(2, 3, kernel_initializer=half()), S),
    "tf.layers.Conv2D": lambda: run_layer(tf.layers.Conv2D(2, 3, kernel_initializer=half(), name="c"), P),
    "tf.layers.Conv3D": lambda: run_layer(tf.layers.Conv3D(1, 2, kernel_initializer=half()), V),
    "tf.layers.Conv2DTranspose": lambda: run_layer(tf.layers.Conv2DTranspose(1, 3, kernel_initializer=half()), P),
    "tf.layers.Conv3DTranspose": lambda: run_layer(tf.layers.Conv3DTranspose(1, 2, kernel_initializer=half()), V),
    "tf.layers.SeparableConv1D": lambda: run_layer(
        tf.layers.SeparableConv1D(2, 3, depthwise_initializer=half(), pointwise_initializer=half()), S
    ),
    "tf.layers.SeparableConv2D": lambda: run_layer(
        tf.layers.SeparableConv2D(2, 3, depthwise_initializer=half(), pointwise_initializer=half()), P
    ),
    "tf.layers.BatchNormalization": lambda: run_layer(tf.layers.BatchNormalization(momentum=0.9), X),
    "tf.layers.Dropout": lambda: run_layer(tf.layers.Dropout(0.5), X),
    "tf.layers.Flatten": lambda: run_layer(tf.layers.Flatten(), P),
    "tf.layers.MaxPooling1D": lambda: run_layer(tf.layers.MaxPooling1D(2, 2), S),
    "tf.layers.MaxPooling2D": lambda: run_layer(tf.layers.MaxPooling2D(2, 2), P),
    "tf.layers.MaxPooling3D": lambda: run_layer(tf.layers.MaxPooling3D(2, 1), V),
    "tf.layers.AveragePooling1D": lambda: run_layer(tf.layers.AveragePooling1D(2, 2), S),
    "tf.layers.AveragePooling2D": lambda: run_layer(tf.layers.AveragePooling2D(2, 2), P),
    "tf.layers.AveragePooling3D": lambda: run_layer(tf.layers.AveragePooling3D(2, 1), V),
    "tf.layers.InputSpec": lambda: tf.layers.InputSpec(ndim=2).ndim,
    "tf.layers.Layer": lambda: issubclass(tf.layers.Dense, tf.layers.Layer),
    "tf.nn.rnn_cell.BasicRNNCell": lambda: run_cell(tf.nn.rnn_cell.BasicRNNCell(3)),
    "tf.nn.rnn_cell.BasicLSTMCell": lambda: run_cell(tf.nn.rnn_cell.BasicLSTMCell(3, forget_bias=0.5)),
    "tf.nn.rnn_cell.LSTMCell": lambda: run_cell(tf.nn.rnn_cell.LSTMCell(3, use_peepholes=True, num_proj=2)),
    "tf.nn.rnn_cell.GRUCell": lambda: run_cell(tf.nn.rnn_cell.GRUCell(3)),
    "tf.nn.rnn_cell.MultiRNNCell": lambda: run_cell(
        tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3), tf.nn.rnn_cell.GRUCell(2)])
    ),
    "tf.nn.rnn_cell.DropoutWrapper": lambda: run_cell(
        tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), output_keep_prob=1.0)
    ),
    "tf.nn.rnn_cell.ResidualWrapper": lambda: run_cell(tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(2))),
    "tf.nn.rnn_cell.DeviceWrapper": lambda: run_cell(tf.nn.rnn_cell.DeviceWrapper(tf.nn.rnn_cell.GRUCell(2), "/cpu:0")),
    "tf.nn.rnn_cell.LSTMStateTuple": lambda: tf.nn.rnn_cell.LSTMStateTuple(1, 2).h,
    "tf.nn.rnn_cell.RNNCell": lambda: issubclass(tf.nn.rnn_cell.GRUCell, tf.nn.rnn_cell.RNNCell),
    "tf.nn.dynamic_rnn": lambda: run_cell(tf.nn.rnn_cell.GRUCell(3), sequence_length=[3, 6]),
    "tf.nn.static_rnn": lambda: tf.nn.static_rnn(
        tf.nn.rnn_cell.BasicRNNCell(3, name="cell"), tf.unstack(tf.zeros([2, 3, 2]), axis=1), dtype=tf.float32
    ),
    "tf.nn.bidirectional_dynamic_rnn": lambda: tf.nn.bidirectional_dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(3, kernel_initializer=half()),
        tf.nn.rnn_cell.GRUCell(3, kernel_initializer=half()),
        tf.constant(S),
        dtype=tf.float32,
    ),
    "tf.nn.static_bidirectional_rnn": lambda: tf.nn.static_bidirectional_rnn(
        tf.nn.rnn_cell.GRUCell(3, kernel_initializer=half()),
        tf.nn.rnn_cell.GRUCell(3, kernel_initializer=half()),
        tf.unstack(tf.constant(S), axis=1),
        dtype=tf.float32,
    ),
    "tf.metrics.accuracy": lambda: measured(lambda: tf.metrics.accuracy(A, B)),
    "tf.metrics.mean": lambda: measured(lambda: tf.metrics.mean(F, [1.0, 0.0, 1.0, 1.0])),
    "tf.metrics.mean_tensor": lambda: measured(lambda: tf.metrics.mean_tensor(F)),
    "tf.metrics.precision": lambda: measured(lambda: tf.metrics.precision(T, F > 0.35)),
    "tf.metrics.recall": lambda: measured(lambda: tf.metrics.recall(T, F > 0.35)),
    "tf.metrics.auc": lambda: measured(lambda: tf.metrics.auc(T, F)),
    "tf.metrics.mean_squared_error": lambda: measured(lambda: tf.metrics.mean_squared_error(F, F * 2)),
    "tf.metrics.root_mean_squared_error": lambda: measured(lambda: tf.metrics.root_mean_squared_error(F, F * 2)),
    "tf.metrics.mean_absolute_error": lambda: measured(lambda: tf.metrics.mean_absolute_error(F, F * 2)),
    "tf.metrics.mean_relative_error": lambda: measured(lambda: tf.metrics.mean_relative_error(F, F * 2, F)),
    "tf.metrics.mean_cosine_distance": lambda: measured(lambda: tf.metrics.mean_cosine_distance(F, F * 2, 0)),
    "tf.metrics.percentage_below": lambda: measured(lambda: tf.metrics.percentage_below(F, 0.5)),
    "tf.metrics.true_positives": lambda: measured(lambda: tf.metrics.true_positives(T, F > 0.35)),
    "tf.metrics.true_negatives": lambda: measured(lambda: tf.metrics.true_negatives(T, F > 0.35)),
    "tf.metrics.false_positives": lambda: measured(lambda: tf.metrics.false_positives(T, F > 0.35)),
    "tf.metrics.false_negatives": lambda: measured(lambda: tf.metrics.false_negatives(T, F > 0.35)),
    "tf.metrics.precision_at_thresholds": lambda: measured(lambda: tf.metrics.precision_at_thresholds(T, F, [0.5])),
    "tf.metrics.recall_at_thresholds": lambda: measured(lambda: tf.metrics.recall_at_thresholds(T, F, [0.5])),
    "tf.metrics.true_positives_at_thresholds": lambda: measured(
        lambda: tf.metrics.true_positives_at_thresholds(T, F, [0.5])
    ),
    "tf.metrics.true_negatives_at_thresholds": lambda: measured(
        lambda: tf.metrics.true_negatives_at_thresholds(T, F, [0.5])
    ),
    "tf.metrics.false_positives_at_thresholds": lambda: measured(
        lambda: tf.metrics.false_positives_at_thresholds(T, F, [0.5])
    ),
    "tf.metrics.false_negatives_at_thresholds": lambda: measured(
        lambda: tf.metrics.false_negatives_at_thresholds(T, F, [0.5])
    ),
    "tf.metrics.sensitivity_at_specificity": lambda: measured(lambda: tf.metrics.sensitivity_at_specificity(T, F, 0.5)),
    "tf.metrics.specificity_at_sensitivity": lambda: measured(lambda: tf.metrics.specificity_at_sensitivity(T, F, 0.5)),
    "tf.metrics.mean_iou": lambda: measured(lambda: tf.metrics.mean_iou(tf.constant(A), tf.constant(B), 3)),
    "tf.metrics.mean_per_class_accuracy": lambda: measured(
        lambda: tf.metrics.mean_per_class_accuracy(tf.constant(A), tf.constant(B), 3)
    ),
    "tf.metrics.precision_at_k": lambda: measured(lambda: tf.metrics.precision_at_k(A[:2, None], X[:, :3], 2)),
    "tf.metrics.recall_at_k": lambda: measured(lambda: tf.metrics.recall_at_k(A[:2, None], X[:, :3], 2)),
    "tf.metrics.average_precision_at_k": lambda: measured(
        lambda: tf.metrics.average_precision_at_k(A[:2, None], X[:, :3], 2)
    ),
    "tf.metrics.precision_at_top_k": lambda: measured(
        lambda: tf.metrics.precision_at_top_k(tf.constant(A[:2, None]), tf.constant(B[:2, None]), 1)
    ),
    "tf.metrics.recall_at_top_k": lambda: measured(
        lambda: tf.metrics.recall_at_top_k(tf.constant(A[:2, None]), tf.constant(B[:2, None]), 1)
    ),
    "tf.losses.add_loss": lambda: [tf.losses.add_loss(tf.constant(2.0)), tf.losses.get_total_loss()],
    "tf.losses.get_losses": lambda: [tf.losses.add_loss(tf.constant(2.0)), tf.losses.get_losses()],
    "tf.losses.get_total_loss": lambda: [tf.losses.mean_squared_error(X, X * 2), tf.losses.get_total_loss()],
    "tf.losses.get_regularization_loss": lambda: tf.losses.get_regularization_loss(),
    "tf.losses.get_regularization_losses": lambda: len(tf.losses.get_regularization_losses()),
    "tf.losses.Reduction": lambda: [tf.losses.Reduction.NONE, tf.losses.Reduction.SUM, tf.losses.Reduction.MEAN],
}
