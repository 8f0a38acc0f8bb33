"""A polynomial with a penalty, built by loops and a condition."""

import numpy as np
import tensorflow as tf

DEGREE = 3
PENALTY = "ridge"

x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [None])
weights = [tf.Variable(0.5), tf.Variable(-0.25), tf.Variable(0.125)]

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
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def powers_of(value, count):
    found = {}
    for power in range(count):
        value = value * value
        found[power] = tf.reduce_sum(value)
    return found


sums = powers_of(predicted, 2)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    points = np.linspace(-1.0, 1.0, 5)
    for _ in range(3):
        sess.run(train_op, {x: points, y: points ** 2})
        print(sess.run(loss, {x: points, y: points ** 2}))
    print(sess.run(predicted, {x: points}).tolist())
    for total in sess.run([sums[0], sums[1]], {x: points}):
        print(float(total))
