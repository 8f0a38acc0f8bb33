import os
import tempfile

import tensorflow as tf
import compat

folder = tempfile.mkdtemp()

weights = tf.Variable(tf.ones([2, 3]), name="weights")
store = compat.VariableStore()
optimizer = compat.train.AdamOptimizer(0.1)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32, name="x"),
        tf.TensorSpec([None, 1], tf.float32, name="y"),
    ]
)
def train_step(x, y):
    with store, tf.GradientTape() as tape:
        hidden = compat.layers.dense(tf.matmul(x, weights), 3, tf.nn.relu, kernel_initializer=compat.constant_initializer(0.5))
        loss = tf.reduce_mean(tf.square(tf.reduce_sum(hidden, 1, keepdims=True) - y))
    variables = [weights, *store.trainable_variables]
    gradients = tape.gradient(loss, variables)
    with tf.name_scope("training"):
        optimizer.apply_gradients(zip(gradients, variables))
    return loss


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32, name="x"),
        tf.TensorSpec([None, 1], tf.float32, name="y"),
    ]
)
def compute_loss(x, y):
    with store:
        hidden = compat.layers.dense(tf.matmul(x, weights), 3, tf.nn.relu, kernel_initializer=compat.constant_initializer(0.5))
        loss = tf.reduce_mean(tf.square(tf.reduce_sum(hidden, 1, keepdims=True) - y))
    return loss


# To save and restore all the variables
# The variables of layers and optimizers are made when the functions that use them are traced.
train_step.get_concrete_function()
saver = compat.train.Saver([weights, *store.variables, *optimizer.variables()])

for _ in range(3):
    value = train_step([[1.0, 2.0]], [[1.0]]).numpy()
    print("%.5f" % value)
saved = saver.save(None, os.path.join(folder, "model"), global_step=3)

saver.restore(None, saved)
print("restored: %.5f" % compute_loss([[1.0, 2.0]], [[1.0]]).numpy())
train_step([[1.0, 2.0]], [[1.0]])
print("a step on: %.5f" % compute_loss([[1.0, 2.0]], [[1.0]]).numpy())

for name, shape in tf.train.list_variables(saved):
    print(name, shape)
