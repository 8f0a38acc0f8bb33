"""Feature columns and canned estimators, for TF 1.15 (`tf`) or the shims alike, from initial values that are set."""

import os

import numpy as np

WORDS = ["red", "green", "blue"]


def examples(tf):
    random = np.random.RandomState(7)
    count = 12
    return {
        "age": random.uniform(0, 60, [count, 1]).astype(np.float32),
        "size": random.randn(count, 2).astype(np.float32),
        "color": np.array([*WORDS, "pink"])[random.randint(0, 4, [count, 1])].astype(object),
        "word": np.array([b"a", b"b", b"c", b"d"])[random.randint(0, 4, [count, 2])].astype(object),
        "kind": random.randint(0, 3, [count, 1]).astype(np.int64),
        "weight": random.uniform(0.5, 2.0, [count, 1]).astype(np.float32),
    }


def labels_of(kind, features):
    total = features["size"].sum(1, keepdims=True) + features["age"] / 60
    if kind == "regression":
        return total.astype(np.float32)
    if kind == "two":
        return np.hstack([total, -total * 2]).astype(np.float32)
    if kind == "binary":
        return (total > 0.5).astype(np.int64)
    if kind == "words":
        return np.where(total > 0.5, "yes", "no").astype(object)
    return (total > 0.3).astype(np.int64) + (total > 1.0)


def columns(tf):
    fc = tf.feature_column
    age = fc.numeric_column("age")
    size = fc.numeric_column("size", shape=(2,), normalizer_fn=lambda x: x * 2.0)
    buckets = fc.bucketized_column(age, [18.0, 40.0])
    color = fc.categorical_column_with_vocabulary_list("color", WORDS, num_oov_buckets=1)
    kind = fc.categorical_column_with_identity("kind", 3)
    word = fc.categorical_column_with_hash_bucket("word", 5)
    crossed = fc.crossed_column([buckets, "kind"], 7)
    start = tf.constant_initializer(0.25)
    return {
        "wide": [size, buckets, color, word, crossed],
        "deep": [
            age,
            size,
            fc.indicator_column(kind),
            fc.embedding_column(color, 2, initializer=start),
            fc.embedding_column(word, 3, combiner="sum", initializer=start),
        ],
    }


def spread(shape):
    """Values between -0.5 and 0.5 that no two elements share."""
    count = int(np.prod(shape))
    return np.linspace(-0.5, 0.5, count).reshape(shape).astype(np.float32)


def setter(tf):
    class Setter(tf.train.SessionRunHook):
        def begin(self):
            variables = [v for v in tf.trainable_variables() if "linear" not in v.name]
            self.ops = [tf.assign(v, spread(v.shape.as_list())) for v in variables]

        def after_create_session(self, session, coord):
            session.run(self.ops)

    return Setter()


def layers(tf):
    """What the two functions of feature columns compute, and their variables."""
    with tf.Graph().as_default():
        features = {name: tf.constant(value) for name, value in examples(tf).items()}
        chosen = columns(tf)
        to_variables, to_outputs, linear_variables = {}, {}, {}
        dense = tf.feature_column.input_layer(
            features, chosen["deep"], cols_to_vars=to_variables, cols_to_output_tensors=to_outputs
        )
        again = tf.feature_column.input_layer(features, chosen["deep"], trainable=False)
        linear = tf.feature_column.linear_model(
            features, chosen["wide"], units=2, sparse_combiner="mean", cols_to_vars=linear_variables
        )
        variables = tf.global_variables()
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            session.run([tf.assign(v, spread(v.shape.as_list())) for v in variables])
            values = session.run([dense, again, linear])
        return {
            "values": [value.tolist() for value in values],
            "names": [v.op.name for v in variables],
            "trainable": [v.op.name for v in tf.trainable_variables()],
            "by_column": sorted([c.name, [v.op.name for v in vs]] for c, vs in to_variables.items()),
            "outputs": sorted([c.name, t.shape.as_list()[1]] for c, t in to_outputs.items()),
            "linear": sorted([getattr(c, "name", c), [v.op.name for v in vs]] for c, vs in linear_variables.items()),
        }


def plain(value):
    """A prediction as JSON."""
    return [item.decode() for item in value] if value.dtype.kind in "OS" else value.tolist()


def train(tf, make, kind, folder):
    """Variables, metrics and predictions of one estimator after five steps."""
    features = examples(tf)
    labels = labels_of(kind, features)
    inputs = tf.estimator.inputs.numpy_input_fn
    config = tf.estimator.RunConfig(save_summary_steps=2, log_step_count_steps=None)
    estimator = make(folder, config)
    estimator.train(inputs(features, labels, 12, None, shuffle=False), steps=5, hooks=[setter(tf)])
    metrics = estimator.evaluate(inputs(features, labels, 5, 1, shuffle=False))
    predicted = list(estimator.predict(inputs(features, batch_size=2, shuffle=False)))[:2]
    values = {name: estimator.get_variable_value(name) for name in estimator.get_variable_names()}
    return {
        "variables": {name: value.tolist() for name, value in values.items()},
        "metrics": {name: float(value) for name, value in metrics.items()},
        "predicted": [{name: plain(value) for name, value in example.items()} for example in predicted],
        "summaries": sorted(tags(tf, folder)),
    }


def tags(tf, folder):
    found = set()
    for name in os.listdir(folder):
        if "tfevents" in name:
            for event in tf.train.summary_iterator(os.path.join(folder, name)):
                found.update(value.tag for value in event.summary.value)
    # How fast it went, and how full TF1's queues were, are no results.
    return {tag for tag in found if tag != "global_step/sec" and not tag.startswith("enqueue_input")}


def estimators(tf):
    """Name -> (how to make it, kind of labels)."""
    e, c = tf.estimator, columns(tf)
    return {
        "linear_classifier": (lambda f, r: e.LinearClassifier(c["wide"], f, config=r), "binary"),
        "linear_classifier_of_words": (
            lambda f, r: e.LinearClassifier(
                c["wide"], f, weight_column="weight", label_vocabulary=["no", "yes"], optimizer="SGD", config=r
            ),
            "words",
        ),
        "linear_classifier_of_three": (lambda f, r: e.LinearClassifier(c["wide"], f, n_classes=3, config=r), "three"),
        "linear_regressor": (
            lambda f, r: e.LinearRegressor(c["wide"], f, weight_column="weight", config=r),
            "regression",
        ),
        "baseline_classifier": (lambda f, r: e.BaselineClassifier(f, weight_column="weight", config=r), "binary"),
        "baseline_classifier_of_three": (
            lambda f, r: e.BaselineClassifier(f, 3, optimizer="Adagrad", config=r),
            "three",
        ),
        "baseline_regressor": (lambda f, r: e.BaselineRegressor(f, 2, config=r), "two"),
        "dnn_classifier": (lambda f, r: e.DNNClassifier([4, 3], c["deep"], f, config=r), "binary"),
        "dnn_classifier_of_three": (
            lambda f, r: e.DNNClassifier(
                [4], c["deep"], f, n_classes=3, optimizer=tf.train.AdamOptimizer(0.01), batch_norm=True, config=r
            ),
            "three",
        ),
        "dnn_regressor": (
            lambda f, r: e.DNNRegressor(
                [3],
                c["deep"],
                f,
                label_dimension=2,
                activation_fn=tf.nn.softsign,
                optimizer=lambda: optimizer(tf),
                config=r,
            ),
            "two",
        ),
        "combined_classifier": (
            lambda f, r: e.DNNLinearCombinedClassifier(f, c["wide"], "Ftrl", c["deep"], "Adagrad", [4, 2], config=r),
            "binary",
        ),
        "combined_regressor": (
            lambda f, r: e.DNNLinearCombinedRegressor(
                f,
                linear_feature_columns=c["wide"],
                dnn_feature_columns=c["deep"],
                dnn_hidden_units=[3],
                loss_reduction=tf.losses.Reduction.MEAN,
                config=r,
            ),
            "regression",
        ),
    }


def optimizer(tf):
    rate = tf.train.exponential_decay(1e-4, tf.train.get_global_step(), 2, 0.5)
    return tf.train.MomentumOptimizer(rate, 0.9)


def run(tf, folder):
    """What the programs compute, as JSON."""
    results = {"layers": layers(tf)}
    for name, (make, kind) in estimators(tf).items():
        results[name] = train(tf, make, kind, os.path.join(folder, name))
    return results
