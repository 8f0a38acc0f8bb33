"""TF 1.x calls of softmax, cross entropies, losses and normalizations; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

X = np.array([[1.5, -2.0, 0.25], [3.0, 0.5, -1.0]], np.float32)
T = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], np.float32)
G = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)
E = np.arange(10, dtype=np.float32).reshape(5, 2)


SNIPPETS = {
    "tf.nn.softmax": lambda: tf.nn.softmax(X),
    "tf.nn.softmax / dim": lambda: tf.nn.softmax(X, dim=0),
    "tf.nn.softmax / name": lambda: tf.nn.softmax(X, 0, "p"),
    "tf.nn.log_softmax": lambda: tf.nn.log_softmax(X),
    "tf.nn.log_softmax / dim": lambda: tf.nn.log_softmax(X, dim=0),
    "tf.nn.softmax_cross_entropy_with_logits": lambda: tf.nn.softmax_cross_entropy_with_logits(labels=T, logits=X),
    "tf.nn.softmax_cross_entropy_with_logits / dim": lambda: tf.nn.softmax_cross_entropy_with_logits(
        labels=T, logits=X, dim=0, name="e"
    ),
    "tf.nn.softmax_cross_entropy_with_logits_v2": lambda: tf.nn.softmax_cross_entropy_with_logits_v2(T, X),
    "tf.nn.softmax_cross_entropy_with_logits_v2 / dim": lambda: tf.nn.softmax_cross_entropy_with_logits_v2(T, X, dim=0),
    "tf.nn.sparse_softmax_cross_entropy_with_logits": lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=[2, 0], logits=X
    ),
    "tf.nn.sigmoid_cross_entropy_with_logits": lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=T, logits=X),
    "tf.nn.weighted_cross_entropy_with_logits": lambda: tf.nn.weighted_cross_entropy_with_logits(T, X, 2.0),
    "tf.nn.weighted_cross_entropy_with_logits / targets": lambda: tf.nn.weighted_cross_entropy_with_logits(
        targets=T, logits=X, pos_weight=2.0, name="e"
    ),
    "tf.nn.log_poisson_loss": lambda: tf.nn.log_poisson_loss(T, X, True),
    "tf.nn.l2_loss": lambda: tf.nn.l2_loss(X),
    "tf.nn.l2_normalize": lambda: tf.nn.l2_normalize(X, 1),
    "tf.nn.l2_normalize / dim": lambda: tf.nn.l2_normalize(X, dim=0, epsilon=1e-6),
    "tf.nn.moments": lambda: tf.nn.moments(tf.constant(X), [0]),
    "tf.nn.moments / keep_dims": lambda: tf.nn.moments(tf.constant(X), [0], keep_dims=True),
    "tf.nn.moments / name": lambda: tf.nn.moments(tf.constant(X), [0], None, "m"),
    "tf.nn.moments / positional": lambda: tf.nn.moments(tf.constant(X), [0], None, "m", True),
    "tf.nn.weighted_moments": lambda: tf.nn.weighted_moments(X, [0], 2.0 * np.ones_like(X)),
    "tf.nn.weighted_moments / keep_dims": lambda: tf.nn.weighted_moments(X, [0], T + 1, "m", True),
    "tf.nn.sufficient_statistics": lambda: tf.nn.sufficient_statistics(X, [0]),
    "tf.nn.sufficient_statistics / keep_dims": lambda: tf.nn.sufficient_statistics(X, [0], None, True, "s"),
    "tf.nn.normalize_moments": lambda: tf.nn.normalize_moments(tf.constant(2.0), X, X * X, None),
    "tf.nn.batch_normalization": lambda: tf.nn.batch_normalization(
        X, np.float32([1]), np.float32([2]), np.float32([0.5]), np.float32([3]), 1e-3
    ),
    "tf.nn.batch_norm_with_global_normalization": lambda: tf.nn.batch_norm_with_global_normalization(
        G, np.ones(2, np.float32), np.ones(2, np.float32), np.zeros(2, np.float32), np.ones(2, np.float32), 1e-3, True
    ),
    "tf.nn.batch_norm_with_global_normalization / t": lambda: tf.nn.batch_norm_with_global_normalization(
        t=G,
        m=np.ones(2, np.float32),
        v=np.ones(2, np.float32),
        beta=np.zeros(2, np.float32),
        gamma=np.ones(2, np.float32),
        variance_epsilon=1e-3,
        scale_after_normalization=False,
    ),
    "tf.nn.fused_batch_norm": lambda: tf.nn.fused_batch_norm(G, [1.0, 2.0], [0.5, 0.0]),
    "tf.nn.fused_batch_norm / inference": lambda: tf.nn.fused_batch_norm(
        G, [1.0, 2.0], [0.5, 0.0], [1.0, 1.0], [2.0, 2.0], is_training=False
    )[0],
    "tf.nn.lrn": lambda: tf.nn.lrn(G, 1, 1.0, 0.5, 0.5),
    "tf.nn.bias_add": lambda: tf.nn.bias_add(X, [1.0, 2.0, 3.0]),
    "tf.nn.xw_plus_b": lambda: tf.nn.xw_plus_b(X, T.T, [1.0, 2.0]),
    "tf.nn.relu_layer": lambda: tf.nn.relu_layer(X, T.T, [1.0, 2.0]),
    "tf.nn.in_top_k": lambda: tf.nn.in_top_k(X, [0, 1], 1),
    "tf.nn.in_top_k / keywords": lambda: tf.nn.in_top_k(predictions=X, targets=[0, 1], k=2, name="top"),
    "tf.nn.top_k": lambda: tf.nn.top_k(X, 2),
    "tf.nn.top_k / name": lambda: tf.nn.top_k(X, 2, True, "best"),
    "tf.nn.zero_fraction": lambda: tf.nn.zero_fraction(T),
    "tf.nn.dropout": lambda: tf.nn.dropout(X, 1.0),
    "tf.nn.dropout / keep_prob": lambda: tf.nn.dropout(X, keep_prob=1.0),
    "tf.nn.dropout / rate": lambda: tf.nn.dropout(X, rate=0.0),
    "tf.nn.dropout / mean": lambda: tf.reduce_mean(tf.nn.dropout(np.ones(40000, np.float32), 0.9)) > 0.98,
    "tf.nn.dropout / kept": lambda: (
        tf.reduce_mean(tf.to_float(tf.nn.dropout(np.ones(40000, np.float32), 0.9) > 0)) > 0.85
    ),
    "tf.nn.embedding_lookup": lambda: tf.nn.embedding_lookup(E, [4, 0]),
    "tf.nn.embedding_lookup / partitions": lambda: tf.nn.embedding_lookup([E[:3], E[3:]], [0, 1, 2, 3]),
    "tf.nn.embedding_lookup / div": lambda: tf.nn.embedding_lookup([E[:3], E[3:]], [0, 4], partition_strategy="div"),
    "tf.nn.embedding_lookup / max_norm": lambda: tf.nn.embedding_lookup(E, [4, 0], max_norm=1.0),
    "tf.nn.embedding_lookup_sparse": lambda: tf.nn.embedding_lookup_sparse(
        [E[:3], E[3:]],
        tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.int64([0, 1, 3]), [2, 2]),
        None,
        combiner="sum",
    ),
    "tf.nn.safe_embedding_lookup_sparse": lambda: tf.nn.safe_embedding_lookup_sparse(
        [tf.constant(E)], tf.SparseTensor([[0, 0], [0, 1], [2, 0]], np.int64([0, 1, 3]), [3, 2])
    ),
    "tf.nn.collapse_repeated": lambda: tf.nn.collapse_repeated([[1, 1, 2], [3, 3, 3]], [3, 2]),
    "tf.nn.ctc_loss": lambda: tf.nn.ctc_loss(
        tf.SparseTensor([[0, 0], [0, 1]], np.int32([0, 1]), [1, 2]), np.tile(X[:1, None], [4, 1, 1]), [4]
    ),
    "tf.nn.ctc_greedy_decoder": lambda: tf.nn.ctc_greedy_decoder(np.tile(X[:1, None], [4, 1, 1]), [4]),
    "tf.nn.ctc_beam_search_decoder": lambda: tf.nn.ctc_beam_search_decoder(
        np.float32([[[0.9, 0.1, 0.2]], [[0.1, 0.2, 0.3]], [[0.9, 0.3, 0.2]], [[0.8, 0.3, 0.1]]]), [4], 3
    ),
    "tf.nn.ctc_unique_labels": lambda: tf.nn.ctc_unique_labels([[3, 4, 4, 3]]),
    "tf.nn.compute_average_loss": lambda: tf.nn.compute_average_loss([1.0, 2.0], global_batch_size=4),
    "tf.nn.scale_regularization_loss": lambda: tf.nn.scale_regularization_loss(2.0),
    "tf.losses.mean_squared_error": lambda: tf.losses.mean_squared_error(T, X),
    "tf.losses.mean_squared_error / weights": lambda: tf.losses.mean_squared_error(T, X, [[1.0], [0.0]]),
    "tf.losses.absolute_difference": lambda: tf.losses.absolute_difference(T, X),
    "tf.losses.huber_loss": lambda: tf.losses.huber_loss(T, X, delta=0.5),
    "tf.losses.log_loss": lambda: tf.losses.log_loss(T, T / 2 + 0.1),
    "tf.losses.hinge_loss": lambda: tf.losses.hinge_loss(T > 0.4, X),
    "tf.losses.cosine_distance": lambda: tf.losses.cosine_distance(T, X, axis=1),
    "tf.losses.mean_pairwise_squared_error": lambda: tf.losses.mean_pairwise_squared_error(T, X),
    "tf.losses.sigmoid_cross_entropy": lambda: tf.losses.sigmoid_cross_entropy(T, X, label_smoothing=0.1),
    "tf.losses.softmax_cross_entropy": lambda: tf.losses.softmax_cross_entropy(T, X, label_smoothing=0.1),
    "tf.losses.sparse_softmax_cross_entropy": lambda: tf.losses.sparse_softmax_cross_entropy([2, 0], X),
    "tf.losses.compute_weighted_loss": lambda: tf.losses.compute_weighted_loss(X, 2.0, reduction="weighted_mean"),
}
