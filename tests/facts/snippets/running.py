"""TF 1.x calls that concern how programs run: switches, devices, libraries, threads; the values are TF 1.15.5's."""

import itertools
import os
import sqlite3
import tempfile
import uuid

import numpy as np
import tensorflow as tf

COUNT = itertools.count()
POOL = ([1, 2, 2, 1], [1, 1, 1, 1], "VALID")


def folder():
    """A new empty folder."""
    return tempfile.mkdtemp(prefix="tf_migrate_snippets_running")


def error_of(function, *arguments):
    """The name of what a call raises."""
    try:
        function(*arguments)
    except Exception as error:
        return type(error).__name__
    return "nothing"


def ran(build, *steps):
    """What a session gives for each of the things that `build` makes, asked for by number."""
    with tf.Graph().as_default(), tf.Session() as session:
        made = build()
        session.run(tf.global_variables_initializer())
        return [session.run(made[step]) for step in steps]


def without_eager():
    """Switches that say what a program does anyway."""
    tf.disable_eager_execution()
    return tf.constant(1)


def with_version_1():
    """All of TensorFlow 1's behaviour."""
    tf.disable_v2_behavior()
    return tf.constant(2)


def with_old_control_flow():
    """Conditionals, switched there and back."""
    tf.enable_control_flow_v2()
    tf.disable_control_flow_v2()
    return tf.cond(tf.constant(True), lambda: 1, lambda: 2)


def with_old_equality():
    """Tensors are compared as objects."""
    tf.enable_tensor_equality()
    tf.disable_tensor_equality()
    return tf.constant(3)


def with_old_shapes():
    """Dimensions are objects."""
    tf.enable_v2_tensorshape()
    tf.disable_v2_tensorshape()
    return tf.constant(4)


def with_reference_variables():
    """Variables, switched there and back."""
    tf.enable_resource_variables()
    tf.disable_resource_variables()
    return tf.Variable([5.0], name="v")


def taped():
    """A gradient from a tape inside of a graph."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def created():
    """The names that a creator of variables sees."""
    seen = []

    def creator(make, **settings):
        seen.append(settings["name"])
        return make(**settings)

    with tf.variable_creator_scope(creator):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    return w, [str(name) for name in seen]


def doubled(x):
    """Twice its argument, by a branch that a tensor decides."""
    if x > 0:
        return x * 2
    return x


def queried():
    """Rows of a database."""
    path = os.path.join(folder(), "rows.db")
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE rows (name TEXT, size INTEGER)")
        database.executemany("INSERT INTO rows VALUES (?, ?)", [("a", 1), ("b", 2)])
    rows = tf.data.experimental.SqlDataset("sqlite", path, "SELECT * FROM rows", (tf.string, tf.int32))
    return tf.data.make_one_shot_iterator(rows.skip(1)).get_next()


def elsewhere(transformation):
    """An element of a dataset that another device holds."""
    dataset = tf.data.Dataset.range(5).skip(3).apply(transformation)
    return tf.data.make_initializable_iterator(dataset).output_types


class Mine(tf.distributions.Normal):
    """A distribution of one's own."""


def diverged():
    """A divergence by a rule of one's own."""
    own = type(f"Own{next(COUNT)}", (Mine,), {})
    tf.distributions.RegisterKL(own, own)(lambda a, b, name=None: a.loc - b.loc)
    return tf.distributions.kl_divergence(own(3.0, 1.0), own(1.0, 1.0))


class Kept:
    """The states that a recurrent network keeps between its runs."""

    def __init__(self):
        """Nothing is kept yet."""
        self.saved = {}

    def state(self, name):
        """The state to go on from."""
        return tf.ones([1, 2])

    def save_state(self, name, value):
        """Keep a state."""
        self.saved[name] = value
        return tf.identity(value)


def state_saved():
    """A recurrent network whose state is kept."""
    cell = tf.nn.rnn_cell.BasicRNNCell(2, name="cell")
    with tf.variable_scope("net", initializer=tf.constant_initializer(0.5)):
        outputs, _ = tf.nn.static_state_saving_rnn(cell, [tf.ones([1, 3])] * 2, Kept(), "s")
    return outputs


def recomputed():
    """A gradient through a function that runs again."""
    x = tf.constant(3.0)
    with tf.variable_scope("again", use_resource=True):
        return tf.gradients(tf.recompute_grad(lambda x: x * x * x)(x), x)


def accumulated():
    """Gradients added up; one that is too old is left out."""

    def build():
        gathered = tf.ConditionalAccumulator(tf.float32, [2])
        return {
            "add": gathered.apply_grad([1.0, 3.0], 0),
            "count": gathered.num_accumulated(),
            "mean": gathered.take_grad(2),
            "step": gathered.set_global_step(1),
        }

    return ran(build, "add", "add", "count", "mean", "step", "add", "count")


def guarded():
    """Updates that one thread makes at a time."""

    def build():
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
        return [tf.CriticalSection().execute(lambda: v.assign_add(2.0))]

    return ran(build, 0, 0)


def checked():
    """What a check of all numbers says."""

    def build():
        x = tf.placeholder_with_default(1.0, [])
        tf.identity(x / 0)
        return [tf.add_check_numerics_ops()]

    return error_of(ran, build, 0)


def placed():
    """Where variables and other operations go."""
    chosen = tf.train.replica_device_setter(ps_tasks=2)
    return [tf.train.replica_device_setter(ps_tasks=0), chosen(tf.constant(1).op)]


def initialized_and_restored():
    """An operation that runs after all others have begun."""
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([1.0, 2.0], name="v")
        session.run(tf.saved_model.main_op.main_op_with_restore(tf.no_op()))
        return session.run(v)


def compiled():
    """A compiled function."""
    return tf.xla.experimental.compile(lambda x: x * 2 + 1, [tf.constant([1.0, 2.0])])


def served():
    """What a session on a server of its own gives."""
    server = tf.train.Server.create_local_server()
    with tf.Graph().as_default(), tf.Session(server.target) as session:
        return session.run(tf.constant(2) + 3)


def quantized(values):
    """Numbers between -10 and 10 in eight bits, with the range."""
    return tf.quantize_v2(tf.constant(values), -10.0, 10.0, tf.quint8)


def picture():
    """Four pixels in eight bits."""
    return tf.reshape(quantized([1.0, 2.0, -3.0, 4.0])[0], [1, 2, 2, 1])


def dequantized(outputs):
    """Numbers again."""
    return tf.dequantize(*outputs)


def path_of_source():
    """Where a test's files are."""
    os.environ.setdefault("TEST_SRCDIR", "/srcdir")
    return os.path.basename(tf.test.test_src_dir_path("there"))


def foreseen():
    """Whether what comes later may be used already."""
    with tf.compat.forward_compatibility_horizon(2031, 5, 6):
        return tf.compat.forward_compatible(2031, 5, 5), tf.compat.forward_compatible(2031, 5, 6)


def read_back(put, get):
    """A setting that is set to what it is."""
    put(get())
    return get() is not None


SNIPPETS = {
    "tf.disable_eager_execution": without_eager,
    "tf.disable_v2_behavior": with_version_1,
    "tf.enable_control_flow_v2": with_old_control_flow,
    "tf.disable_control_flow_v2": with_old_control_flow,
    "tf.enable_tensor_equality": with_old_equality,
    "tf.disable_tensor_equality": with_old_equality,
    "tf.enable_v2_tensorshape": with_old_shapes,
    "tf.disable_v2_tensorshape": with_old_shapes,
    "tf.enable_resource_variables": with_reference_variables,
    "tf.disable_resource_variables": with_reference_variables,
    "tf.GradientTape": taped,
    "tf.variable_creator_scope": created,
    "tf.logging.fatal": lambda: tf.logging.fatal("nothing is wrong"),
    "tf.train.Server": served,
    "tf.NoGradient": lambda: tf.NoGradient(f"None{uuid.uuid4().hex}"),
    "tf.NotDifferentiable": lambda: tf.NotDifferentiable(f"None{uuid.uuid4().hex}"),
    "tf.no_gradient": lambda: tf.no_gradient(f"None{uuid.uuid4().hex}"),
    "tf.autograph.to_graph": lambda: tf.autograph.to_graph(doubled)(tf.constant(3)),
    "tf.autograph.to_code": lambda: "def tf__doubled" in tf.autograph.to_code(doubled),
    "tf.compat.forward_compatibility_horizon": foreseen,
    "tf.config.experimental_list_devices": lambda: any("CPU:0" in d for d in tf.config.experimental_list_devices()),
    "tf.config.experimental.set_device_policy": lambda: read_back(
        tf.config.experimental.set_device_policy, tf.config.experimental.get_device_policy
    ),
    "tf.config.experimental.set_synchronous_execution": lambda: read_back(
        tf.config.experimental.set_synchronous_execution, tf.config.experimental.get_synchronous_execution
    ),
    "tf.config.threading.set_inter_op_parallelism_threads": lambda: error_of(
        tf.config.threading.set_inter_op_parallelism_threads, 77
    ),
    "tf.config.threading.set_intra_op_parallelism_threads": lambda: error_of(
        tf.config.threading.set_intra_op_parallelism_threads, 77
    ),
    "tf.data.experimental.SqlDataset": queried,
    "tf.data.experimental.copy_to_device": lambda: elsewhere(tf.data.experimental.copy_to_device("/cpu:0")),
    "tf.data.experimental.prefetch_to_device": lambda: elsewhere(tf.data.experimental.prefetch_to_device("/cpu:0")),
    "tf.distributions.RegisterKL": diverged,
    "tf.io.decode_proto": lambda: tf.io.decode_proto(
        [b"\x0a\x02\x03\x05"], "tensorflow.Int64List", ["value"], [tf.int64]
    ),
    "tf.io.encode_proto": lambda: tf.io.encode_proto([[2]], [np.int64([[3, 5]])], ["value"], "tensorflow.Int64List"),
    "tf.load_library": lambda: error_of(tf.load_library, "nowhere.so"),
    "tf.load_op_library": lambda: error_of(tf.load_op_library, "nowhere.so"),
    "tf.quantize_v2": lambda: dequantized(quantized([-10.0, -3.0, 0.0, 4.0, 10.0])),
    "tf.nn.quantized_avg_pool": lambda: dequantized(tf.nn.quantized_avg_pool(picture(), -10.0, 10.0, *POOL)),
    "tf.nn.quantized_max_pool": lambda: dequantized(tf.nn.quantized_max_pool(picture(), -10.0, 10.0, *POOL)),
    "tf.nn.quantized_conv2d": lambda: dequantized(
        tf.nn.quantized_conv2d(
            picture(), tf.reshape(picture(), [2, 2, 1, 1]), -10.0, 10.0, -10.0, 10.0, [1, 1, 1, 1], "VALID"
        )
    ),
    "tf.nn.static_state_saving_rnn": state_saved,
    "tf.recompute_grad": recomputed,
    "tf.resource_loader.get_root_dir_with_all_resources": lambda: os.path.isdir(
        tf.resource_loader.get_root_dir_with_all_resources()
    ),
    "tf.resource_loader.load_resource": lambda: error_of(tf.resource_loader.load_resource, "nowhere"),
    "tf.summary.all_v2_summary_ops": lambda: tf.summary.all_v2_summary_ops(),
    "tf.summary.initialize": lambda: error_of(tf.summary.initialize),
    "tf.test.test_src_dir_path": path_of_source,
    "tf.train.experimental.PythonState": lambda: issubclass(tf.train.experimental.PythonState, object),
    "tf.xla.experimental.compile": compiled,
    "tf.ConditionalAccumulator": accumulated,
    "tf.ConditionalAccumulatorBase": lambda: issubclass(tf.ConditionalAccumulator, tf.ConditionalAccumulatorBase),
    "tf.CriticalSection": guarded,
    "tf.add_check_numerics_ops": checked,
    "tf.train.replica_device_setter": placed,
    "tf.saved_model.main_op.main_op_with_restore": initialized_and_restored,
    "tf.saved_model.main_op_with_restore": initialized_and_restored,
    "tf.graph_util.must_run_on_cpu": lambda: [
        tf.graph_util.must_run_on_cpu(tf.constant(kind).op) for kind in ("text", 1.0)
    ],
    "tf.graph_util.tensor_shape_from_node_def_name": lambda: tf.graph_util.tensor_shape_from_node_def_name(
        tf.get_default_graph(), tf.placeholder(tf.float32, [None, 3], name=f"p{next(COUNT)}").op.name
    ).as_list(),
    "tf.SummaryMetadata": lambda: tf.SummaryMetadata(display_name="d").display_name,
    "tf.random.experimental.create_rng_state": lambda: tf.random.experimental.create_rng_state(3, algorithm=1),
    "tf.experimental.function_executor_type": lambda: tf.experimental.function_executor_type("") is not None,
    "tf.autograph.experimental.set_loop_options": lambda: tf.autograph.experimental.set_loop_options(
        parallel_iterations=3, back_prop=False
    ),
    "tf.distribute.experimental_set_strategy": lambda: tf.distribute.experimental_set_strategy(None),
    "tf.keras.utils.to_categorical": lambda: tf.keras.utils.to_categorical([[1], [0], [3]]),
    "tf.keras.utils.to_categorical / shape": lambda: tf.keras.utils.to_categorical(
        y=[[1, 0]], num_classes=3, dtype="int32"
    ),
    "tf.keras.regularizers.l1": lambda: tf.keras.regularizers.l1(l=0.5)(tf.constant([1.0, -2.0])),
    "tf.keras.regularizers.l2": lambda: tf.keras.regularizers.l2(0.5)(tf.constant([1.0, -2.0])),
    "tf.keras.regularizers.l1_l2": lambda: tf.keras.regularizers.l1_l2(l2=0.5)(tf.constant([1.0, -2.0])),
    "tf.keras.regularizers.l1_l2 / defaults": lambda: tf.keras.regularizers.l1_l2()(tf.constant([1.0, -2.0])),
}
