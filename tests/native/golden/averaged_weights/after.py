import os
import tempfile

import tensorflow as tf
import compat

W = tf.Variable(tf.zeros([2, 1]), name="W")
b = tf.Variable(tf.zeros([1]), name="b")


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32, name="x"),
        tf.TensorSpec([None, 1], tf.float32, name="y"),
    ]
)
def compute_loss(x, y):
    loss = tf.reduce_mean(tf.square(tf.matmul(x, W) + b - y))
    return loss


global_step = tf.Variable(0, trainable=False, name="global_step")
optimizer = compat.train.GradientDescentOptimizer(0.02)

# The weights wander at the end of training; their average is what we keep
ema = compat.train.ExponentialMovingAverage(decay=0.99, num_updates=global_step)
ema.create_averages([W, b])


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32, name="x"),
        tf.TensorSpec([None, 1], tf.float32, name="y"),
    ]
)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, W) + b - y))
    variables = [W, b]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables), global_step=global_step)
    ema.apply([W, b])
    return loss


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
def compute_smooth(x):
    smooth = tf.matmul(x, ema.average(W)) + ema.average(b)
    return smooth


@tf.function
def use_averages():
    W.assign(ema.average(W))
    b.assign(ema.average(b))


# The variables of layers and optimizers are made when the functions that use them are traced.
train_step.get_concrete_function()
saver = compat.train.Saver([W, b, global_step, ema.average(W), ema.average(b), *optimizer.variables()])

data, target = [[1, 2], [3, 4], [5, 6]], [[1], [2], [4]]
for step in range(4):
    value = train_step(data, target).numpy()
    print("step %d: %.5f" % (step, value))
print("smooth", compute_smooth(data[:1]).numpy())
path = saver.save(None, os.path.join(tempfile.mkdtemp(), "model"))
use_averages()
print("W", W.numpy().ravel(), "loss", compute_loss(data, target).numpy())

for name, shape in tf.train.list_variables(path):
    print(name, shape)
