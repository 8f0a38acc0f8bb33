"""Steps on two devices of one process: as towers, and in the replicas of a `tf.distribute.MirroredStrategy`."""

import json

import tensorflow as tf

import compat

DEVICES = ["/cpu:0", "/cpu:1"]


def two_towers():
    """One variable, a loss on each device, the mean of their gradients: losses of two calls, the variable, devices."""
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [4], "x")
        optimizer = compat.train.GradientDescentOptimizer(0.5)
        losses, gradients = [], []
        for number, device in enumerate(DEVICES):
            with compat.device(device), compat.variable_scope("tower", reuse=number > 0):
                w = compat.get_variable("w", [], initializer=compat.ones_initializer())
                losses.append(tf.reduce_mean(w * x[2 * number :][:2]))
                gradients.append(optimizer.compute_gradients(losses[-1])[0][0])
        step = compat.step(losses, x, updates=optimizer.apply_gradients([(tf.add_n(gradients) / 2, w)]))
    found = [[float(loss) for loss in step([1, 2, 3, 4])] for _ in range(2)]
    return found, float(w.numpy()), [loss.device[-5:] for loss in losses]


def in_replicas():
    """A step of updates in `strategy.run`: each replica makes it, one after the other, on the one variable."""
    strategy = tf.distribute.MirroredStrategy(DEVICES)
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.float32, [None], "x")
        w = compat.get_variable("w", [], initializer=compat.ones_initializer())
        scaled_step = compat.step(w * x, x)
        count_step = compat.step(updates=compat.assign_add(w, 1.0))

    @tf.function(autograph=False)
    def scale(rows):
        return strategy.run(lambda part: scaled_step(part), (rows,))

    @tf.function(autograph=False)
    def count():
        strategy.run(lambda: count_step())

    count()
    shared = strategy.experimental_distribute_values_from_function(
        lambda replica: tf.constant([[1.0, 2.0], [3.0, 4.0]][replica.replica_id_in_sync_group])
    )
    parts = [part.numpy().tolist() for part in strategy.experimental_local_results(scale(shared))]
    return parts, float(w.numpy())


def optimizer_in_a_scope():
    """What an optimizer says in `strategy.scope()`, in a store and on the bridge: there is one variable, no copies."""
    told = []
    for graph in (compat.VariableStore(), compat.Graph().as_default()):
        with tf.distribute.MirroredStrategy(DEVICES).scope(), graph, compat.building():
            w = compat.get_variable("w", [], initializer=compat.ones_initializer())
            try:
                compat.train.GradientDescentOptimizer(0.5).minimize(w * 2.0)
            except NotImplementedError as error:
                told.append(str(error))
    return told


if __name__ == "__main__":
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    found = {"towers": two_towers(), "replicas": in_replicas(), "scope": optimizer_in_a_scope()}
    print(json.dumps(found))
