"""TF 1.x calls of reductions, segments and scans; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

X = np.array([[1.5, -2.0, 0.25], [3.0, 0.5, -1.0]], np.float32)
B = np.array([[True, False], [True, True]])
S = np.array([0, 0, 2], np.int32)
V = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)

SNIPPETS = {
    "tf.reduce_sum": lambda: tf.reduce_sum(X),
    "tf.reduce_sum / axis": lambda: tf.reduce_sum(X, 1, True),
    "tf.reduce_sum / reduction_indices": lambda: tf.reduce_sum(X, reduction_indices=[0], keep_dims=True),
    "tf.reduce_sum / name": lambda: tf.reduce_sum(X, 0, False, "total"),
    "tf.reduce_mean": lambda: tf.reduce_mean(X, axis=0),
    "tf.reduce_mean / reduction_indices": lambda: tf.reduce_mean(X, reduction_indices=1, keep_dims=True),
    "tf.reduce_mean / int": lambda: tf.reduce_mean([1, 2, 4]),
    "tf.reduce_max": lambda: tf.reduce_max(X, 1),
    "tf.reduce_max / keep_dims": lambda: tf.reduce_max(X, 1, keep_dims=True),
    "tf.reduce_min": lambda: tf.reduce_min(X, [0, 1], keepdims=True),
    "tf.reduce_min / reduction_indices": lambda: tf.reduce_min(X, reduction_indices=0),
    "tf.reduce_prod": lambda: tf.reduce_prod(X, 1),
    "tf.reduce_prod / keep_dims": lambda: tf.reduce_prod(X, 0, keep_dims=True),
    "tf.reduce_any": lambda: tf.reduce_any(B, 0),
    "tf.reduce_any / keep_dims": lambda: tf.reduce_any(B, reduction_indices=0, keep_dims=True),
    "tf.reduce_all": lambda: tf.reduce_all(B, 1),
    "tf.reduce_all / keep_dims": lambda: tf.reduce_all(B, reduction_indices=1, keep_dims=True),
    "tf.reduce_logsumexp": lambda: tf.reduce_logsumexp(X, 1),
    "tf.reduce_logsumexp / keep_dims": lambda: tf.reduce_logsumexp(X, reduction_indices=1, keep_dims=True),
    "tf.count_nonzero": lambda: tf.count_nonzero(B, 0),
    "tf.count_nonzero / keep_dims": lambda: tf.count_nonzero(B, reduction_indices=0, keep_dims=True, dtype=tf.int32),
    "tf.count_nonzero / positional": lambda: tf.count_nonzero(X, 1, True, tf.int32, "n"),
    "tf.math.reduce_std": lambda: tf.math.reduce_std(X, 1),
    "tf.math.reduce_variance": lambda: tf.math.reduce_variance(X, 1),
    "tf.math.reduce_euclidean_norm": lambda: tf.math.reduce_euclidean_norm(X, 1),
    "tf.math.cumulative_logsumexp": lambda: tf.math.cumulative_logsumexp(X, 1),
    "tf.argmax": lambda: tf.argmax(X, 1),
    "tf.argmax / default": lambda: tf.argmax(X),
    "tf.argmax / dimension": lambda: tf.argmax(X, dimension=0),
    "tf.argmax / name": lambda: tf.argmax(X, 1, "best"),
    "tf.argmax / output_type": lambda: tf.argmax(X, 1, output_type=tf.int32),
    "tf.argmin": lambda: tf.argmin(X, 1),
    "tf.argmin / dimension": lambda: tf.argmin(X, dimension=0, name="worst"),
    "tf.arg_max": lambda: tf.arg_max(X, 1),
    "tf.arg_max / dimension": lambda: tf.arg_max(X, dimension=1),
    "tf.arg_min": lambda: tf.arg_min(X, dimension=1),
    "tf.norm": lambda: tf.norm(X),
    "tf.norm / keep_dims": lambda: tf.norm(X, axis=1, keep_dims=True),
    "tf.norm / ord": lambda: tf.norm(X, 1, 0, True, "length"),
    "tf.cumsum": lambda: tf.cumsum(X, 1, exclusive=True),
    "tf.cumprod": lambda: tf.cumprod(X, 1, reverse=True),
    "tf.segment_sum": lambda: tf.segment_sum(V, S),
    "tf.segment_mean": lambda: tf.segment_mean(V, S),
    "tf.segment_max": lambda: tf.segment_max(V, S),
    "tf.segment_min": lambda: tf.segment_min(V, S),
    "tf.segment_prod": lambda: tf.segment_prod(V, S),
    "tf.unsorted_segment_sum": lambda: tf.unsorted_segment_sum(V, [2, 0, 2], 3),
    "tf.unsorted_segment_mean": lambda: tf.unsorted_segment_mean(V, [2, 0, 2], 3),
    "tf.unsorted_segment_max": lambda: tf.unsorted_segment_max(V, [2, 0, 2], 3),
    "tf.unsorted_segment_min": lambda: tf.unsorted_segment_min(V, [2, 0, 2], 3),
    "tf.unsorted_segment_prod": lambda: tf.unsorted_segment_prod(V, [2, 0, 2], 3),
    "tf.unsorted_segment_sqrt_n": lambda: tf.unsorted_segment_sqrt_n(V, [2, 0, 2], 3),
    "tf.sparse_segment_sum": lambda: tf.sparse_segment_sum(V, [0, 2, 1], [0, 0, 1]),
    "tf.sparse_segment_sum / num_segments": lambda: tf.sparse_segment_sum(V, [0, 2], [0, 2], "s", 4),
    "tf.sparse_segment_mean": lambda: tf.sparse_segment_mean(V, [0, 2, 1], [0, 0, 1]),
    "tf.sparse_segment_mean / num_segments": lambda: tf.sparse_segment_mean(V, [0, 2], [0, 2], num_segments=4),
    "tf.sparse_segment_sqrt_n": lambda: tf.sparse_segment_sqrt_n(V, [0, 2, 1], [0, 0, 1]),
    "tf.confusion_matrix": lambda: tf.confusion_matrix([0, 1, 2, 1], [0, 2, 2, 1]),
    "tf.confusion_matrix / weights": lambda: tf.confusion_matrix(
        [0, 1], [1, 1], 3, tf.float32, "table", np.float32([0.5, 2])
    ),
    "tf.bincount": lambda: tf.bincount([1, 1, 3]),
    "tf.bincount / minlength": lambda: tf.bincount([1, 1, 3], minlength=6, maxlength=8),
    "tf.bincount / weights": lambda: tf.bincount([1, 1, 3], np.float32([0.5, 1, 2]), 2, 5, tf.float32),
    "tf.histogram_fixed_width": lambda: tf.histogram_fixed_width(X, [-2.0, 2.0], 4),
    "tf.histogram_fixed_width_bins": lambda: tf.histogram_fixed_width_bins(X, [-2.0, 2.0], 4),
    "tf.math.zero_fraction": lambda: tf.math.zero_fraction(np.float32([0, 1, 0, 2])),
    "tf.clip_by_norm": lambda: tf.clip_by_norm(X, 1.0),
    "tf.clip_by_norm / axes": lambda: tf.clip_by_norm(X, 1.0, [1]),
    "tf.clip_by_average_norm": lambda: tf.clip_by_average_norm(X, 0.1),
    "tf.clip_by_global_norm": lambda: tf.clip_by_global_norm([X, V], 2.0),
    "tf.global_norm": lambda: tf.global_norm([X, V]),
    "tf.map_fn": lambda: tf.map_fn(lambda row: row * 2, V),
    "tf.map_fn / dtype": lambda: tf.map_fn(lambda row: tf.argmax(row, 0), V, dtype=tf.int64),
    "tf.scan": lambda: tf.scan(lambda total, row: total + row, V),
    "tf.scan / reverse": lambda: tf.scan(
        lambda total, row: total + row, V, reverse=True, initializer=np.float32([1, 1])
    ),
    "tf.foldl": lambda: tf.foldl(lambda total, row: total * 2 + row, V),
    "tf.foldr": lambda: tf.foldr(lambda total, row: total * 2 + row, V),
    "tf.cond": lambda: tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2)),
    "tf.cond / one-element list": lambda: tf.cond(
        tf.constant(False), lambda: [tf.constant(1)], lambda: [tf.constant(2)]
    ),
    "tf.cond / fn1": lambda: tf.cond(tf.constant(True), fn1=lambda: tf.constant(1), fn2=lambda: tf.constant(2)),
    "tf.cond / strict": lambda: tf.cond(
        tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)], strict=True
    ),
    "tf.case": lambda: tf.case([(tf.constant(False), lambda: tf.constant(1))], default=lambda: tf.constant(3)),
    "tf.case / exclusive": lambda: tf.case(
        [(tf.constant(False), lambda: tf.constant(1)), (tf.constant(True), lambda: tf.constant(2))], exclusive=True
    ),
    "tf.switch_case": lambda: tf.switch_case(tf.constant(1), [lambda: tf.constant(10), lambda: tf.constant(20)]),
    "tf.while_loop": lambda: tf.while_loop(lambda i: i < 5, lambda i: i + 2, [tf.constant(0)]),
    "tf.while_loop / two": lambda: tf.while_loop(
        lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (tf.constant(0), tf.constant(1.0))
    ),
    "tf.while_loop / return_same_structure": lambda: tf.while_loop(
        lambda i: i < 5, lambda i: [i + 2], [tf.constant(0)], return_same_structure=True
    ),
    "tf.while_loop / maximum_iterations": lambda: tf.while_loop(
        lambda i: i < 50, lambda i: i + 1, [tf.constant(0)], maximum_iterations=7
    ),
}
