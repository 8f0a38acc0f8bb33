"""Two lessons in one script: each initializes all variables, and so begins anew."""

import tensorflow as tf
import compat

rate = 0.1
sizes = [2, 1]
weights = {"w": tf.Variable(tf.ones(sizes) * 0.5, name="w")}
b = tf.Variable([0.25], name="b")
steps = tf.Variable(0, trainable=False, name="steps")
optimizer = compat.train.GradientDescentOptimizer(rate)


@compat.fast_dispatch
@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def train_step(x):
    with tf.GradientTape() as tape:
        y = tf.matmul(x, weights["w"]) + b
        loss = tf.reduce_mean(tf.square(y - 1.0))
    variables = [weights['w'], b]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables), global_step=steps)


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def compute_loss(x):
    y = tf.matmul(x, weights["w"]) + b
    loss = tf.reduce_mean(tf.square(y - 1.0))
    return loss


for _ in range(3):
    train_step([[1.0, 2.0]])
print("%.5f %d" % (compute_loss([[1.0, 2.0]]).numpy(), steps.numpy()))

# A second model over the first
v = tf.Variable(3.0, name="v")


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def compute_z(x):
    y = tf.matmul(x, weights["w"]) + b
    z = v * y
    return z


# All of it begins anew
weights['w'].assign(tf.ones(sizes) * 0.5)
b.assign([0.25])
steps.assign(0)
print("%.5f %d" % (compute_loss([[1.0, 2.0]]).numpy(), steps.numpy()))
print("%.5f" % compute_z([[1.0, 2.0]]).numpy()[0, 0])
train_step([[1.0, 2.0]])
print("%.5f %d" % (compute_loss([[1.0, 2.0]]).numpy(), steps.numpy()))
