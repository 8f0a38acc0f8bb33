"""The towers of `towers_program` as two replicas of one `MirroredStrategy`, on two devices of this process.

Prints the losses and names as `towers_program` gives them, what a checkpoint brings back, and what is refused.
"""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

import compat

REPLICAS, STEPS = 2, 6


class Training:
    """The step of all replicas; each replica computes what a tower did, by the same code."""

    def __init__(self, strategy):
        self.strategy = strategy
        self.store = compat.VariableStore()
        self.step = tf.function(lambda rows, wanted: strategy.run(self.replica_step, (rows, wanted)))
        with strategy.scope():
            self.store.build(lambda: strategy.run(self.replica_step, (tf.zeros([4, 3]), tf.zeros([4, 1]))))

    def replica_step(self, rows, wanted):
        with self.store:
            count = compat.train.get_or_create_global_step()
            hidden = compat.get_variable("hidden", initializer=np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
            out = compat.get_variable("out", initializer=np.linspace(1, -1, 4).reshape(4, 1).astype(np.float32))
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(rows, hidden)), out) - wanted))
            # TF1 left open whether the averages come before the update; there they did.
            averages = compat.train.ExponentialMovingAverage(0.5, count)
            averages.apply(compat.trainable_variables())
            averages.apply([loss])
            # An optimizer for each replica, as each tower's code would make one; gradients are summed over replicas.
            optimizer = compat.train.MomentumOptimizer(compat.train.exponential_decay(0.1, count, 2, 0.7), 0.9)
            optimizer.minimize(loss / REPLICAS, count)
        return loss

    def losses(self, rows, wanted):
        found = self.step(self.share(rows), self.share(wanted))
        return [float(loss) for loss in self.strategy.experimental_local_results(found)]

    def share(self, batch):
        parts = np.split(batch, REPLICAS)
        take = self.strategy.experimental_distribute_values_from_function
        return take(lambda context: tf.constant(parts[context.replica_id_in_sync_group]))

    def values(self):
        """Each variable's value, which all replicas must agree about."""
        found = {}
        for variable in self.store.variables:
            copies = [copy.numpy() for copy in self.strategy.experimental_local_results(variable)]
            np.testing.assert_array_equal(*copies, err_msg=variable.name)
            found[variable.name.split(":")[0]] = copies[0].tolist()
        return found


def saved_and_restored(training, batches):
    """The values of a checkpoint, and the variables after more steps and the checkpoint's return."""
    saver = compat.train.Saver(training.store)
    with tempfile.TemporaryDirectory() as folder:
        path = saver.save(None, os.path.join(folder, "model"))
        reader = tf.train.load_checkpoint(path)
        held = {name: reader.get_tensor(name).tolist() for name in reader.get_variable_to_shape_map()}
        training.losses(*batches)
        changed = training.values() != held
        saver.restore(None, path)
    return held, changed, training.values()


def refusal(call):
    try:
        call()
    except (NotImplementedError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def refused(training):
    """What would make the copies of a variable differ, or has no replica to run in."""
    count, out = training.store.find("global_step"), training.store.find("out")
    run = training.strategy.run

    def without_store():
        return run(lambda: compat.get_variable("w", []))

    def inside(update):
        with training.strategy.scope():
            return run(lambda: update(tf.distribute.get_replica_context().replica_id_in_sync_group))

    gradients = [(tf.ones_like(out), out)]
    return {
        "outside": refusal(lambda: compat.train.GradientDescentOptimizer(0.1).apply_gradients(gradients)),
        "no store": refusal(without_store),
        "rows": refusal(lambda: inside(lambda number: compat.scatter_update(out, [0], [[1.0]]))),
        "assign": refusal(lambda: inside(lambda number: compat.assign(count, tf.cast(number, tf.int64)))),
    }


def main():
    devices = [tf.config.LogicalDeviceConfiguration()] * REPLICAS
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], devices)
    training = Training(tf.distribute.MirroredStrategy([f"CPU:{number}" for number in range(REPLICAS)]))
    random = np.random.RandomState(2)
    x, y = random.randn(STEPS, 8, 3).astype(np.float32), random.randn(STEPS, 8, 1).astype(np.float32)
    losses = [training.losses(rows, wanted) for rows, wanted in zip(x, y, strict=True)]
    held, changed, restored = saved_and_restored(training, (x[0], y[0]))
    compat.assign(training.store.find("global_step"), 40)
    assigned = training.values()["global_step"]
    training.store.initialize()
    print(
        json.dumps(
            {
                "losses": losses,
                "held": held,
                "changed": changed,
                "restored": restored,
                "assigned": assigned,
                "initial": training.values(),
                "refused": refused(training),
            }
        )
    )


if __name__ == "__main__":
    main()
