"""TF 1.x calls on variables, scopes, collections, graphs and sessions; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def variable(value=(1.0, 2.0, 3.0), name="v"):
    """A variable."""
    return tf.Variable(list(value), name=name)


def made(initializer, shape=(2, 2)):
    """What an initializer gives a variable of a shape."""
    return tf.get_variable("w", list(shape), initializer=initializer)


def spread(initializer):
    """Mean and standard deviation that an initializer gives, as far as chance leaves them certain."""
    value = tf.get_variable("w", [200, 100], initializer=initializer)
    mean, variance = tf.nn.moments(value, [0, 1])
    return tf.abs(mean) < 0.05, tf.round(tf.log(variance) * 2)


def name_of(thing):
    """The name that a tensor, variable or operation got."""
    return thing.name


def scoped():
    """Names under nested scopes."""
    with tf.variable_scope("a"):
        v = tf.get_variable("v", [1], initializer=tf.zeros_initializer())
        with tf.variable_scope("b", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [1], initializer=tf.zeros_initializer())
            with tf.name_scope("c"):
                return [v.name, w.name, tf.add(v, w, name="sum").name]


def reused():
    """Whether reuse gives the same variable."""
    with tf.variable_scope("a"):
        first = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    with tf.variable_scope("a", reuse=True):
        return first is tf.get_variable("v"), tf.get_variable("v") * 2


def after(op, value):
    """The value, read after the operation ran."""
    with tf.control_dependencies([op]):
        return tf.identity(value)


def read_after(make):
    """What a variable is after the operation that `make` builds for it."""
    v = variable()
    with tf.control_dependencies([make(v)]):
        return v.read_value() if hasattr(v, "read_value") else tf.identity(v)


def fed(session_class):
    """What a session gives for a fed placeholder."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.reduce_sum(x, 1)
        with session_class(graph=graph) as session:
            return session.run(y, {x: X})


def enter(scope):
    """The name of a variable scope."""
    with scope as inner:
        return inner.name


def inside(scope):
    """What a name scope gives, and the name of an operation inside it."""
    with scope as text:
        return text, tf.constant(1, name="c").name


def collected(put):
    """What the collection `mine` holds after `put`."""
    put()
    return list(tf.get_collection("mine"))


def interactive():
    """What `eval` gives in an interactive session."""
    with tf.Graph().as_default():
        session = tf.InteractiveSession()
        value = tf.constant([1.0, 2.0]).eval()
        session.close()
    return value


def fresh():
    """The name of an operation in the default graph."""
    with tf.Graph().as_default():
        return tf.constant(1, name="c").name


def colocated():
    """A constant beside another."""
    first = tf.constant(1)
    with tf.colocate_with(first):
        return first + tf.constant(2)


def placed():
    """A sum on a device."""
    with tf.device("/cpu:0"):
        return tf.constant(1) + 2


def placed_by_function():
    """A sum on the device that a function names."""
    with tf.device(lambda op: "/cpu:0"):
        return tf.constant(1) + 2


def placed_by_name(name="/cpu:0"):
    """A sum on a device whose name is no literal."""
    with tf.device(name):
        return tf.constant(1) + 2


def contained():
    """A constant in a container."""
    with tf.container("box"):
        return tf.constant(1)


def slopes():
    """Gradients with everything given by name."""
    x = tf.constant([1.0, 2.0])
    return tf.gradients(
        ys=x * x, xs=[x], grad_ys=[tf.constant([1.0, 10.0])], name="g", colocate_gradients_with_ops=True
    )


def bend():
    """A second derivative."""
    x = tf.constant([1.0, 2.0])
    return tf.hessians(tf.reduce_sum(x * x * x), x, colocate_gradients_with_ops=True)


def blocked():
    """A gradient that does not pass."""
    x = tf.constant([1.0, 2.0])
    return tf.gradients(x * tf.stop_gradient(x), x)


def customized():
    """A gradient of one's own."""

    @tf.custom_gradient
    def double(x):
        return x * 2, lambda upstream: upstream * 10

    x = tf.constant(3.0)
    return tf.gradients(double(x), x)


def seeded():
    """The first numbers under an operation's seed."""
    return tf.random_uniform([3], seed=7)


def stacked():
    """Values written one by one and stacked."""
    array = tf.TensorArray(tf.float32, size=2)
    array = array.write(0, 1.0).write(1, 2.0)
    return array.stack()


def templated():
    """Two calls of a template share the variable."""
    template = tf.make_template("t", lambda x: x * tf.get_variable("w", [], initializer=tf.constant_initializer(3.0)))
    first, second = template(tf.constant(1.0)), template(tf.constant(2.0))
    return first, second, len(tf.global_variables())


SNIPPETS = {
    "tf.Variable": lambda: tf.Variable([1.0, 2.0], name="v", trainable=False),
    "tf.Variable / name": lambda: [tf.Variable(1.0).name, tf.Variable(2.0).name],
    "tf.Variable / dtype": lambda: tf.Variable([1, 2], dtype=tf.float64, validate_shape=False),
    "tf.get_variable": lambda: tf.get_variable("v", initializer=tf.constant([1.0, 2.0])),
    "tf.get_variable / name": lambda: name_of(tf.get_variable("v", [2])),
    "tf.get_local_variable": lambda: tf.get_local_variable("v", [2], initializer=tf.ones_initializer()),
    "tf.variable_scope": scoped,
    "tf.variable_scope / reuse": reused,
    "tf.variable_scope / default_name": lambda: [
        tf.get_variable_scope().name,
        enter(tf.variable_scope(None, "block")),
        enter(tf.variable_scope(None, "block")),
    ],
    "tf.get_variable_scope": lambda: tf.get_variable_scope().name,
    "tf.VariableScope": lambda: isinstance(tf.get_variable_scope(), tf.VariableScope),
    "tf.variable_op_scope": lambda: enter(tf.variable_op_scope([], None, "block")),
    "tf.op_scope": lambda: inside(tf.op_scope([tf.constant(1)], "scope")),
    "tf.name_scope": lambda: inside(tf.name_scope("scope")),
    "tf.name_scope / default_name": lambda: [
        inside(tf.name_scope(None, "layer", [tf.constant(1)])),
        inside(tf.name_scope(None, "layer")),
    ],
    "tf.assign": lambda: tf.assign(variable(), [4.0, 5.0, 6.0]),
    "tf.assign_add": lambda: tf.assign_add(variable(), [1.0, 1.0, 1.0]),
    "tf.assign_sub": lambda: tf.assign_sub(variable(), [1.0, 1.0, 1.0]),
    "tf.scatter_update": lambda: read_after(lambda v: tf.scatter_update(v, [0, 2], [9.0, 8.0])),
    "tf.scatter_add": lambda: read_after(lambda v: tf.scatter_add(v, [0, 2], [9.0, 8.0])),
    "tf.scatter_sub": lambda: read_after(lambda v: tf.scatter_sub(v, [0, 2], [9.0, 8.0])),
    "tf.scatter_mul": lambda: read_after(lambda v: tf.scatter_mul(v, [0, 2], [9.0, 8.0])),
    "tf.scatter_div": lambda: read_after(lambda v: tf.scatter_div(v, [0, 2], [2.0, 4.0])),
    "tf.scatter_max": lambda: read_after(lambda v: tf.scatter_max(v, [0, 2], [0.0, 8.0])),
    "tf.scatter_min": lambda: read_after(lambda v: tf.scatter_min(v, [0, 2], [0.0, 8.0])),
    "tf.scatter_nd_update": lambda: read_after(lambda v: tf.scatter_nd_update(v, [[0], [2]], [9.0, 8.0])),
    "tf.scatter_nd_add": lambda: read_after(lambda v: tf.scatter_nd_add(v, [[0], [2]], [9.0, 8.0])),
    "tf.scatter_nd_sub": lambda: read_after(lambda v: tf.scatter_nd_sub(v, [[0], [2]], [9.0, 8.0])),
    "tf.count_up_to": lambda: tf.count_up_to(tf.Variable(3), 5),
    "tf.is_variable_initialized": lambda: tf.is_variable_initialized(variable()),
    "tf.report_uninitialized_variables": lambda: tf.shape(tf.report_uninitialized_variables([variable()])),
    "tf.assert_variables_initialized": lambda: tf.assert_variables_initialized([variable()]) is None,
    "tf.global_variables": lambda: [v.name for v in (variable(), *tf.global_variables())],
    "tf.all_variables": lambda: [v.name for v in (variable(), *tf.all_variables())],
    "tf.trainable_variables": lambda: [v.name for v in (variable(), *tf.trainable_variables())],
    "tf.local_variables": lambda: [v.name for v in (tf.get_local_variable("l", [1]), *tf.local_variables())],
    "tf.model_variables": lambda: len(tf.model_variables()),
    "tf.moving_average_variables": lambda: len(tf.moving_average_variables()),
    "tf.global_variables_initializer": lambda: [variable(), tf.global_variables_initializer().name],
    "tf.initialize_all_variables": lambda: [variable(), tf.initialize_all_variables().name],
    "tf.local_variables_initializer": lambda: tf.local_variables_initializer().name,
    "tf.initialize_local_variables": lambda: tf.initialize_local_variables().name,
    "tf.variables_initializer": lambda: tf.variables_initializer([variable()]).name,
    "tf.initialize_variables": lambda: tf.initialize_variables([variable()]).name,
    "tf.tables_initializer": lambda: tf.tables_initializer().name,
    "tf.initialize_all_tables": lambda: tf.initialize_all_tables().name,
    "tf.add_to_collection": lambda: collected(lambda: tf.add_to_collection("mine", 5)),
    "tf.add_to_collections": lambda: collected(lambda: tf.add_to_collections(["mine", "yours"], 6)),
    "tf.get_collection": lambda: [len(tf.get_collection("mine")), len(tf.get_collection(tf.GraphKeys.LOSSES))],
    "tf.get_collection_ref": lambda: collected(lambda: tf.get_collection_ref("mine").append(7)),
    "tf.GraphKeys": lambda: [
        tf.GraphKeys.GLOBAL_VARIABLES,
        tf.GraphKeys.TRAINABLE_VARIABLES,
        tf.GraphKeys.UPDATE_OPS,
        tf.GraphKeys.REGULARIZATION_LOSSES,
        tf.GraphKeys.SUMMARIES,
    ],
    "tf.placeholder": lambda: fed(tf.Session),
    "tf.placeholder / name": lambda: name_of(tf.placeholder(tf.float32, name="x")),
    "tf.placeholder_with_default": lambda: tf.placeholder_with_default(X, [None, 3]),
    "tf.sparse_placeholder": lambda: tf.sparse_placeholder(tf.float32).dtype,
    "tf.Session": lambda: fed(tf.Session),
    "tf.InteractiveSession": lambda: interactive(),
    "tf.get_default_session": lambda: tf.get_default_session() is not None,
    "tf.get_default_graph": lambda: tf.constant(1).graph is tf.get_default_graph(),
    "tf.reset_default_graph": lambda: fresh(),
    "tf.Graph": lambda: isinstance(tf.get_default_graph(), tf.Graph),
    "tf.control_dependencies": lambda: after(tf.no_op(), tf.constant(3)),
    "tf.control_dependencies / order": lambda: read_after(lambda v: tf.assign(v, v * 2)),
    "tf.colocate_with": lambda: colocated(),
    "tf.device": lambda: placed(),
    "tf.device / function": lambda: placed_by_function(),
    "tf.device / variable": lambda: placed_by_name(),
    "tf.executing_eagerly": lambda: tf.executing_eagerly(),
    "tf.container": lambda: contained(),
    "tf.gradients": lambda: tf.gradients(tf.square(variable()), tf.trainable_variables()),
    "tf.gradients / keywords": lambda: slopes(),
    "tf.stop_gradient / gradient": lambda: blocked(),
    "tf.hessians": lambda: bend(),
    "tf.custom_gradient": lambda: customized(),
    "tf.set_random_seed": lambda: seeded(),
    "tf.random.set_random_seed": lambda: seeded(),
    "tf.Dimension": lambda: [tf.Dimension(3).value, tf.Dimension(None).value],
    "tf.TensorShape": lambda: [tf.TensorShape([None, 3]).as_list(), tf.constant(X).get_shape().as_list()],
    "tf.Tensor": lambda: isinstance(tf.constant(1), tf.Tensor),
    "tf.Operation": lambda: isinstance(tf.no_op(), tf.Operation),
    "tf.TensorArray": lambda: stacked(),
    "tf.TensorSpec": lambda: tf.TensorSpec([1], tf.float32).dtype,
    "tf.DType": lambda: isinstance(tf.float32, tf.DType),
    "tf.Print": lambda: tf.Print(tf.constant(X), [tf.constant(1)], "seen: "),
    "tf.print": lambda: after(tf.print("seen"), tf.constant(1)),
    "tf.Assert": lambda: after(tf.Assert(tf.constant(True), [tf.constant(1)]), tf.constant(2)),
    "tf.make_template": lambda: templated(),
    "tf.no_regularizer": lambda: tf.no_regularizer(tf.constant(1.0)),
    "tf.fixed_size_partitioner": lambda: tf.fixed_size_partitioner(2)(tf.TensorShape([4, 2]), dtype=tf.float32),
    "tf.variable_axis_size_partitioner": lambda: tf.variable_axis_size_partitioner(16)(
        tf.TensorShape([4, 2]), dtype=tf.float32
    ),
    "tf.min_max_variable_partitioner": lambda: tf.min_max_variable_partitioner(2, min_slice_size=8)(
        tf.TensorShape([4, 2]), dtype=tf.float32
    ),
    "tf.constant_initializer": lambda: made(tf.constant_initializer(0.5)),
    "tf.constant_initializer / list": lambda: made(tf.constant_initializer([1.0, 2.0, 3.0, 4.0])),
    "tf.constant_initializer / dtype": lambda: made(tf.constant_initializer(value=2, dtype=tf.float32)),
    "tf.zeros_initializer": lambda: made(tf.zeros_initializer()),
    "tf.zeros_initializer / class": lambda: made(tf.zeros_initializer),
    "tf.ones_initializer": lambda: made(tf.ones_initializer()),
    "tf.ones_initializer / dtype": lambda: made(tf.ones_initializer(tf.float32)),
    "tf.initializers.identity": lambda: made(tf.initializers.identity(2.0)),
    "tf.random_normal_initializer": lambda: spread(tf.random_normal_initializer()),
    "tf.random_normal_initializer / stddev": lambda: spread(tf.random_normal_initializer(0.0, 0.02, seed=1)),
    "tf.truncated_normal_initializer": lambda: spread(tf.truncated_normal_initializer(stddev=0.1)),
    "tf.random_uniform_initializer": lambda: spread(tf.random_uniform_initializer(-1.0, 1.0)),
    "tf.uniform_unit_scaling_initializer": lambda: spread(tf.uniform_unit_scaling_initializer()),
    "tf.variance_scaling_initializer": lambda: spread(tf.variance_scaling_initializer()),
    "tf.glorot_uniform_initializer": lambda: spread(tf.glorot_uniform_initializer()),
    "tf.glorot_normal_initializer": lambda: spread(tf.glorot_normal_initializer()),
    "tf.initializers.he_normal": lambda: spread(tf.initializers.he_normal()),
    "tf.initializers.he_uniform": lambda: spread(tf.initializers.he_uniform()),
    "tf.initializers.lecun_normal": lambda: spread(tf.initializers.lecun_normal()),
    "tf.initializers.lecun_uniform": lambda: spread(tf.initializers.lecun_uniform()),
    "tf.orthogonal_initializer": lambda: spread(tf.orthogonal_initializer()),
}
