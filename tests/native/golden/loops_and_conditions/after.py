"""A polynomial with a penalty, built by loops and a condition."""

import numpy as np
import tensorflow as tf
import compat

DEGREE = 3
PENALTY = "ridge"

weights = [tf.Variable(0.5), tf.Variable(-0.25, name="Variable_1"), tf.Variable(0.125, name="Variable_2")]

optimizer = compat.train.GradientDescentOptimizer(0.1)


def loss_of(x, y):
    # One term for each power
    predicted = tf.zeros([])
    for power in range(DEGREE):
        predicted += weights[power] * tf.pow(x, float(power))

    # Large weights cost something
    if PENALTY == "lasso":
        penalty = tf.add_n([tf.abs(weight) for weight in weights])
    elif PENALTY == "ridge":
        penalty = 0.0
        for weight in weights:
            penalty += tf.square(weight)
    else:
        raise ValueError(PENALTY)

    loss = tf.reduce_mean(tf.square(predicted - y)) + 0.01 * penalty
    return loss


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None], tf.float32),
        tf.TensorSpec([None], tf.float32),
    ]
)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    variables = [*weights]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))


@tf.function(
    input_signature=[
        tf.TensorSpec([None], tf.float32),
        tf.TensorSpec([None], tf.float32),
    ]
)
def compute_loss(x, y):
    loss = loss_of(x, y)
    return loss


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def predict(x):
    # One term for each power
    predicted = tf.zeros([])
    for power in range(DEGREE):
        predicted += weights[power] * tf.pow(x, float(power))
    return predicted


def powers_of(value, count):
    found = {}
    for power in range(count):
        value = value * value
        found[power] = tf.reduce_sum(value)
    return found


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def compute_sums_and_sums(x):
    # One term for each power
    predicted = tf.zeros([])
    for power in range(DEGREE):
        predicted += weights[power] * tf.pow(x, float(power))

    sums = powers_of(predicted, 2)
    return sums[0], sums[1]


points = np.linspace(-1.0, 1.0, 5)
for _ in range(3):
    train_step(points, points ** 2)
    print(compute_loss(points, points ** 2).numpy())
print(predict(points).numpy().tolist())
for total in [value.numpy() for value in compute_sums_and_sums(points)]:
    print(float(total))
