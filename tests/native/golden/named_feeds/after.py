import numpy as np
import tensorflow as tf
import compat

w = tf.Variable(np.full([3, 1], 0.1), dtype=tf.float32)
bias = tf.Variable(0.0, name="Variable_1")

optimizer = compat.train.GradientDescentOptimizer(0.01)


def compute_error_and_loss(state, target):
    value = tf.squeeze(tf.matmul(state, w), axis=1) + bias
    error = target - value
    loss = tf.reduce_mean(tf.square(error))
    return error, loss


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 3], tf.float32, name="state"),
        tf.TensorSpec([None], tf.float32, name="target"),
    ]
)
def train_step(state, target):
    with tf.GradientTape() as tape:
        error, loss = compute_error_and_loss(state, target)
    variables = [w, bias]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 3], tf.float32, name="state"),
        tf.TensorSpec([None], tf.float32, name="target"),
    ]
)
def compute_loss_and_error(state, target):
    error, loss = compute_error_and_loss(state, target)
    return {"loss": loss, "error": error}


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="state")])
def compute_value(state):
    value = tf.squeeze(tf.matmul(state, w), axis=1) + bias
    return value


for i in range(3):
    batch = np.arange(6.0).reshape(2, 3) + i
    goals = np.ones(2)
    train_step(batch, goals)
    outcome = {key: value.numpy() for key, value in compute_loss_and_error(batch, goals).items()}
    print(outcome["loss"], outcome["error"])
results = [compute_value(np.ones([1, 3])).numpy()]
print(type(results).__name__, results[0].tolist())
