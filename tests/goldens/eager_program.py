"""A TF1 program that runs eagerly, for make_eager.py and tests/compat/variables/test_eager_program.py.

Python 3.7 must read this.
"""

import os


def _listed(variables):
    return [[variable.name, variable.numpy().tolist()] for variable in variables]


def variables(tf):
    """Every call makes a variable; variable scopes are numbered, variables are not."""
    ones = tf.ones_initializer()
    step = tf.train.get_or_create_global_step()
    found = {"step": [step is tf.train.get_or_create_global_step(), step.name]}
    first, second = tf.get_variable("w", [2], initializer=ones), tf.get_variable("w", [2], initializer=ones)
    found["twice"] = [first.name, second.name, first is second]
    for kind, reuse in (("true", True), ("auto", tf.AUTO_REUSE)):
        with tf.variable_scope("s", reuse=reuse):
            found["reuse " + kind] = _listed([tf.get_variable("v", [1], initializer=ones)])
    found["unnamed"] = _listed([tf.Variable(1.0), tf.Variable(2.0)])
    for _ in range(2):
        with tf.name_scope("n"):
            found["name scope"] = _listed([tf.Variable(3.0)])
        with tf.variable_scope(None, "default"):
            found["default scope"] = _listed([tf.get_variable("q", [1], initializer=ones)])
    found["collected"] = [len(tf.global_variables()), len(tf.trainable_variables())]
    found["assigned"] = (
        tf.assign(first, [5.0, 6.0]).numpy().tolist() + tf.assign_add(first, [1.0, 1.0]).numpy().tolist()
    )
    return found


def layers(tf, x):
    """Functions make new variables, objects keep theirs."""
    ones = tf.ones_initializer()
    found = {"functions": [tf.layers.dense(x, 2, kernel_initializer=ones).numpy().tolist() for _ in range(2)]}
    dense = tf.layers.Dense(2, kernel_initializer=ones, kernel_regularizer=tf.nn.l2_loss, name="fc")
    for _ in range(2):
        dense(x)
    other = tf.layers.Dense(2, kernel_initializer=ones, name="fc")
    other(x)
    found["dense"] = _listed(dense.trainable_variables) + _listed(other.variables)
    found["losses"] = [[float(each) for each in dense.losses], len(tf.losses.get_regularization_losses())]
    norm = tf.layers.BatchNormalization()
    norm(x, training=True)
    found["norm"] = _listed(norm.trainable_variables) + _listed(norm.non_trainable_variables)
    cell = tf.nn.rnn_cell.BasicLSTMCell(1, name="cell")
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.reshape(x, [1, 3, 2]), dtype=tf.float32)
    found["cell"] = [[list(v.shape.as_list()), v.name] for v in cell.variables] + [outputs.shape.as_list()]
    template = tf.make_template("t", lambda y: y * tf.get_variable("k", [], initializer=ones))
    found["template"] = [float(tf.reduce_sum(template(x) + template(x))), _listed(template.variables)]
    loss = tf.losses.mean_squared_error(x, x * 2)
    found["loss"] = [float(loss), len(tf.losses.get_losses())]
    return found


def training(tf, x, folder):
    """Optimizers, averages and savers."""
    step = tf.train.get_or_create_global_step()
    dense = tf.layers.Dense(1, kernel_initializer=tf.ones_initializer(), name="model")
    dense(x)
    second = tf.Variable([1.0, 2.0], name="second")
    adam = tf.train.AdamOptimizer(0.1)
    losses = []
    for _ in range(3):
        rate = tf.train.exponential_decay(0.1, step, 2, 0.5)
        losses.append([float(tf.reduce_mean(tf.square(dense(x) - 1.0))), float(rate())])
        adam.minimize(lambda: tf.reduce_mean(tf.square(dense(x) - 1.0)), global_step=step)
    adam.minimize(lambda: tf.reduce_sum(second * second))
    average = tf.train.ExponentialMovingAverage(0.5)
    average.apply([second])
    saver = tf.train.Saver({"kernel": dense.kernel, "second": second})
    path = saver.save(None, os.path.join(folder, "model"), global_step=step)
    saved = _listed([dense.kernel])
    dense.kernel.assign([[0.0], [0.0]])
    saver.restore(None, path)
    return {
        "losses": losses,
        "trained": _listed(dense.variables),
        "adam": sorted(_listed(adam.variables())),
        "average": _listed([average.average(second)]),
        "restored": [os.path.basename(path), _listed([dense.kernel]) == saved],
    }


def results(tf, folder):
    """Everything that the program computes, as JSON can hold it."""
    tf.enable_eager_execution()
    x = tf.constant([[0.5, -1.0], [2.0, 0.25], [1.0, 1.5]])
    return {"variables": variables(tf), "layers": layers(tf, x), "training": training(tf, x, folder)}
