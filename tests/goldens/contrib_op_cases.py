"""Functions and metrics of `tf.contrib` for op_cases.py, which see. Python 3.7 must read this."""

import numpy as np

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], np.float32)
Y = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], np.float32)
TABLE = np.arange(20, dtype=np.float32).reshape(10, 2)


def _datasets(tf1, tf):
    """Datasets as numbers, whose digits tell the elements and their order."""
    data = tf1.contrib.data

    def digits(dataset):
        return dataset.reduce(np.int64(0), lambda seen, x: seen * 10 + tf.reduce_sum(x))

    seven = tf.data.Dataset.range(7)
    return (
        digits(seven.apply(data.batch_and_drop_remainder(2))),
        digits(seven.apply(data.padded_batch_and_drop_remainder(3, []))),
        digits(seven.apply(data.sloppy_interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), 1))),
        digits(seven.apply(data.sliding_window_batch(2, window_shift=3))),
    )


def _sparse(tf1, tf):
    layers = tf1.contrib.layers
    rows = layers.dense_to_sparse(tf.constant([[1, 0, 2], [0, 3, 0]]), eos_token=0)
    return (
        rows.indices,
        rows.values,
        layers.embedding_lookup_unique(tf.constant(TABLE), tf.constant([[3, 1], [3, 3]], tf.int64)),
        layers.sum_regularizer([layers.l1_regularizer(0.5), layers.l2_regularizer(0.1)])(tf.constant(X)),
    )


def _transforms(tf1, tf):
    image = tf1.contrib.image
    flat = tf.constant([[1.0, 0.2, 0.1, 0.0, 0.9, 0.3, 0.01, 0.0]])
    matrices = image.flat_transforms_to_matrices(flat)
    return (
        image.translations_to_projective_transforms(tf.constant([[1.0, -1.5], [0.0, 2.0]])),
        image.angles_to_projective_transforms(tf.constant([0.3, -1.0]), 5.0, 4.0),
        matrices,
        image.matrices_to_flat_transforms(matrices * 2.0),
    )


def _flipped(tf1, tf):
    nn = tf1.contrib.nn
    return (
        nn.deprecated_flipped_softmax_cross_entropy_with_logits(tf.constant(X), tf.constant(Y)),
        nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(tf.constant(X), tf.constant(Y)),
        nn.alpha_dropout(tf.constant(X), 1.0),
    )


def _crf_cells(tf1, tf):
    crf = tf1.contrib.crf
    transitions, state = tf.constant(X[:, :2]), tf.constant(X[:, 1:])
    inputs = tf.constant([[0.1, 0.7], [-0.3, 0.4]])
    return (
        crf.CrfForwardRnnCell(transitions)(inputs, state),
        crf.CrfDecodeForwardRnnCell(transitions)(inputs, state),
        crf.CrfDecodeBackwardRnnCell(2)(tf.constant([[1, 0], [0, 1]]), tf.constant([[1], [0]])),
    )


def _beams(tf1, tf):
    decoding = tf1.contrib.seq2seq
    steps = tf.constant([[[1, 2]], [[3, 4]], [[5, 6]]])
    parents = tf.constant([[[0, 0]], [[1, 0]], [[1, 0]]])
    return (
        decoding.gather_tree(steps, parents, tf.constant([3]), 9),
        decoding.hardmax(tf.constant(X)),
        decoding.safe_cumprod(tf.constant(X), axis=1, exclusive=True),
        decoding.BasicDecoderOutput(tf.constant(1.0), tf.constant(2)),
        decoding.FinalBeamSearchDecoderOutput(
            steps, decoding.BeamSearchDecoderOutput(tf.constant(0.5), tf.constant(1), tf.constant(2))
        ),
    )


def _batches(tf1, tf):
    rnn = tf1.contrib.rnn
    x = tf.constant(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    return rnn.transpose_batch_time(x), tf.constant(rnn.best_effort_input_batch_size([x]))


FUNCTIONS = {
    "contrib_datasets": _datasets,
    "contrib_sparse": _sparse,
    "contrib_transforms": _transforms,
    "contrib_flipped": _flipped,
    "contrib_alpha_dropout_seeded": lambda tf1, tf: tf1.contrib.nn.alpha_dropout(tf.constant(X), 0.4, seed=7),
    "contrib_crf_cells": _crf_cells,
    "contrib_beams": _beams,
    "contrib_batches": _batches,
}


def _streaming(name, *args, **kwargs):
    """A metric of truth (as numbers), scores and weights, in the order that `tf.contrib.metrics` has."""

    def make(tf1, tf, truth, scores, weights, ranked):
        metric = getattr(tf1.contrib.metrics, name)
        return metric(scores, tf.cast(truth, scores.dtype), *args, weights=weights, **kwargs)

    return make


def _rounded(name):
    def make(tf1, tf, truth, scores, weights, ranked):
        return getattr(tf1.contrib.metrics, name)(tf.round(scores), truth, weights)

    return make


def _at_thresholds(name):
    def make(tf1, tf, truth, scores, weights, ranked):
        return getattr(tf1.contrib.metrics, name)(scores, truth, [0.25, 0.5, 0.7], weights=weights)

    return make


def _ranked(name, *args, **kwargs):
    def make(tf1, tf, truth, scores, weights, ranked):
        return getattr(tf1.contrib.metrics, name)(ranked, truth[:2][None], *args, **kwargs)

    return make


def _top_k(tf1, tf, truth, scores, weights, ranked):
    best = tf.cast(tf.math.top_k(ranked, 2).indices, tf.int64)
    return tf1.contrib.metrics.streaming_sparse_precision_at_top_k(best, truth[:2][None])


def _aggregated(tf1, tf, truth, scores, weights, ranked):
    metrics = tf1.contrib.metrics
    values, updates = metrics.aggregate_metrics(
        metrics.streaming_mean(scores), metrics.streaming_percentage_less(scores, 0.5)
    )
    return tf.stack(values), tf.stack(updates)


NORMALIZER = np.array([1.0, 0.0, 2.0, 4.0], np.float32)
METRICS = {
    "streaming_mean_absolute_error": _streaming("streaming_mean_absolute_error"),
    "streaming_mean_squared_error": _streaming("streaming_mean_squared_error"),
    "streaming_root_mean_squared_error": _streaming("streaming_root_mean_squared_error"),
    "streaming_mean_relative_error": _streaming("streaming_mean_relative_error", NORMALIZER),
    "streaming_mean_cosine_distance": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_mean_cosine_distance(
        s, tf.cast(t, tf.float32), dim=0
    ),
    "streaming_true_positives": _rounded("streaming_true_positives"),
    "streaming_true_negatives": _rounded("streaming_true_negatives"),
    "streaming_false_positives": _rounded("streaming_false_positives"),
    "streaming_false_negatives": _rounded("streaming_false_negatives"),
    "streaming_precision": _rounded("streaming_precision"),
    "streaming_recall": _rounded("streaming_recall"),
    "streaming_true_positives_at_thresholds": _at_thresholds("streaming_true_positives_at_thresholds"),
    "streaming_true_negatives_at_thresholds": _at_thresholds("streaming_true_negatives_at_thresholds"),
    "streaming_false_positives_at_thresholds": _at_thresholds("streaming_false_positives_at_thresholds"),
    "streaming_false_negatives_at_thresholds": _at_thresholds("streaming_false_negatives_at_thresholds"),
    "streaming_precision_at_thresholds": _at_thresholds("streaming_precision_at_thresholds"),
    "streaming_recall_at_thresholds": _at_thresholds("streaming_recall_at_thresholds"),
    "streaming_sensitivity_at_specificity": _streaming("streaming_sensitivity_at_specificity", 0.6, num_thresholds=20),
    "streaming_specificity_at_sensitivity": _streaming("streaming_specificity_at_sensitivity", 0.6, num_thresholds=20),
    "streaming_sparse_precision_at_k": _ranked("streaming_sparse_precision_at_k", 2),
    "streaming_sparse_recall_at_k": _ranked("streaming_sparse_recall_at_k", 2, class_id=1),
    "streaming_sparse_average_precision_at_k": _ranked("streaming_sparse_average_precision_at_k", 3),
    "streaming_sparse_precision_at_top_k": _top_k,
    "contrib_aggregated": _aggregated,
}
