import numpy as np
import tensorflow as tf
import compat


def weight_variable(shape):
    initial = tf.constant(0.1, shape=shape)
    return compat.Variable(initial)


def add_layer(inputs, in_size, out_size, activation_function=None):
    # One more layer, and its output
    weights = compat.Variable(tf.ones([in_size, out_size]) * 0.5, name="weights")
    biases = compat.Variable(tf.zeros([1, out_size]) + 0.1, name="biases")
    outputs = tf.matmul(inputs, weights) + biases
    if activation_function is None:
        return outputs
    return activation_function(outputs)


x_data = np.linspace(-1.0, 1.0, 10)[:, np.newaxis].astype(np.float32)
y_data = np.square(x_data) - 0.5

store = compat.VariableStore()
optimizer = compat.train.GradientDescentOptimizer(0.1)


def compute_prediction(xs):
    hidden = add_layer(xs, 1, 4, activation_function=tf.nn.relu)
    scale = weight_variable([4])
    prediction = add_layer(hidden * scale, 4, 1)
    return prediction


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 1], tf.float32),
        tf.TensorSpec([None, 1], tf.float32),
    ]
)
def train_step(xs, ys):
    with store, tf.GradientTape() as tape:
        prediction = compute_prediction(xs)

        loss = tf.reduce_mean(tf.reduce_sum(tf.square(ys - prediction), axis=[1]))
    variables = store.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 1], tf.float32),
        tf.TensorSpec([None, 1], tf.float32),
    ]
)
def compute_loss(xs, ys):
    with store:
        prediction = compute_prediction(xs)

        loss = tf.reduce_mean(tf.reduce_sum(tf.square(ys - prediction), axis=[1]))
    return loss


@tf.function(input_signature=[tf.TensorSpec([None, 1], tf.float32)])
def predict(xs):
    with store:
        prediction = compute_prediction(xs)
    return prediction


for i in range(10):
    train_step(x_data, y_data)
    if i % 5 == 0:
        print("%.6f" % compute_loss(x_data, y_data).numpy())
print(np.round(predict(x_data[:2]).numpy(), 4).tolist())
