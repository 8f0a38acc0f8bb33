"""Transformations of `tf.contrib.data` that TF2 has under `tf.data.experimental`, the same functions."""

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
Counter = tf.data.experimental.Counter
CsvDataset = tf.data.experimental.CsvDataset
RandomDataset = tf.data.experimental.RandomDataset
Reducer = tf.data.experimental.Reducer
SqlDataset = tf.data.experimental.SqlDataset
TFRecordWriter = tf.data.experimental.TFRecordWriter
bucket_by_sequence_length = tf.data.experimental.bucket_by_sequence_length
choose_from_datasets = tf.data.experimental.choose_from_datasets
copy_to_device = tf.data.experimental.copy_to_device
dense_to_sparse_batch = tf.data.experimental.dense_to_sparse_batch
enumerate_dataset = tf.data.experimental.enumerate_dataset
get_single_element = tf.data.experimental.get_single_element
group_by_reducer = tf.data.experimental.group_by_reducer
group_by_window = tf.data.experimental.group_by_window
ignore_errors = tf.data.experimental.ignore_errors
make_batched_features_dataset = tf.data.experimental.make_batched_features_dataset
make_csv_dataset = tf.data.experimental.make_csv_dataset
map_and_batch = tf.data.experimental.map_and_batch
parallel_interleave = tf.data.experimental.parallel_interleave
parse_example_dataset = tf.data.experimental.parse_example_dataset
prefetch_to_device = tf.data.experimental.prefetch_to_device
rejection_resample = tf.data.experimental.rejection_resample
sample_from_datasets = tf.data.experimental.sample_from_datasets
scan = tf.data.experimental.scan
shuffle_and_repeat = tf.data.experimental.shuffle_and_repeat
unbatch = tf.data.experimental.unbatch
unique = tf.data.experimental.unique
