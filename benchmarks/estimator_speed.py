"""A training step under `compat.estimator` against a bare `tf.function` step, and against TF 1.15.5's own Estimator.

    python benchmarks/estimator_speed.py [LEGACY_PYTHON]

All train one small conv net on the same batches. The Estimator and the bare step take turns step by step, so that what
else the machine does meets both alike; the ratio is the median over these pairs, without building and the first steps,
of the time that passed and of the processor time that all threads took (which other processes do not add to).
LEGACY_PYTHON (or TF_MIGRATE_LEGACY_PYTHON) is an interpreter with TensorFlow 1.15.5, which takes turns with the others
by rounds of steps; without it that side is left out.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROUNDS, STEPS, WARM, BATCH = 5, 60, 15, 64
RATE = 0.01


def data():
    random = np.random.RandomState(0)
    return random.rand(BATCH * 4, 28, 28, 1).astype(np.float32), random.randint(0, 10, BATCH * 4).astype(np.int64)


def make_model_fn(tf):
    """The model, for TF 1.15 (`tf`) or the shims alike."""

    import tensorflow

    relu = tensorflow.nn.relu

    def model_fn(features, labels, mode):
        net = tf.layers.conv2d(features["x"], 32, 5, padding="same", activation=relu)
        net = tf.layers.max_pooling2d(net, 2, 2)
        net = tf.layers.conv2d(net, 64, 5, padding="same", activation=relu)
        net = tf.layers.flatten(tf.layers.max_pooling2d(net, 2, 2))
        logits = tf.layers.dense(net, 10)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        optimizer = tf.train.GradientDescentOptimizer(RATE)
        op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op)

    return model_fn


def estimator_steps(tf, between):
    """Pairs (passed seconds, processor seconds) of each step of `Estimator.train`; `between` is called after each."""
    pairs, start = [], []

    class Clock(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            if start:
                pairs.append((time.perf_counter() - start[0], time.process_time() - start[1]))
            between()
            start[:] = time.perf_counter(), time.process_time()

    x, y = data()
    config = tf.estimator.RunConfig(save_checkpoints_secs=3600, log_step_count_steps=1000, save_summary_steps=1000)
    inputs = tf.estimator.inputs.numpy_input_fn({"x": x}, y, BATCH, num_epochs=None, shuffle=False)
    with tempfile.TemporaryDirectory() as folder:
        tf.estimator.Estimator(make_model_fn(tf), folder, config).train(inputs, hooks=[Clock()], steps=STEPS)
    return pairs[WARM:]


class Shims:
    """`tf` of the model: the shims where there are such, TensorFlow 2 for the rest."""

    def __getattr__(self, name):
        import tensorflow

        import compat

        return getattr(compat if hasattr(compat, name) else tensorflow, name)


def make_bare_step():
    """A `tf.function` over the same net, as a person would write it in TensorFlow 2."""
    import tensorflow as tf

    shapes = ([5, 5, 1, 32], [32], [5, 5, 32, 64], [64], [7 * 7 * 64, 10], [10])
    variables = [tf.Variable(tf.random.normal(shape, stddev=0.05)) for shape in shapes]
    count = tf.Variable(0, dtype=tf.int64)

    @tf.function(input_signature=[tf.TensorSpec([None, 28, 28, 1]), tf.TensorSpec([None], tf.int64)])
    def step(x, y):
        first, first_bias, second, second_bias, dense, dense_bias = variables
        with tf.GradientTape() as tape:
            net = tf.nn.relu(tf.nn.conv2d(x, first, 1, "SAME") + first_bias)
            net = tf.nn.max_pool2d(net, 2, 2, "VALID")
            net = tf.nn.relu(tf.nn.conv2d(net, second, 1, "SAME") + second_bias)
            net = tf.reshape(tf.nn.max_pool2d(net, 2, 2, "VALID"), [-1, 7 * 7 * 64])
            logits = net @ dense + dense_bias
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(RATE * gradient)
        count.assign_add(1)
        return loss

    return step


def both_steps():
    """Steps under `compat.estimator` and bare ones in turn, each as `estimator_steps` gives them."""
    import tensorflow as tf

    # Made here: in the hook it is called beside a graph that is being built, where tapes record nothing.
    step = make_bare_step()
    step.get_concrete_function()
    batches = iter(tf.data.Dataset.from_tensor_slices(data()).repeat().batch(BATCH))
    pairs = []

    def bare():
        with tf.init_scope():
            start = time.perf_counter(), time.process_time()
            step(*next(batches)).numpy()
            pairs.append((time.perf_counter() - start[0], time.process_time() - start[1]))

    ours = estimator_steps(Shims(), bare)
    return ours, pairs[-len(ours) - 1 : -1]


def legacy_steps(python):
    """Steps of TF 1.15.5's Estimator, in a process of its own."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "TF2_BEHAVIOR")}
    done = subprocess.run(
        [python, os.path.abspath(__file__), "--legacy"], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def median(pairs, clock):
    """The median of one of the two clocks."""
    return statistics.median(pair[clock] for pair in pairs)


def told(name, rounds, ours):
    """A line for one side: medians, and the median of our time over its own, step by step or round by round."""
    passed, used = (statistics.median(median(pairs, clock) for pairs in rounds) * 1e3 for clock in (0, 1))
    text = f"{name:16s} {passed:7.2f} ms a step, {used:7.2f} ms of processor time"
    if rounds is not ours:
        ratios = [statistics.median(ratios_of(clock, ours, rounds)) for clock in (0, 1)]
        text += f"   ratio {ratios[0]:.3f}, processor {ratios[1]:.3f}"
    return text


def ratios_of(clock, ours, others):
    """Our time over another side's: for each two steps side by side, else for each round."""
    for our, other in zip(ours, others, strict=True):
        if len(our) == len(other):
            yield from (one[clock] / two[clock] for one, two in zip(our, other, strict=True))
        else:
            yield median(our, clock) / median(other, clock)


def main(python):
    ours, bare, legacy = [], [], []
    for _ in range(ROUNDS):
        for side, steps in zip((ours, bare), both_steps(), strict=True):
            side.append(steps)
        if python:
            legacy.append(legacy_steps(python))
    print(told("compat.estimator", ours, ours))
    print(told("bare tf.function", bare, ours))
    if legacy:
        print(told("TF 1.15.5", legacy, ours))


if __name__ == "__main__":
    if sys.argv[1:] == ["--legacy"]:
        import tensorflow

        print(json.dumps(estimator_steps(tensorflow, lambda: None)))
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("TF_MIGRATE_LEGACY_PYTHON"))
