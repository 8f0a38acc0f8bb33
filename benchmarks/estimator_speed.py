"""A training step under `compat.estimator` against a bare `tf.function` step, and against TF 1.15.5's own Estimator.

    python benchmarks/estimator_speed.py [LEGACY_PYTHON]

All train one small conv net on the same batches. The sides take turns in one run; each prints the median time from one
step to the next, without building and the first steps. LEGACY_PYTHON (or TF_MIGRATE_LEGACY_PYTHON) is an interpreter
with TensorFlow 1.15.5; without it that side is left out.
"""

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


def estimator_step(tf):
    """Median seconds a step of `Estimator.train`."""
    moments = []

    class Clock(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            moments.append(time.perf_counter())

    x, y = data()
    config = tf.estimator.RunConfig(save_checkpoints_secs=3600, log_step_count_steps=1000, save_summary_steps=1000)
    inputs = tf.estimator.inputs.numpy_input_fn({"x": x}, y, BATCH, num_epochs=None, shuffle=False)
    with tempfile.TemporaryDirectory() as folder:
        tf.estimator.Estimator(make_model_fn(tf), folder, config).train(inputs, hooks=[Clock()], steps=STEPS)
    return statistics.median(np.diff(moments[WARM:]))


class Shims:
    """`tf` of the model: the shims where there are such, TensorFlow 2 for the rest."""

    def __getattr__(self, name):
        import tensorflow

        import compat

        return getattr(compat if hasattr(compat, name) else tensorflow, name)


def bare_step():
    """Median seconds a step of a `tf.function` over the same net, as a person would write it in TensorFlow 2."""
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

    moments = []
    for x, y in tf.data.Dataset.from_tensor_slices(data()).repeat().batch(BATCH).take(STEPS):
        step(x, y).numpy()
        moments.append(time.perf_counter())
    return statistics.median(np.diff(moments[WARM:]))


def legacy_step(python):
    """Median seconds a step of TF 1.15.5's Estimator, in a process of its own."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "TF2_BEHAVIOR")}
    done = subprocess.run(
        [python, os.path.abspath(__file__), "--legacy"], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout.splitlines()[-1])


def ratios(ours, others):
    """The median over rounds of our time against another's, for each round's pair."""
    return statistics.median(our / other for our, other in zip(ours, others, strict=True))


def main(python):
    ours, bare, legacy = [], [], []
    for _ in range(ROUNDS):
        ours.append(estimator_step(Shims()))
        bare.append(bare_step())
        if python:
            legacy.append(legacy_step(python))
    print(f"compat.estimator {statistics.median(ours) * 1e3:7.2f} ms a step")
    print(f"bare tf.function {statistics.median(bare) * 1e3:7.2f} ms a step   ratio {ratios(ours, bare):.2f}")
    if legacy:
        print(f"TF 1.15.5        {statistics.median(legacy) * 1e3:7.2f} ms a step   ratio {ratios(ours, legacy):.2f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--legacy"]:
        import tensorflow

        print(estimator_step(tensorflow))
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("TF_MIGRATE_LEGACY_PYTHON"))
