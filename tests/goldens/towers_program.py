"""Towers in a loop over devices, shared variables, averaged gradients: for TF 1.15 (`tf`) or the shims alike."""

import json
import sys

import numpy as np

STEPS = 6


def average(tf, tower_gradients):
    """The mean of each variable's gradients, as multi-GPU programs of the time wrote it."""
    averaged = []
    for pairs in zip(*tower_gradients):  # noqa: B905 - Python 3.7
        gradients = [tf.expand_dims(gradient, 0) for gradient, _ in pairs]
        averaged.append((tf.reduce_mean(tf.concat(gradients, axis=0), 0), pairs[0][1]))
    return averaged


def tower(tf, scope, x, y):
    hidden = tf.get_variable("hidden", initializer=np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
    out = tf.get_variable("out", initializer=np.linspace(1, -1, 4).reshape(4, 1).astype(np.float32))
    losses = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, hidden)), out) - y), name="loss")
    tf.add_to_collection("losses", losses)
    return tf.add_n(tf.get_collection("losses", scope), name="total")


def run(tf, count):
    """Losses of the towers at each step, final variables, the variables' names, and where the towers' work ran."""
    random = np.random.RandomState(2)
    x, y = random.randn(STEPS, 8, 3).astype(np.float32), random.randn(STEPS, 8, 1).astype(np.float32)
    with tf.Graph().as_default(), tf.device("/cpu:0"):
        step = tf.train.get_or_create_global_step()
        features, labels = tf.placeholder(tf.float32, [8, 3]), tf.placeholder(tf.float32, [8, 1])
        rate = tf.train.exponential_decay(0.1, step, 2, 0.7)
        optimizer = tf.train.MomentumOptimizer(rate, 0.9)
        gradients, losses = [], []
        with tf.variable_scope(tf.get_variable_scope()):
            parts = zip(tf.split(features, count), tf.split(labels, count))  # noqa: B905
            for number, (rows, wanted) in enumerate(parts):
                with tf.device(f"/cpu:{number}"), tf.name_scope(f"tower_{number}") as scope:
                    losses.append(tower(tf, scope, rows, wanted))
                    tf.get_variable_scope().reuse_variables()
                    gradients.append(optimizer.compute_gradients(losses[-1]))
        train = optimizer.apply_gradients(average(tf, gradients), global_step=step)
        averages = tf.train.ExponentialMovingAverage(0.5, step)
        train = tf.group(train, averages.apply(tf.trainable_variables()))
        config = tf.ConfigProto(device_count={"CPU": count}, allow_soft_placement=False)
        with tf.Session(config=config) as session:
            session.run(tf.global_variables_initializer())
            options, metadata = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), tf.RunMetadata()
            seen = []
            for rows, wanted in zip(x, y):  # noqa: B905
                feeds = {features: rows, labels: wanted}
                _, found = session.run([train, losses], feeds, options=options, run_metadata=metadata)
                seen.append([float(loss) for loss in found])
            values = session.run(tf.global_variables())
        devices = sorted(
            {stats.device.split("device:")[-1] for stats in metadata.step_stats.dev_stats if stats.node_stats}
        )
        names = [variable.op.name for variable in tf.global_variables()]
        return {"losses": seen, "values": [np.asarray(value).tolist() for value in values], "names": names}, devices


def main(count):
    import tensorflow

    from tests.goldens import recovery_program

    tf = tensorflow if tensorflow.__version__.startswith("1.") else recovery_program.Shims()
    print(json.dumps(run(tf, int(count))))


if __name__ == "__main__":
    main(*sys.argv[1:])
