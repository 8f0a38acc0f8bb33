import os
import tempfile

import numpy as np
import tensorflow as tf
import compat

folder = tempfile.mkdtemp()

kernel = tf.Variable(compat.constant_initializer(0.5)([2, 3]), name="kernel")
weights = tf.Variable(compat.constant_initializer(0.25)([3, 1]), name="weights")

global_step = tf.Variable(0, dtype=tf.int64, trainable=False, name="global_step")
optimizer = compat.train.AdamOptimizer(0.05)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32, name="x"),
        tf.TensorSpec([None, 1], tf.float32, name="y"),
    ]
)
def train_step(x, y):
    with tf.GradientTape() as tape:
        prediction = tf.matmul(tf.nn.relu(tf.matmul(x, kernel)), weights)
        loss = tf.reduce_mean(tf.square(prediction - y))
    variables = [kernel, weights]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables), global_step=global_step)
    return loss, global_step.read_value()


batches = iter([np.array([[1.0, 2.0], [0.5, 0.0]], np.float32)] * 20)
hooks = [
    compat.train.StopAtStepHook(last_step=7),
    compat.train.LoggingTensorHook({"step": global_step, "loss": "loss"}, every_n_iter=3),
    compat.train.NanTensorHook("loss"),
]
# The variables of layers and optimizers are made when the functions that use them are traced.
train_step.get_concrete_function()
with compat.train.TrainingLoop(
    checkpoint_dir=folder,
    variables=[kernel, weights, global_step, *optimizer.variables()],
    global_step=global_step,
    hooks=hooks,
    save_checkpoint_steps=3,
) as loop:
    while not loop.should_stop():
        batch = next(batches)
        value, at = (value.numpy() for value in train_step(batch, batch[:, :1]))
        loop.after_run(loss=value)
        print(at, "%.6f" % value)

for name in sorted(os.listdir(folder)):
    if name.endswith(".index"):
        print(name)
for name, shape in tf.train.list_variables(tf.train.latest_checkpoint(folder)):
    print(name, shape)
