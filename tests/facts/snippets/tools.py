"""TF 1.x calls that build, run and describe programs, the rest of them; the values are those of TF 1.15.5."""

import os
import struct
import tempfile

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(tempfile.gettempdir(), "tf_migrate_snippets_tools")
# Files of one black pixel.
BMP = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + b"\x00" * 4
GIF = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)


def folder():
    """An empty folder."""
    if tf.gfile.Exists(FOLDER):
        tf.gfile.DeleteRecursively(FOLDER)
    tf.gfile.MakeDirs(FOLDER)
    return FOLDER


def in_session(build, count=1):
    """What a session gives for the fetches that `build` makes, with queues running."""
    with tf.Graph().as_default(), tf.Session() as session:
        fetches = build()
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        found = [session.run(fetches) for _ in range(count)]
        coordinator.request_stop()
        coordinator.join(threads)
    return found


def saved(name="model"):
    """The path of a checkpoint of one variable."""
    path = os.path.join(folder(), name)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.Variable([1.0, 2.0], name="w")
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, path)


def warmed():
    """A variable that starts from a checkpoint."""
    path = saved()

    def build():
        w = tf.get_variable("w", [2])
        tf.train.warm_start(path, vars_to_warm_start="w")
        return w

    return in_session(build)


def removed():
    """What is left of a checkpoint."""
    path = saved()
    tf.train.remove_checkpoint(path)
    return sorted(tf.gfile.ListDirectory(FOLDER))


def exported_meta():
    """The nodes of an exported meta graph."""
    with tf.Graph().as_default():
        tf.constant(1, name="only")
        return [node.name for node in tf.train.export_meta_graph().graph_def.node]


def iterated():
    """Elements of a dataset through an initializable iterator."""
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(3))
    element = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer)
        return session.run(element)


def records_written():
    """A file that a dataset was written to."""
    path = os.path.join(folder(), "records")
    in_session(lambda: tf.data.experimental.TFRecordWriter(path).write(tf.data.Dataset.from_tensor_slices(["a", "b"])))
    return list(tf.python_io.tf_record_iterator(path))


def lifted():
    """A constant out of its control dependencies."""
    with tf.init_scope():
        return tf.constant(1)


def looped():
    """Steps of a loop that stops itself."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        update = tf.assign_add(step, 1)
        supervisor = tf.train.Supervisor(logdir=folder(), save_model_secs=0, summary_op=None)
        seen = []

        def train(session, *arguments):
            seen.append(int(session.run(update)))
            if len(seen) == 3:
                supervisor.request_stop()

        tf.train.basic_train_loop(supervisor, train)
    return seen


def converted():
    """A tensor made from a class of one's own."""
    tf.register_tensor_conversion_function(Celsius, lambda value, *args, **kwargs: tf.constant(value.degrees))
    return tf.add(Celsius(20.5), 1.0)


class Celsius:
    """A temperature."""

    def __init__(self, degrees):
        self.degrees = degrees


def gradient_pair():
    """How far the theoretical gradient is from the numeric one, about a random point."""
    x = tf.constant([1.0, 2.0])
    with tf.Session():
        theoretical, numeric = tf.test.compute_gradient(x, [2], x * x, [2])
    return np.allclose(theoretical, numeric, atol=0.05), theoretical.shape


def passed_on():
    """A rounded value whose gradient is that of the value itself."""
    with tf.variable_scope("resources", use_resource=True):
        x = tf.constant([0.6, 1.2])
        y = tf.grad_pass_through(tf.round)(x)
        return y, tf.gradients(y, x)


def compiled():
    """A sum in a scope for XLA."""
    with tf.xla.experimental.jit_scope(compile_ops=False):
        return tf.constant(1) + 2


SNIPPETS = {
    "tf.grad_pass_through": passed_on,
    "tf.xla.experimental.jit_scope": compiled,
    "tf.parallel_stack": lambda: tf.parallel_stack([tf.constant([1, 2]), tf.constant([3, 4])]),
    "tf.resource_loader.readahead_file_path": lambda: tf.resource_loader.readahead_file_path("a/b"),
    "tf.TensorInfo": lambda: tf.TensorInfo(name="m").name,
    "tf.OptionalSpec": lambda: isinstance(tf.OptionalSpec(tf.TensorSpec([])), tf.TypeSpec),
    "tf.data.DatasetSpec": lambda: isinstance(tf.data.DatasetSpec(tf.TensorSpec([])), tf.TypeSpec),
    "tf.config.experimental.set_visible_devices": lambda: tf.config.experimental.set_visible_devices(
        tf.config.experimental.list_physical_devices("CPU"), "CPU"
    ),
    "tf.debugging.assert_shapes": lambda: tf.debugging.assert_shapes({}) is None,
    "tf.init_scope": lifted,
    "tf.data.make_initializable_iterator": iterated,
    "tf.data.experimental.TFRecordWriter": records_written,
    "tf.data.experimental.Reducer": lambda: tf.data.experimental.Reducer(int, int, int).init_func is int,
    "tf.register_tensor_conversion_function": converted,
    "tf.create_partitioned_variables": lambda: [
        v.shape.as_list() for v in tf.create_partitioned_variables([4, 2], [2, 1], tf.ones_initializer(), name="p")
    ],
    "tf.train.export_meta_graph": exported_meta,
    "tf.train.remove_checkpoint": removed,
    "tf.train.warm_start": warmed,
    "tf.train.basic_train_loop": looped,
    "tf.train.checkpoints_iterator": lambda: [
        os.path.basename(path) for path in tf.train.checkpoints_iterator(os.path.dirname(saved()), timeout=0)
    ],
    "tf.train.maybe_batch": lambda: in_session(lambda: tf.train.maybe_batch([tf.constant(1.0)], True, 2)),
    "tf.train.maybe_batch_join": lambda: in_session(lambda: tf.train.maybe_batch_join([[tf.constant(1.0)]], True, 2)),
    "tf.train.shuffle_batch_join": lambda: in_session(
        lambda: tf.train.shuffle_batch_join([[tf.constant(1.0)]], 2, 10, 2)
    ),
    "tf.train.maybe_shuffle_batch": lambda: in_session(
        lambda: tf.train.maybe_shuffle_batch([tf.constant(1.0)], 2, 10, 2, True)
    ),
    "tf.train.maybe_shuffle_batch_join": lambda: in_session(
        lambda: tf.train.maybe_shuffle_batch_join([[tf.constant(1.0)]], 2, 10, 2, True)
    ),
    "tf.image.decode_bmp": lambda: tf.image.decode_bmp(BMP),
    "tf.image.decode_gif": lambda: tf.image.decode_gif(GIF),
    "tf.SessionLog": lambda: tf.SessionLog(msg="m").msg,
    "tf.summary.SessionLog": lambda: tf.summary.SessionLog(msg="m").msg,
    "tf.summary.SummaryDescription": lambda: tf.summary.SummaryDescription(type_hint="m").type_hint,
    "tf.summary.TaggedRunMetadata": lambda: tf.summary.TaggedRunMetadata(tag="m").tag,
    "tf.config.experimental.list_logical_devices": lambda: len(tf.config.experimental.list_logical_devices("CPU")) > 0,
    "tf.config.experimental.VirtualDeviceConfiguration": lambda: (
        tf.config.experimental.VirtualDeviceConfiguration(memory_limit=5).memory_limit
    ),
    "tf.config.experimental_run_functions_eagerly": lambda: tf.config.experimental_run_functions_eagerly(False),
    "tf.config.optimizer.set_jit": lambda: tf.config.optimizer.set_jit(False),
    "tf.distribute.cluster_resolver.UnionResolver": lambda: issubclass(
        tf.distribute.cluster_resolver.UnionResolver, tf.distribute.cluster_resolver.ClusterResolver
    ),
    "tf.distribute.cluster_resolver.TPUClusterResolver": lambda: issubclass(
        tf.distribute.cluster_resolver.TPUClusterResolver, tf.distribute.cluster_resolver.ClusterResolver
    ),
    "tf.distribute.cluster_resolver.GCEClusterResolver": lambda: issubclass(
        tf.distribute.cluster_resolver.GCEClusterResolver, tf.distribute.cluster_resolver.ClusterResolver
    ),
    "tf.distribute.cluster_resolver.KubernetesClusterResolver": lambda: issubclass(
        tf.distribute.cluster_resolver.KubernetesClusterResolver, tf.distribute.cluster_resolver.ClusterResolver
    ),
    "tf.distribute.cluster_resolver.SlurmClusterResolver": lambda: issubclass(
        tf.distribute.cluster_resolver.SlurmClusterResolver, tf.distribute.cluster_resolver.ClusterResolver
    ),
    "tf.distribute.experimental.CentralStorageStrategy": lambda: issubclass(
        tf.distribute.experimental.CentralStorageStrategy, tf.distribute.Strategy
    ),
    "tf.distribute.experimental.MultiWorkerMirroredStrategy": lambda: issubclass(
        tf.distribute.experimental.MultiWorkerMirroredStrategy, tf.distribute.Strategy
    ),
    "tf.distribute.experimental.ParameterServerStrategy": lambda: issubclass(
        tf.distribute.experimental.ParameterServerStrategy, tf.distribute.Strategy
    ),
    "tf.distribute.experimental.TPUStrategy": lambda: issubclass(
        tf.distribute.experimental.TPUStrategy, tf.distribute.Strategy
    ),
    "tf.distribute.experimental.CollectiveCommunication": lambda: (
        tf.distribute.experimental.CollectiveCommunication.RING.value
    ),
    "tf.distributions.Distribution": lambda: isinstance(
        tf.distributions.Normal(0.0, 1.0), tf.distributions.Distribution
    ),
    "tf.distributions.ReparameterizationType": lambda: isinstance(
        tf.distributions.Normal(0.0, 1.0).reparameterization_type, tf.distributions.ReparameterizationType
    ),
    "tf.lite.Optimize": lambda: tf.lite.Optimize.DEFAULT.value,
    "tf.lite.OpsSet": lambda: tf.lite.OpsSet.TFLITE_BUILTINS.value,
    "tf.lite.TargetSpec": lambda: len(tf.lite.TargetSpec(supported_types=[]).supported_types),
    "tf.lite.RepresentativeDataset": lambda: tf.lite.RepresentativeDataset(list).input_gen is list,
    "tf.saved_model.classification_signature_def": lambda: (
        tf.saved_model.classification_signature_def(
            tf.constant(["a"]), tf.constant(["b"]), tf.constant([1.0])
        ).method_name
    ),
    "tf.saved_model.regression_signature_def": lambda: (
        tf.saved_model.regression_signature_def(tf.constant(["a"]), tf.constant([1.0])).method_name
    ),
    "tf.saved_model.get_tensor_from_tensor_info": lambda: tf.saved_model.get_tensor_from_tensor_info(
        tf.saved_model.build_tensor_info(tf.constant(1, name="c"))
    ),
    "tf.saved_model.main_op.main_op": lambda: tf.saved_model.main_op.main_op().type,
    "tf.resource_variables_enabled": lambda: isinstance(tf.resource_variables_enabled(), bool),
    "tf.control_flow_v2_enabled": lambda: isinstance(tf.control_flow_v2_enabled(), bool),
    "tf.test.StubOutForTesting": lambda: tf.test.StubOutForTesting() is not None,
    "tf.test.assert_equal_graph_def": lambda: tf.test.assert_equal_graph_def(tf.GraphDef(), tf.GraphDef()),
    "tf.test.compute_gradient": lambda: gradient_pair(),
    "tf.graph_util.remove_training_nodes": lambda: len(tf.graph_util.remove_training_nodes(tf.GraphDef()).node),
    "tf.nn.ctc_beam_search_decoder_v2": lambda: tf.nn.ctc_beam_search_decoder_v2(
        np.float32([[[0.9, 0.1, 0.2]], [[0.1, 0.2, 0.3]], [[0.8, 0.3, 0.1]]]), [3], 3
    )[0][0],
    "tf.nn.ctc_loss_v2": lambda: tf.nn.ctc_loss_v2(
        tf.constant([[1, 2]]), tf.constant(np.float32([[[0.9, 0.1, 0.2]]] * 4)), tf.constant([2]), tf.constant([4])
    ),
    "tf.lookup.experimental.DenseHashTable": lambda: tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int64, -1, 0, -2
    ).size(),
    "tf.TFRecordReader": lambda: isinstance(tf.TFRecordReader(), tf.ReaderBase),
    "tf.ReaderBase": lambda: issubclass(tf.TextLineReader, tf.ReaderBase),
}
