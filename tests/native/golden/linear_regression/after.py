import numpy as np
import tensorflow as tf
import compat

xs = np.linspace(-1.0, 1.0, 8)
ys = 3.0 * xs + 0.5

# Model parameters
W = tf.Variable([0.3], name="W")
b = tf.Variable([-0.3], name="b")

optimizer = compat.train.GradientDescentOptimizer(learning_rate=0.1)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None], tf.float32, name="x"),
        tf.TensorSpec([None], tf.float32),
    ]
)
def train_step(x, y):
    with tf.GradientTape() as tape:
        # The line
        predicted = W * x + b

        # Mean squared error
        loss = tf.reduce_mean(tf.square(predicted - y))
    variables = [W, b]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss, W.read_value()


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="x")])
def predict(x):
    # The line
    predicted = W * x + b
    return predicted


for step in range(20):
    loss_value, W_value = (value.numpy() for value in train_step(xs, ys))
    if step % 5 == 0:
        print(step, loss_value, W_value)

print(predict([0.25, 0.75]).numpy(), [W.numpy(), b.numpy()])
