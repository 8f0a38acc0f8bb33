"""One training run under each of TF 1.15's managers, for TF 1.15 (`tf`) or the shims alike; it can come to grief.

    python recovery_program.py MANAGER FOLDER LAST_STEP [TROUBLE AT_STEP]

TROUBLE is `kill` (the process is gone before that step), `kill_writing` (it is gone in the middle of the next
checkpoint) or `full` (the next checkpoint does not fit on the disk). Prints the variables after LAST_STEP.
"""

import json
import os
import resource
import signal
import sys
import types

import numpy as np

# Above the size of the event files, below that of a checkpoint.
ROOM = 200000


def make_trouble(kind):
    if kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "kill_writing":
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))


def model(tf):
    random = np.random.RandomState(3)
    x = tf.constant(random.randn(8, 300).astype(np.float32))
    y = tf.constant(random.randn(8, 200).astype(np.float32))
    # The rows of small numbers are tiled in the graph: event files hold the graph, and must stay below ROOM.
    start = tf.tile(tf.constant((random.randn(1, 200) / 20).astype(np.float32)), [300, 1])
    w = tf.get_variable("w", initializer=start)
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    step = tf.train.get_or_create_global_step()
    return step, loss, tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)


def hook_of(tf, trouble):
    class Trouble(tf.train.SessionRunHook):
        def begin(self):
            self.step = tf.train.get_global_step()

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(self.step)

        def after_run(self, run_context, run_values):
            if trouble and run_context.session.run(self.step) == trouble[1]:
                make_trouble(trouble[0])

    return Trouble()


def monitored(tf, folder, last, trouble):
    with tf.Graph().as_default():
        _, _, op = model(tf)
        hooks = [hook_of(tf, trouble), tf.train.StopAtStepHook(last_step=last)]
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=4, save_checkpoint_secs=None
        ) as session:
            while not session.should_stop():
                session.run(op)


def estimator(tf, folder, last, trouble):
    def model_fn(features, labels, mode):
        _, loss, op = model(tf)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op, training_hooks=[hook_of(tf, trouble)])

    config = tf.estimator.RunConfig(save_checkpoints_steps=4)
    inputs = {"rows": np.zeros([100, 1], np.float32)}
    input_fn = tf.estimator.inputs.numpy_input_fn(inputs, batch_size=1, shuffle=False)
    tf.estimator.Estimator(model_fn, folder, config).train(input_fn, max_steps=last)


def supervisor(tf, folder, last, trouble):
    with tf.Graph().as_default():
        step, _, op = model(tf)
        manager = tf.train.Supervisor(logdir=folder, save_model_secs=0, save_summaries_secs=0)
        with manager.managed_session() as session:
            while not manager.should_stop():
                now = session.run(step)
                if now % 4 == 0:
                    manager.saver.save(session, manager.save_path, global_step=now)
                if now >= last:
                    break
                session.run(op)
                if trouble and now + 1 == trouble[1]:
                    make_trouble(trouble[0])
            manager.saver.save(session, manager.save_path, global_step=session.run(step))


def run(tf, manager, folder, last, trouble):
    {"monitored": monitored, "estimator": estimator, "supervisor": supervisor}[manager](tf, folder, last, trouble)
    reader = tf.train.load_checkpoint(folder)
    values = {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}
    return {name: value.ravel()[:50].tolist() for name, value in values.items()}


class Shims:
    """What the programs call `tf`: the shims where there are such, TensorFlow 2 for the rest."""

    def __init__(self, path=()):
        self._path = path

    def __getattr__(self, name):
        import tensorflow

        import compat

        path = (*self._path, name)
        found = [thing for thing in (member(compat, path), member(tensorflow, path)) if thing is not None]
        if not found:
            raise AttributeError(".".join(path))
        return Shims(path) if all(isinstance(thing, types.ModuleType) for thing in found) else found[0]


def member(thing, path):
    for name in path:
        thing = getattr(thing, name, None)
    return thing


def main(manager, folder, last, *trouble):
    import tensorflow

    tf = tensorflow if tensorflow.__version__.startswith("1.") else Shims()
    print(json.dumps(run(tf, manager, folder, int(last), (trouble[0], int(trouble[1])) if trouble else None)))


if __name__ == "__main__":
    main(*sys.argv[1:])
