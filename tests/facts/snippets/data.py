"""TF 1.x calls of datasets, tables, columns and distributions; the values are those of TF 1.15.5."""

import os
import tempfile

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(tempfile.gettempdir(), "tf_migrate_snippets_data")


def drawn(dataset, count=20):
    """The first elements of a dataset."""
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as session:
        while len(found) < count:
            try:
                found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                break
    return found


def numbers(count=4):
    """A dataset of numbers."""
    return tf.data.Dataset.range(count)


def written(name, text):
    """A text file."""
    if not tf.gfile.Exists(FOLDER):
        tf.gfile.MakeDirs(FOLDER)
    path = os.path.join(FOLDER, name)
    with tf.gfile.GFile(path, "w") as file:
        file.write(text)
    return path


def records():
    """A file of two serialized examples."""
    path = written("records", "")
    with tf.python_io.TFRecordWriter(path) as writer:
        for value in (1, 2):
            feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))
            example = tf.train.Example(features=tf.train.Features(feature={"n": feature}))
            writer.write(example.SerializeToString())
    return path


def looked_up(table, keys):
    """What a table gives for keys."""
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return session.run(table.lookup(tf.constant(keys)))


def described(distribution, value):
    """A distribution's log probability, mean and variance."""
    return distribution.log_prob(value), distribution.mean(), distribution.variance()


SNIPPETS = {
    "tf.data.TFRecordDataset": lambda: drawn(
        tf.data.TFRecordDataset(records()).map(
            lambda line: tf.parse_single_example(line, {"n": tf.FixedLenFeature([], tf.int64)})["n"]
        )
    ),
    "tf.data.make_one_shot_iterator": lambda: drawn(numbers()),
    "tf.data.get_output_types": lambda: tf.data.get_output_types(numbers()),
    "tf.data.get_output_shapes": lambda: tf.data.get_output_shapes(numbers()).as_list(),
    "tf.data.get_output_classes": lambda: tf.data.get_output_classes(numbers()).__name__,
    "tf.data.Options": lambda: drawn(numbers().with_options(tf.data.Options())),
    "tf.data.experimental.Counter": lambda: drawn(tf.data.experimental.Counter(5, 2), 3),
    "tf.data.experimental.CsvDataset": lambda: drawn(
        tf.data.experimental.CsvDataset(written("a.csv", "1,x\n2,y\n"), [tf.int32, tf.string])
    ),
    "tf.data.experimental.RandomDataset": lambda: len(drawn(tf.data.experimental.RandomDataset(3), 2)),
    "tf.data.experimental.bucket_by_sequence_length": lambda: drawn(
        numbers(6).apply(
            tf.data.experimental.bucket_by_sequence_length(
                lambda n: tf.cast(n, tf.int32), [3], [2, 2], padded_shapes=[], no_padding=False
            )
        )
    ),
    "tf.data.experimental.cardinality": lambda: tf.data.experimental.cardinality(numbers()),
    "tf.data.experimental.choose_from_datasets": lambda: drawn(
        tf.data.experimental.choose_from_datasets([numbers(), numbers(2).map(lambda n: n + 10)], numbers(2))
    ),
    "tf.data.experimental.dense_to_sparse_batch": lambda: drawn(
        numbers(2).map(lambda n: tf.fill([n + 1], n)).apply(tf.data.experimental.dense_to_sparse_batch(2, [3]))
    ),
    "tf.data.experimental.enumerate_dataset": lambda: drawn(
        numbers(2).apply(tf.data.experimental.enumerate_dataset(5))
    ),
    "tf.data.experimental.get_single_element": lambda: tf.data.experimental.get_single_element(numbers(1)),
    "tf.data.experimental.group_by_reducer": lambda: drawn(
        numbers(5).apply(
            tf.data.experimental.group_by_reducer(
                lambda n: n % 2,
                tf.data.experimental.Reducer(lambda key: np.int64(0), lambda total, n: total + n, lambda total: total),
            )
        )
    ),
    "tf.data.experimental.group_by_window": lambda: drawn(
        numbers(5).apply(
            tf.data.experimental.group_by_window(lambda n: n % 2, lambda key, group: group.batch(2), window_size=2)
        )
    ),
    "tf.data.experimental.ignore_errors": lambda: drawn(
        tf.data.Dataset.from_tensor_slices([1.0, 0.0])
        .map(lambda x: tf.check_numerics(1.0 / x, "m"))
        .apply(tf.data.experimental.ignore_errors())
    ),
    "tf.data.experimental.make_batched_features_dataset": lambda: [
        element["n"]
        for element in drawn(
            tf.data.experimental.make_batched_features_dataset(
                records(), 2, {"n": tf.FixedLenFeature([], tf.int64)}, num_epochs=1, shuffle=False
            )
        )
    ],
    "tf.data.experimental.make_csv_dataset": lambda: drawn(
        tf.data.experimental.make_csv_dataset(written("b.csv", "a,b\n1,2\n3,4\n"), 2, num_epochs=1, shuffle=False)
    ),
    "tf.data.experimental.map_and_batch": lambda: drawn(
        numbers().apply(tf.data.experimental.map_and_batch(lambda n: n * 2, 2))
    ),
    "tf.data.experimental.parallel_interleave": lambda: drawn(
        numbers(2).apply(tf.data.experimental.parallel_interleave(lambda n: tf.data.Dataset.from_tensors(n), 1))
    ),
    "tf.data.experimental.parse_example_dataset": lambda: [
        element["n"]
        for element in drawn(
            tf.data.TFRecordDataset(records())
            .batch(2)
            .apply(tf.data.experimental.parse_example_dataset({"n": tf.FixedLenFeature([], tf.int64)}))
        )
    ],
    "tf.data.experimental.rejection_resample": lambda: len(
        drawn(
            numbers(50).apply(tf.data.experimental.rejection_resample(lambda n: tf.cast(n % 2, tf.int32), [0.5, 0.5])),
            2,
        )
    ),
    "tf.data.experimental.sample_from_datasets": lambda: drawn(
        tf.data.experimental.sample_from_datasets([numbers(3)], [1.0])
    ),
    "tf.data.experimental.scan": lambda: drawn(
        numbers().apply(tf.data.experimental.scan(np.int64(0), lambda total, n: (total + n, total + n)))
    ),
    "tf.data.experimental.shuffle_and_repeat": lambda: len(
        drawn(numbers(3).apply(tf.data.experimental.shuffle_and_repeat(3, 2)))
    ),
    "tf.data.experimental.take_while": lambda: drawn(numbers().apply(tf.data.experimental.take_while(lambda n: n < 2))),
    "tf.data.experimental.unbatch": lambda: drawn(numbers().batch(2).apply(tf.data.experimental.unbatch())),
    "tf.data.experimental.unique": lambda: drawn(
        tf.data.Dataset.from_tensor_slices([1, 1, 2]).apply(tf.data.experimental.unique())
    ),
    "tf.lookup.StaticHashTable": lambda: looked_up(
        tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1), ["b", "c"]
    ),
    "tf.lookup.KeyValueTensorInitializer": lambda: looked_up(
        tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1, 2], ["x", "y"]), "?"), [2, 3]
    ),
    "tf.lookup.StaticVocabularyTable": lambda: looked_up(
        tf.lookup.StaticVocabularyTable(
            tf.lookup.KeyValueTensorInitializer(["a", "b"], [0, 1], value_dtype=tf.int64), 1
        ),
        ["b", "c"],
    ),
    "tf.lookup.TextFileInitializer": lambda: looked_up(
        tf.lookup.StaticHashTable(
            tf.lookup.TextFileInitializer(
                written("words", "a\nb\n"),
                tf.string,
                tf.lookup.TextFileIndex.WHOLE_LINE,
                tf.int64,
                tf.lookup.TextFileIndex.LINE_NUMBER,
            ),
            -1,
        ),
        ["b", "c"],
    ),
    "tf.feature_column.numeric_column": lambda: tf.feature_column.numeric_column("x").key,
    "tf.feature_column.bucketized_column": lambda: (
        tf.feature_column.bucketized_column(tf.feature_column.numeric_column("x"), [1.5]).boundaries
    ),
    "tf.feature_column.categorical_column_with_vocabulary_list": lambda: (
        tf.feature_column.categorical_column_with_vocabulary_list("w", ["a", "b"]).vocabulary_list
    ),
    "tf.feature_column.make_parse_example_spec": lambda: sorted(
        tf.feature_column.make_parse_example_spec([tf.feature_column.numeric_column("x")])
    ),
    "tf.distributions.Normal": lambda: described(tf.distributions.Normal(1.0, 2.0), 0.5),
    "tf.distributions.Normal / entropy": lambda: tf.distributions.Normal([0.0, 1.0], [1.0, 3.0]).entropy(),
    "tf.distributions.Uniform": lambda: described(tf.distributions.Uniform(0.0, 2.0), 0.5),
    "tf.distributions.Bernoulli": lambda: described(tf.distributions.Bernoulli(probs=0.3), 1.0),
    "tf.distributions.Categorical": lambda: [
        tf.distributions.Categorical(probs=[0.2, 0.8]).log_prob(1),
        tf.distributions.Categorical(logits=[0.2, 0.8]).entropy(),
    ],
    "tf.distributions.Exponential": lambda: described(tf.distributions.Exponential(2.0), 0.5),
    "tf.distributions.Gamma": lambda: described(tf.distributions.Gamma(2.0, 3.0), 0.5),
    "tf.distributions.Beta": lambda: described(tf.distributions.Beta(2.0, 3.0), 0.5),
    "tf.distributions.Dirichlet": lambda: described(tf.distributions.Dirichlet([2.0, 3.0]), [0.4, 0.6]),
    "tf.distributions.DirichletMultinomial": lambda: tf.distributions.DirichletMultinomial(3.0, [2.0, 3.0]).mean(),
    "tf.distributions.Laplace": lambda: described(tf.distributions.Laplace(1.0, 2.0), 0.5),
    "tf.distributions.Multinomial": lambda: tf.distributions.Multinomial(3.0, probs=[0.2, 0.8]).log_prob([1.0, 2.0]),
    "tf.distributions.StudentT": lambda: described(tf.distributions.StudentT(5.0, 1.0, 2.0), 0.5),
    "tf.distributions.kl_divergence": lambda: tf.distributions.kl_divergence(
        tf.distributions.Normal(0.0, 1.0), tf.distributions.Normal(1.0, 2.0)
    ),
}
