"""TF 1.x calls of settings, strategies, files of tf.io and tools; the values are those of TF 1.15.5."""

import os
import tempfile
import uuid

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(tempfile.gettempdir(), "tf_migrate_snippets_settings")


def written(text="text"):
    """A new file in an empty folder."""
    if tf.io.gfile.exists(FOLDER):
        tf.io.gfile.rmtree(FOLDER)
    tf.io.gfile.makedirs(os.path.join(FOLDER, "inner"))
    path = os.path.join(FOLDER, "a.txt")
    with tf.io.gfile.GFile(path, "w") as file:
        file.write(text)
    return path


def after(function, *arguments):
    """The names in the folder after a function of its file."""
    function(written(), *arguments)
    return sorted(tf.io.gfile.listdir(FOLDER))


def set_and_get(put, get, value):
    """A setting, set and read."""
    before = get()
    put(value)
    now = get()
    put(before)
    return now


def scoped(strategy):
    """Replicas and whether the strategy holds inside its scope."""
    with strategy.scope():
        return strategy.num_replicas_in_sync, tf.distribute.has_strategy()


def registered():
    """A gradient that the graph takes from a registered function."""
    name = f"Tripled{uuid.uuid4().hex}"

    @tf.RegisterGradient(name)
    def triple(op, upstream):
        return 3 * upstream

    x = tf.constant(2.0)
    with tf.get_default_graph().gradient_override_map({"Square": name}):
        y = tf.square(x)
    return tf.gradients(y, x)


def batch_scattered():
    """A variable after a batch of updates."""
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
    return tf.batch_scatter_update(v, [[0], [1]], [[9.0], [8.0]])


def raw():
    """The outputs of a loop that a function drives."""
    cell = tf.nn.rnn_cell.BasicRNNCell(2, name="cell")
    inputs = tf.TensorArray(tf.float32, 2).unstack(tf.ones([2, 1, 3]))

    def step(time, output, state, loop_state):
        following = cell.zero_state(1, tf.float32) if output is None else state
        finished = time >= tf.constant([2])
        value = tf.cond(tf.reduce_all(finished), lambda: tf.zeros([1, 3]), lambda: inputs.read(time))
        return finished, value, following, output, None

    outputs, _, _ = tf.nn.raw_rnn(cell, step)
    return tf.shape(outputs.stack())


SNIPPETS = {
    "tf.io.gfile.exists": lambda: tf.io.gfile.exists(written()),
    "tf.io.gfile.GFile": lambda: tf.io.gfile.GFile(written()).read(),
    "tf.io.gfile.copy": lambda: after(tf.io.gfile.copy, FOLDER + "/b.txt"),
    "tf.io.gfile.rename": lambda: after(tf.io.gfile.rename, FOLDER + "/b.txt"),
    "tf.io.gfile.remove": lambda: after(tf.io.gfile.remove),
    "tf.io.gfile.glob": lambda: len(tf.io.gfile.glob(os.path.dirname(written()) + "/*")),
    "tf.io.gfile.isdir": lambda: [tf.io.gfile.isdir(written()), tf.io.gfile.isdir(FOLDER)],
    "tf.io.gfile.listdir": lambda: sorted(tf.io.gfile.listdir(os.path.dirname(written()))),
    "tf.io.gfile.makedirs": lambda: tf.io.gfile.makedirs(os.path.join(os.path.dirname(written()), "x", "y")),
    "tf.io.gfile.mkdir": lambda: tf.io.gfile.mkdir(os.path.join(os.path.dirname(written()), "z")),
    "tf.io.gfile.rmtree": lambda: tf.io.gfile.rmtree(os.path.dirname(written())),
    "tf.io.gfile.stat": lambda: tf.io.gfile.stat(written()).length,
    "tf.io.gfile.walk": lambda: [sorted(files) for _, _, files in tf.io.gfile.walk(os.path.dirname(written()))],
    "tf.config.experimental.get_visible_devices": lambda: len(tf.config.experimental.get_visible_devices("CPU")),
    "tf.config.experimental.get_synchronous_execution": lambda: tf.config.experimental.get_synchronous_execution(),
    "tf.config.experimental.get_device_policy": lambda: tf.config.experimental.get_device_policy(),
    "tf.config.optimizer.get_jit": lambda: bool(tf.config.optimizer.get_jit()),
    "tf.config.optimizer.get_experimental_options": lambda: len(tf.config.optimizer.get_experimental_options()),
    "tf.config.optimizer.set_experimental_options": lambda: tf.config.optimizer.set_experimental_options({}),
    "tf.config.set_soft_device_placement": lambda: set_and_get(
        tf.config.set_soft_device_placement, tf.config.get_soft_device_placement, True
    ),
    "tf.config.threading.get_inter_op_parallelism_threads": lambda: isinstance(
        tf.config.threading.get_inter_op_parallelism_threads(), int
    ),
    "tf.config.threading.get_intra_op_parallelism_threads": lambda: isinstance(
        tf.config.threading.get_intra_op_parallelism_threads(), int
    ),
    "tf.debugging.get_log_device_placement": lambda: tf.debugging.get_log_device_placement(),
    "tf.debugging.set_log_device_placement": lambda: set_and_get(
        tf.debugging.set_log_device_placement, tf.debugging.get_log_device_placement, False
    ),
    "tf.autograph.set_verbosity": lambda: tf.autograph.set_verbosity(0),
    "tf.autograph.trace": lambda: tf.autograph.trace("traced"),
    "tf.autograph.experimental.Feature": lambda: tf.autograph.experimental.Feature.ALL.name,
    "tf.distribute.MirroredStrategy": lambda: issubclass(tf.distribute.MirroredStrategy, tf.distribute.Strategy),
    "tf.distribute.Strategy": lambda: isinstance(tf.distribute.get_strategy(), tf.distribute.Strategy),
    "tf.distribute.OneDeviceStrategy": lambda: scoped(tf.distribute.OneDeviceStrategy("/cpu:0")),
    "tf.distribute.StrategyExtended": lambda: isinstance(
        tf.distribute.get_strategy().extended, tf.distribute.StrategyExtended
    ),
    "tf.distribute.ReplicaContext": lambda: isinstance(
        tf.distribute.get_replica_context(), tf.distribute.ReplicaContext
    ),
    "tf.distribute.InputContext": lambda: tf.distribute.InputContext(4, 1, 2).get_per_replica_batch_size(8),
    "tf.distribute.InputReplicationMode": lambda: tf.distribute.InputReplicationMode.PER_WORKER.value,
    "tf.distribute.CrossDeviceOps": lambda: issubclass(
        tf.distribute.ReductionToOneDevice, tf.distribute.CrossDeviceOps
    ),
    "tf.distribute.ReductionToOneDevice": lambda: tf.distribute.ReductionToOneDevice() is not None,
    "tf.distribute.NcclAllReduce": lambda: tf.distribute.NcclAllReduce() is not None,
    "tf.distribute.HierarchicalCopyAllReduce": lambda: tf.distribute.HierarchicalCopyAllReduce() is not None,
    "tf.distribute.cluster_resolver.ClusterResolver": lambda: issubclass(
        tf.distribute.cluster_resolver.SimpleClusterResolver, tf.distribute.cluster_resolver.ClusterResolver
    ),
    "tf.distribute.cluster_resolver.SimpleClusterResolver": lambda: (
        tf.distribute.cluster_resolver.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["a:1"]}))
        .cluster_spec()
        .num_tasks("worker")
    ),
    "tf.distribute.cluster_resolver.TFConfigClusterResolver": lambda: (
        tf.distribute.cluster_resolver.TFConfigClusterResolver().rpc_layer
    ),
    "tf.data.experimental.OptimizationOptions": lambda: tf.data.experimental.OptimizationOptions() is not None,
    "tf.data.experimental.ThreadingOptions": lambda: tf.data.experimental.ThreadingOptions() is not None,
    "tf.data.experimental.DistributeOptions": lambda: tf.data.experimental.DistributeOptions() is not None,
    "tf.data.experimental.get_structure": lambda: tf.data.experimental.get_structure(tf.data.Dataset.range(2)).dtype,
    "tf.data.experimental.from_variant": lambda: tf.data.experimental.get_single_element(
        tf.data.experimental.from_variant(
            tf.data.experimental.to_variant(tf.data.Dataset.range(1)), tf.TensorSpec([], tf.int64)
        )
    ),
    "tf.data.experimental.to_variant": lambda: tf.data.experimental.to_variant(tf.data.Dataset.range(1)).dtype,
    "tf.data.experimental.Optional": lambda: tf.data.experimental.Optional.from_value(tf.constant(3)).get_value(),
    "tf.lookup.TextFileIndex": lambda: [tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER],
    "tf.ragged.RaggedTensorValue": lambda: tf.ragged.RaggedTensorValue(np.array([1, 2]), np.array([0, 2])).to_list(),
    "tf.ragged.constant_value": lambda: tf.ragged.constant_value([[1, 2], [3]]).to_list(),
    "tf.random.stateless_multinomial": lambda: tf.random.stateless_multinomial(
        np.log(np.float32([[0.5, 0.5]])), 3, seed=[1, 2]
    ),
    "tf.RegisterGradient": registered,
    "tf.get_seed": lambda: tf.get_seed(5)[1],
    "tf.feature_column.categorical_column_with_hash_bucket": lambda: (
        tf.feature_column.categorical_column_with_hash_bucket("w", 10).hash_bucket_size
    ),
    "tf.feature_column.categorical_column_with_identity": lambda: (
        tf.feature_column.categorical_column_with_identity("w", 10).num_buckets
    ),
    "tf.feature_column.categorical_column_with_vocabulary_file": lambda: (
        tf.feature_column.categorical_column_with_vocabulary_file("w", written("a\nb\n"), 2, 3).num_oov_buckets
    ),
    "tf.feature_column.crossed_column": lambda: tf.feature_column.crossed_column(["a", "b"], 10).hash_bucket_size,
    "tf.feature_column.embedding_column": lambda: (
        tf.feature_column.embedding_column(tf.feature_column.categorical_column_with_identity("w", 10), 3).dimension
    ),
    "tf.feature_column.indicator_column": lambda: (
        tf.feature_column.indicator_column(tf.feature_column.categorical_column_with_identity("w", 10)).name
    ),
    "tf.feature_column.weighted_categorical_column": lambda: (
        tf.feature_column.weighted_categorical_column(
            tf.feature_column.categorical_column_with_identity("w", 10), "x"
        ).name
    ),
    "tf.feature_column.sequence_numeric_column": lambda: tf.feature_column.sequence_numeric_column("x").key,
    "tf.feature_column.sequence_categorical_column_with_identity": lambda: (
        tf.feature_column.sequence_categorical_column_with_identity("w", 10).name
    ),
    "tf.feature_column.sequence_categorical_column_with_hash_bucket": lambda: (
        tf.feature_column.sequence_categorical_column_with_hash_bucket("w", 10).name
    ),
    "tf.feature_column.sequence_categorical_column_with_vocabulary_list": lambda: (
        tf.feature_column.sequence_categorical_column_with_vocabulary_list("w", ["a"]).name
    ),
    "tf.feature_column.sequence_categorical_column_with_vocabulary_file": lambda: (
        tf.feature_column.sequence_categorical_column_with_vocabulary_file("w", written("a\n"), 1).name
    ),
    "tf.test.Benchmark": lambda: issubclass(tf.test.Benchmark, object),
    "tf.test.benchmark_config": lambda: tf.test.benchmark_config() is not None,
    "tf.train.CheckpointManager": lambda: (
        tf.train.CheckpointManager(tf.train.Checkpoint(), os.path.dirname(written()), 3).latest_checkpoint
    ),
    "tf.errors.UnknownError": lambda: tf.errors.UnknownError(None, None, "m").error_code,
    "tf.batch_scatter_update": lambda: batch_scattered(),
    "tf.resource_loader.get_data_files_path": lambda: os.path.isdir(tf.resource_loader.get_data_files_path()),
    "tf.resource_loader.get_path_to_datafile": lambda: os.path.basename(tf.resource_loader.get_path_to_datafile("a.b")),
    "tf.summary.tensor_summary": lambda: tf.shape(tf.summary.tensor_summary("t", tf.constant([1.0]))),
    "tf.saved_model.build_tensor_info": lambda: tf.saved_model.build_tensor_info(tf.constant(1, name="c")).name,
    "tf.saved_model.build_signature_def": lambda: tf.saved_model.build_signature_def(method_name="m").method_name,
    "tf.saved_model.is_valid_signature": lambda: tf.saved_model.is_valid_signature(
        tf.saved_model.build_signature_def()
    ),
    "tf.train.generate_checkpoint_state_proto": lambda: (
        tf.train.generate_checkpoint_state_proto("/tmp/a", "/tmp/a/b").model_checkpoint_path
    ),
    "tf.train.update_checkpoint_state": lambda: tf.train.update_checkpoint_state(os.path.dirname(written()), "m"),
    "tf.train.SessionCreator": lambda: issubclass(tf.train.ChiefSessionCreator, tf.train.SessionCreator),
    "tf.train.WorkerSessionCreator": lambda: issubclass(tf.train.WorkerSessionCreator, tf.train.SessionCreator),
    "tf.train.LooperThread": lambda: isinstance(tf.train.LooperThread(tf.train.Coordinator(), 1.0), object),
    "tf.metrics.sparse_precision_at_k": lambda: tf.metrics.sparse_precision_at_k(
        np.int64([[0], [1]]), np.float32([[0.9, 0.1], [0.8, 0.2]]), 1
    )[1],
    "tf.metrics.sparse_average_precision_at_k": lambda: tf.metrics.sparse_average_precision_at_k(
        np.int64([[0], [1]]), np.float32([[0.9, 0.1], [0.8, 0.2]]), 1
    )[1],
    "tf.nn.raw_rnn": lambda: raw(),
    "tf.random.experimental.Generator": lambda: issubclass(tf.random.experimental.Generator, object),
}
