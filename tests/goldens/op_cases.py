"""What TF 1.15.5 and the shims both compute: run by make_ops.py there, by tests/compat/test_op_goldens.py here.

`tf1` is TensorFlow 1.15 or `compat`; `tf` is TensorFlow, for what means the same in both. Python 3.7 must read this.
"""

import numpy as np

from tests.goldens import contrib_op_cases

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], np.float32)
Y = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], np.float32)
IMAGE = np.arange(2 * 5 * 4 * 3, dtype=np.float32).reshape(2, 5, 4, 3) / 7.0
FILTER = np.linspace(-1.0, 1.0, 3 * 3 * 3 * 2).astype(np.float32).reshape(3, 3, 3, 2)
TABLE = np.arange(20, dtype=np.float32).reshape(10, 2)


def _loss(name, *args, **kwargs):
    return lambda tf1, tf: getattr(tf1.losses, name)(*args, **kwargs)


def _image(name, *args, **kwargs):
    return lambda tf1, tf: getattr(tf1.image, name)(tf.constant(IMAGE), *args, **kwargs)


def _reduce(name, **kwargs):
    return lambda tf1, tf: getattr(tf1, name)(tf.constant(X), **kwargs)


LABELS = [0, 2]
ROW_WEIGHTS = [[1.0], [0.0]]

LOSSES = {
    "absolute_difference": _loss("absolute_difference", Y, X),
    "absolute_difference_weighted": _loss("absolute_difference", Y, X, weights=ROW_WEIGHTS),
    "cosine_distance": _loss("cosine_distance", Y, X, 1),
    "cosine_distance_dim": _loss("cosine_distance", Y, X, dim=1, weights=0.5),
    "hinge": _loss("hinge_loss", Y, X),
    "huber": _loss("huber_loss", Y, X, delta=0.7),
    "log": _loss("log_loss", Y, np.abs(X) / 3.0),
    "pairwise": _loss("mean_pairwise_squared_error", Y, X),
    "pairwise_weighted": _loss("mean_pairwise_squared_error", Y, X, weights=ROW_WEIGHTS),
    "mean_squared": _loss("mean_squared_error", Y, X),
    "mean_squared_zero_weight": _loss("mean_squared_error", Y, X, weights=0.0),
    "sigmoid": _loss("sigmoid_cross_entropy", Y, X, label_smoothing=0.1),
    "softmax": _loss("softmax_cross_entropy", Y, X),
    "softmax_smooth_weighted": _loss("softmax_cross_entropy", Y, X, weights=[2.0, 0.0], label_smoothing=0.2),
    "sparse_softmax": _loss("sparse_softmax_cross_entropy", LABELS, X),
    "sparse_softmax_column": _loss("sparse_softmax_cross_entropy", [[0], [2]], X, weights=[[0.5], [3.0]]),
}
for _reduction in (
    "none",
    "weighted_sum",
    "weighted_sum_over_batch_size",
    "weighted_mean",
    "weighted_sum_by_nonzero_weights",
):
    LOSSES["reduction_" + _reduction] = _loss(
        "mean_squared_error", Y, X, weights=[[2.0, 0.0, 1.0]], reduction=_reduction
    )


def _cond(tf1, tf):
    x = tf.constant(3.0)
    return tf1.cond(x > 2, lambda: x * 2, lambda: x - 1), tf1.cond(x > 5, fn1=lambda: [x], fn2=lambda: [x + 1])


def _while_loop(tf1, tf):
    one = tf1.while_loop(lambda i: i < 5, lambda i: i + 2, [tf.constant(0)])
    two = tf1.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s * 2), [tf.constant(0), tf.constant(1.0)])
    return one, two[0], two[1]


def _case(tf1, tf):
    x = tf.constant(2)
    return tf1.case([(x < 1, lambda: tf.constant(10)), (x < 3, lambda: tf.constant(20))], default=lambda: x)


def _nce(tf1, tf):
    weights, biases = tf.constant(TABLE), tf.zeros([10])
    inputs = tf.constant([[0.1, 0.2], [0.3, -0.1]])
    labels = tf.constant([[1], [7]], tf.int64)
    sampled = (tf.constant([2, 5, 9], tf.int64), tf.constant([[0.3], [0.2]]), tf.constant([0.2, 0.1, 0.05]))
    nce = tf1.nn.nce_loss(weights, biases, labels, inputs, 3, 10, sampled_values=sampled)
    parts = [weights[:5], weights[5:]]
    softmax = tf1.nn.sampled_softmax_loss(
        parts, biases, labels, inputs, 3, 10, sampled_values=sampled, partition_strategy="div"
    )
    return nce, softmax


def _sparse(tf1, tf):
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 3, 5], tf.int64), [2, 2])
    parts = [tf.constant(TABLE[::2]), tf.constant(TABLE[1::2])]
    weights = tf.SparseTensor(ids.indices, tf.constant([1.0, 2.0, 3.0]), [2, 2])
    return (
        tf1.nn.embedding_lookup_sparse(parts, ids, None),
        tf1.nn.embedding_lookup_sparse(parts, ids, weights, combiner="sqrtn"),
        tf1.sparse_reduce_sum(weights, axis=1),
        tf1.sparse_to_dense([[0, 1], [1, 0]], [2, 2], [5, 6], default_value=-1),
    )


def _ctc(tf1, tf):
    logits = np.random.RandomState(3).randn(6, 2, 4).astype(np.float32)
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([0, 2, 1]), [2, 2])
    loss = tf1.nn.ctc_loss(labels, tf.constant(logits), [6, 5])
    decoded, score = tf1.nn.ctc_beam_search_decoder(tf.constant(logits), [6, 5], beam_width=5)
    return loss, decoded[0].values, score


def _py_func(tf1, tf):
    return tf1.py_func(lambda a, b: (a + b).astype(np.float32), [tf.constant(X), tf.constant(Y)], tf.float32)


def _strings(tf1, tf):
    words = tf1.string_split(tf.constant(["a b", "c"]))
    joined = tf1.reduce_join(tf.constant(["x", "y"]), 0)
    return words.indices, tf.strings.length(words.values), joined, tf1.string_to_number(tf.constant(["1.5", "-2"]))


def _records(tf1, tf):
    columns = tf1.decode_csv(tf.constant(["1,2.5,x", "3,,y"]), [[0], [1.0], [""]])
    raw = tf1.decode_raw(tf.constant([b"\x01\x02\x03\x04"]), tf.uint8)
    return columns[0], columns[1], raw


FUNCTIONS = {
    "cond": _cond,
    "while_loop": _while_loop,
    "case": _case,
    "map_fn": lambda tf1, tf: tf1.map_fn(lambda row: row * 2, tf.constant(X)),
    "scan": lambda tf1, tf: tf1.scan(lambda a, row: a + row, tf.constant(X)),
    "foldl": lambda tf1, tf: tf1.foldl(lambda a, row: a * 0.5 + row, tf.constant(X)),
    "reduce_sum": _reduce("reduce_sum", reduction_indices=1, keep_dims=True),
    "reduce_mean": _reduce("reduce_mean", reduction_indices=[0]),
    "reduce_max": _reduce("reduce_max", axis=0, keepdims=True),
    "reduce_logsumexp": _reduce("reduce_logsumexp", reduction_indices=1),
    "argmax": lambda tf1, tf: (tf1.argmax(tf.constant(X), dimension=1), tf1.arg_max(tf.constant(X), 0)),
    "count_nonzero": lambda tf1, tf: tf1.count_nonzero(tf.constant(Y), reduction_indices=1),
    "norm": lambda tf1, tf: tf1.norm(tf.constant(X), axis=1, keep_dims=True),
    "expand_and_squeeze": lambda tf1, tf: (
        tf1.squeeze(tf1.expand_dims(tf.constant(X), dim=1), squeeze_dims=[1]),
        tf1.transpose(tf.constant(X), [1, 0], "name"),
    ),
    "where": lambda tf1, tf: (
        tf1.where(tf.constant([True, False]), tf.constant(X), tf.constant(Y)),
        tf1.where(tf.constant(X) > 0),
    ),
    "gather": lambda tf1, tf: tf1.gather(tf.constant(TABLE), [3, 0], True),
    "div": lambda tf1, tf: (tf1.div(7, -2), tf1.div(7.0, 2.0), tf1.floor_div(7, -2)),
    "to": lambda tf1, tf: (tf1.to_float([1, 2]), tf1.to_int32([1.7, -1.7]), tf1.to_int64([2.5])),
    "clip_by_average_norm": lambda tf1, tf: tf1.clip_by_average_norm(tf.constant(X), 0.1),
    "confusion_matrix": lambda tf1, tf: tf1.confusion_matrix([0, 1, 1], [1, 1, 0]),
    "softmax": lambda tf1, tf: (tf1.nn.softmax(tf.constant(X), dim=0), tf1.nn.log_softmax(tf.constant(X))),
    "cross_entropies": lambda tf1, tf: (
        tf1.nn.softmax_cross_entropy_with_logits(labels=tf.constant(Y), logits=tf.constant(X)),
        tf1.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2], logits=tf.constant(X)),
        tf1.nn.sigmoid_cross_entropy_with_logits(labels=tf.constant(Y), logits=tf.constant(X)),
        tf1.nn.weighted_cross_entropy_with_logits(tf.constant(Y), tf.constant(X), 2.0),
    ),
    "moments": lambda tf1, tf: tf1.nn.moments(tf.constant(X), [0], None, "name", True),
    "dropout_keeps_all": lambda tf1, tf: tf1.nn.dropout(tf.constant(X), 1.0),
    "embedding_lookup": lambda tf1, tf: tf1.nn.embedding_lookup(
        [tf.constant(TABLE[::2]), tf.constant(TABLE[1::2])], [0, 3, 9]
    ),
    "nce_and_sampled_softmax": _nce,
    "sparse": _sparse,
    "ctc": _ctc,
    "in_top_k": lambda tf1, tf: tf1.nn.in_top_k(tf.constant(X), [2, 1], 1),
    "xw_plus_b": lambda tf1, tf: tf1.nn.xw_plus_b(tf.constant(X), tf.constant(Y.T), [1.0, 2.0]),
    "conv2d": lambda tf1, tf: tf1.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTER), [1, 2, 1, 1], "SAME"),
    "conv2d_transpose": lambda tf1, tf: tf1.nn.conv2d_transpose(
        tf.constant(IMAGE), tf1.transpose(tf.constant(FILTER), [0, 1, 3, 2]), [2, 10, 8, 2], [1, 2, 2, 1]
    ),
    "conv1d": lambda tf1, tf: tf1.nn.conv1d(tf.constant(IMAGE[:, :, 0]), tf.constant(FILTER[0]), 1, "VALID"),
    "depthwise_conv2d": lambda tf1, tf: tf1.nn.depthwise_conv2d(
        tf.constant(IMAGE), tf.constant(FILTER), [1, 1, 1, 1], "VALID", rate=[1, 1]
    ),
    "convolution": lambda tf1, tf: tf1.nn.convolution(
        tf.constant(IMAGE), tf.constant(FILTER), "SAME", dilation_rate=[2, 2]
    ),
    "pools": lambda tf1, tf: (
        tf1.nn.max_pool(tf.constant(IMAGE), [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
        tf1.nn.avg_pool(tf.constant(IMAGE), ksize=[1, 3, 3, 1], strides=[1, 1, 1, 1], padding="VALID"),
    ),
    "fused_batch_norm": lambda tf1, tf: tf1.nn.fused_batch_norm(tf.constant(IMAGE), [1.0, 2.0, 0.5], [0.0, 1.0, 2.0]),
    "resize_bilinear": _image("resize_bilinear", [7, 3]),
    "resize_bilinear_corners": _image("resize_bilinear", [7, 3], align_corners=True),
    "resize_nearest": _image("resize_nearest_neighbor", [10, 9]),
    "resize_bicubic": _image("resize_bicubic", [6, 6]),
    "resize_area": _image("resize_area", [2, 3]),
    "resize_images": _image("resize_images", [8, 8]),
    "crop_and_resize": lambda tf1, tf: tf1.image.crop_and_resize(
        tf.constant(IMAGE), [[0.0, 0.1, 0.8, 0.9]], [1], [3, 3]
    ),
    "extract_image_patches": lambda tf1, tf: tf1.extract_image_patches(
        tf.constant(IMAGE), [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"
    ),
    "py_func": _py_func,
    "strings": _strings,
    "records": _records,
    "random_seeded": lambda tf1, tf: (
        tf.random.normal([3], seed=7),
        tf.random.uniform([3], -1, 1, seed=7),
        tf.random.truncated_normal([3], seed=7),
        tf1.multinomial(tf.constant(X), 4, seed=7),
    ),
}

FUNCTIONS.update(
    {
        "contrib_image": lambda tf1, tf: (
            tf1.contrib.image.rotate(tf.constant(IMAGE), [0.3, -1.0], "BILINEAR"),
            tf1.contrib.image.rotate(tf.constant(IMAGE[0]), 0.5),
            tf1.contrib.image.translate(tf.constant(IMAGE), [1.0, -1.5], "BILINEAR"),
            tf1.contrib.image.transform(
                tf.constant(IMAGE[0, :, :, 0]), [1.0, 0.2, 0.1, 0.0, 0.9, 0.3, 0.01, 0.0], output_shape=[3, 6]
            ),
            tf1.contrib.image.compose_transforms(
                [1.0, 0.2, 0.1, 0.0, 0.9, 0.3, 0.01, 0.0], tf.constant([[0.5, 0.0, 1.0, 0.1, 2.0, 0.0, 0.0, 0.02]])
            ),
        ),
        "contrib_softplus_inverse": lambda tf1, tf: (
            tf1.contrib.distributions.softplus_inverse(np.array([1e-30, 1e-7, 1e-3, 0.7, 5.0, 14.0, 90.0], np.float32)),
            tf1.contrib.distributions.softplus_inverse(np.array([1e-300, 1e-16, 0.7, 36.0, 800.0])),
        ),
        "contrib_losses": lambda tf1, tf: (
            tf1.contrib.losses.mean_squared_error(tf.constant(X), tf.constant(Y)),
            tf1.contrib.losses.softmax_cross_entropy(tf.constant(X), tf.constant(Y), weights=0.5),
            tf1.contrib.losses.sigmoid_cross_entropy(tf.constant(X), tf.constant(Y)),
            tf1.contrib.losses.hinge_loss(tf.constant(X), tf.constant(Y)),
            tf1.contrib.losses.cosine_distance(tf.constant(X), tf.constant(Y), dim=1),
        ),
        "contrib_accuracy": lambda tf1, tf: tf1.contrib.metrics.accuracy(
            tf.constant([1, 2, 3]), tf.constant([1, 0, 3]), [1.0, 2.0, 0.5]
        ),
        "contrib_nn": lambda tf1, tf: (
            tf1.contrib.nn.nth_element(tf.constant(X), 1),
            tf1.contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(tf.constant(X), [0, 2]),
        ),
    }
)


def _loss_of(name, **kwargs):
    return lambda tf1, tf, x: getattr(tf1.losses, name)(Y.astype(x.dtype.as_numpy_dtype), x, **kwargs)


def _sum_of(function):
    return lambda tf1, tf, x: tf.reduce_sum(function(tf1, tf, x) * function(tf1, tf, x))


# Gradients by X of scalars.
GRADIENTS = {
    "contrib_softplus_inverse": lambda tf1, tf, x: tf1.contrib.distributions.softplus_inverse(x * x * x * x),
    "absolute_difference": _loss_of("absolute_difference", weights=[[1.0], [0.5]]),
    "cosine_distance": _loss_of("cosine_distance", axis=1),
    "hinge": _loss_of("hinge_loss"),
    "huber": _loss_of("huber_loss", delta=0.7),
    "log": lambda tf1, tf, x: tf1.losses.log_loss(Y, tf.sigmoid(x)),
    "pairwise": _loss_of("mean_pairwise_squared_error", weights=[[1.0], [0.5]]),
    "mean_squared": _loss_of("mean_squared_error", weights=[[2.0, 0.0, 1.0]]),
    "sigmoid": _loss_of("sigmoid_cross_entropy", label_smoothing=0.1),
    "softmax": _loss_of("softmax_cross_entropy", label_smoothing=0.2, weights=[2.0, 0.5]),
    "sparse_softmax": lambda tf1, tf, x: tf1.losses.sparse_softmax_cross_entropy(LABELS, x),
    "labels_of_softmax": lambda tf1, tf, x: tf.reduce_sum(
        tf1.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(x), logits=x)
    ),
    "labels_of_softmax_v2": lambda tf1, tf, x: tf.reduce_sum(
        tf1.nn.softmax_cross_entropy_with_logits_v2(labels=tf.nn.softmax(x), logits=x)
    ),
    "dropout": _sum_of(lambda tf1, tf, x: tf1.nn.dropout(x, 1.0)),
    "where": _sum_of(lambda tf1, tf, x: tf1.where(x > 0, x * 2, x)),
    "cond": _sum_of(lambda tf1, tf, x: tf1.cond(tf.reduce_sum(x) > 0, lambda: x * 3, lambda: x)),
    "while_loop": _sum_of(
        lambda tf1, tf, x: tf1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [tf.constant(0), x])[1]
    ),
    "scan": _sum_of(lambda tf1, tf, x: tf1.scan(lambda a, row: a * row, x)),
    "map_fn": _sum_of(lambda tf1, tf, x: tf1.map_fn(tf.square, x)),
    "embedding_lookup": _sum_of(lambda tf1, tf, x: tf1.nn.embedding_lookup([x, x * 2], [0, 3, 3])),
    "moments": _sum_of(lambda tf1, tf, x: tf1.nn.moments(x, [0])[1]),
    "reduce": _sum_of(lambda tf1, tf, x: tf1.reduce_logsumexp(x, reduction_indices=1, keep_dims=True)),
    "resize": _sum_of(lambda tf1, tf, x: tf1.image.resize_bilinear(tf.reshape(x, [1, 2, 3, 1]), [5, 4])),
}
# Loss and gradient in other precisions.
PRECISIONS = {"mean_squared": "float64", "softmax": "float16", "sigmoid": "float64"}

SCORES = np.array([[0.1, 0.9, 0.4, 0.75], [0.8, 0.3, 0.55, 0.2], [0.6, 0.65, 0.35, 0.05]], np.float32)
TRUTH = np.array([[0, 1, 0, 1], [1, 0, 1, 1], [0, 1, 0, 0]], np.int64)
WEIGHTS = np.array([[1.0, 0.5, 2.0, 1.0], [0.0, 1.0, 1.0, 3.0], [1.0, 1.0, 0.25, 1.0]], np.float32)
RANKED = np.array([[[0.1, 0.5, 0.2, 0.2]], [[0.7, 0.1, 0.15, 0.05]], [[0.3, 0.2, 0.4, 0.1]]], np.float32)


def _metric(name, *args, **kwargs):
    def make(tf1, tf, truth, scores, weights, ranked):
        return getattr(tf1.metrics, name)(tf.cast(truth, tf.float32), scores, *args, weights=weights, **kwargs)

    return make


def _at_k(name, *args, **kwargs):
    def make(tf1, tf, truth, scores, weights, ranked):
        return getattr(tf1.metrics, name)(truth[:2][None], ranked, *args, **kwargs)

    return make


# Each gets one row of TRUTH, SCORES, WEIGHTS and RANKED at a time.
METRICS = {
    "mean": lambda tf1, tf, t, s, w, r: tf1.metrics.mean(s, w),
    "mean_tensor": lambda tf1, tf, t, s, w, r: tf1.metrics.mean_tensor(s, w),
    "accuracy": lambda tf1, tf, t, s, w, r: tf1.metrics.accuracy(t, tf.round(s), w),
    "mean_absolute_error": _metric("mean_absolute_error"),
    "mean_squared_error": _metric("mean_squared_error"),
    "root_mean_squared_error": _metric("root_mean_squared_error"),
    "mean_relative_error": _metric("mean_relative_error", np.array([1.0, 0.0, 2.0, 4.0], np.float32)),
    "mean_cosine_distance": lambda tf1, tf, t, s, w, r: tf1.metrics.mean_cosine_distance(
        tf.cast(t, tf.float32), s, dim=0
    ),
    "percentage_below": lambda tf1, tf, t, s, w, r: tf1.metrics.percentage_below(s, 0.5, w),
    "mean_iou": lambda tf1, tf, t, s, w, r: tf1.metrics.mean_iou(t, tf.cast(tf.round(s), tf.int64), 3, w),
    "mean_per_class_accuracy": lambda tf1, tf, t, s, w, r: tf1.metrics.mean_per_class_accuracy(t, tf.round(s), 2, w),
    "true_positives": lambda tf1, tf, t, s, w, r: tf1.metrics.true_positives(t, tf.round(s), w),
    "true_negatives": lambda tf1, tf, t, s, w, r: tf1.metrics.true_negatives(t, tf.round(s)),
    "false_positives": lambda tf1, tf, t, s, w, r: tf1.metrics.false_positives(t, tf.round(s), w),
    "false_negatives": lambda tf1, tf, t, s, w, r: tf1.metrics.false_negatives(t, tf.round(s), w),
    "precision": lambda tf1, tf, t, s, w, r: tf1.metrics.precision(t, tf.round(s), w),
    "recall": lambda tf1, tf, t, s, w, r: tf1.metrics.recall(t, tf.round(s), w),
    "precision_at_thresholds": _metric("precision_at_thresholds", [0.25, 0.5, 0.7]),
    "recall_at_thresholds": _metric("recall_at_thresholds", [0.25, 0.5, 0.7]),
    "true_positives_at_thresholds": _metric("true_positives_at_thresholds", [0.25, 0.5, 0.7]),
    "true_negatives_at_thresholds": _metric("true_negatives_at_thresholds", [0.25, 0.5, 0.7]),
    "false_positives_at_thresholds": _metric("false_positives_at_thresholds", [0.25, 0.5, 0.7]),
    "false_negatives_at_thresholds": _metric("false_negatives_at_thresholds", [0.25, 0.5, 0.7]),
    "auc": _metric("auc", num_thresholds=20),
    "auc_minoring": _metric("auc", num_thresholds=20, summation_method="minoring"),
    "auc_pr": _metric("auc", num_thresholds=20, curve="PR"),
    "auc_pr_careful": _metric("auc", num_thresholds=20, curve="PR", summation_method="careful_interpolation"),
    "auc_thresholds": _metric("auc", thresholds=[0.7, 0.3]),
    "sensitivity_at_specificity": _metric("sensitivity_at_specificity", 0.6, num_thresholds=20),
    "specificity_at_sensitivity": _metric("specificity_at_sensitivity", 0.6, num_thresholds=20),
    "precision_at_k": _at_k("precision_at_k", 2),
    "precision_at_k_class": _at_k("precision_at_k", 2, class_id=1),
    "recall_at_k": _at_k("recall_at_k", 2),
    "average_precision_at_k": _at_k("average_precision_at_k", 3),
    "contrib_mean_iou": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_mean_iou(
        tf.cast(tf.round(s), tf.int64), t, 3, w
    ),
    "contrib_accuracy": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_accuracy(tf.round(s), t, w),
    "contrib_auc": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_auc(s, t, w, num_thresholds=10),
    "contrib_f1_score": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.f1_score(t, s, w, num_thresholds=10),
    "contrib_covariance": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_covariance(
        s, tf.cast(t, tf.float32)
    ),
    "contrib_covariance_weighted": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_covariance(
        s, tf.cast(t, tf.float32), w
    ),
    "contrib_pearson": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_pearson_correlation(
        s, tf.cast(t, tf.float32), w
    ),
    "contrib_recall_at_k": lambda tf1, tf, t, s, w, r: tf1.contrib.metrics.streaming_recall_at_k(r, t[:1], 2),
}
FUNCTIONS.update(contrib_op_cases.FUNCTIONS)
METRICS.update(contrib_op_cases.METRICS)
