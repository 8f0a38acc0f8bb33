"""Training of several workers with `compat`'s variables and optimizers under a strategy of `tf.distribute`.

    TF_CONFIG=... python replica_program.py FOLDER [STEP]

One process of a cluster. The model and the batches are those of `towers_program`. Prints the global loss of each step
after those that the checkpoints in FOLDER hold. A process with STEP is gone before that step.
"""

import json
import os
import signal
import sys

import numpy as np
import tensorflow as tf

import compat

SIZE, STEPS = 8, 6


def loss_of(rows, wanted):
    hidden = compat.get_variable("hidden", initializer=np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
    out = compat.get_variable("out", initializer=np.linspace(1, -1, 4).reshape(4, 1).astype(np.float32))
    return tf.reduce_sum(tf.square(tf.matmul(tf.nn.relu(tf.matmul(rows, hidden)), out) - wanted)) / SIZE


def make_step(strategy):
    store = compat.VariableStore()

    def replica_step(rows, wanted):
        with store:
            count = compat.train.get_or_create_global_step()
            optimizer = compat.train.MomentumOptimizer(compat.train.exponential_decay(0.1, count, 2, 0.7), 0.9)
            with tf.GradientTape() as tape:
                loss = loss_of(rows, wanted)
            variables = store.members(compat.GraphKeys.TRAINABLE_VARIABLES)
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True), count)
        return tf.distribute.get_replica_context().all_reduce("sum", loss)

    part = [SIZE // strategy.num_replicas_in_sync]
    with strategy.scope():
        store.build(lambda: strategy.run(replica_step, (tf.zeros([*part, 3]), tf.zeros([*part, 1]))))
    return store, tf.function(lambda rows, wanted: strategy.run(replica_step, (rows, wanted)))


def main(folder, stop=None):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    task, count = strategy.cluster_resolver.task_id, strategy.num_replicas_in_sync
    random = np.random.RandomState(2)
    x, y = (random.randn(STEPS, SIZE, width).astype(np.float32) for width in (3, 1))
    store, step = make_step(strategy)
    (done,) = store.members(compat.GraphKeys.GLOBAL_STEP)
    saved = tf.train.Checkpoint(store=store)
    # Each process writes files of its own; all begin from the first one's.
    manager = tf.train.CheckpointManager(saved, os.path.join(folder, str(task)), max_to_keep=2)
    saved.restore(tf.train.latest_checkpoint(os.path.join(folder, "0")))
    losses = []
    for number in range(int(done.numpy()), STEPS):
        if stop is not None and number == int(stop):
            os.kill(os.getpid(), signal.SIGKILL)
        share = [tf.constant(np.split(batch[number], count)[task]) for batch in (x, y)]
        losses.append(float(step(*share)))
        manager.save()
    print(json.dumps(losses))


if __name__ == "__main__":
    main(*sys.argv[1:])
