import tensorflow as tf
import compat

n_hidden = 3

weights = {
    "h1": tf.Variable(tf.ones([2, n_hidden])),
    "out": tf.Variable(tf.ones([n_hidden, 1]) * 0.5, name="Variable_1"),
}
biases = {
    "h1": tf.Variable(tf.zeros([n_hidden]), name="Variable_2"),
    "out": tf.Variable(tf.zeros([1]), name="Variable_3"),
}


def layer(x, name):
    # One linear layer
    return tf.matmul(x, weights[name]) + biases[name]


def perceptron(x):
    hidden = tf.sigmoid(layer(x, "h1"))
    return layer(hidden, "out")


optimizer = compat.train.GradientDescentOptimizer(0.1)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None, 1], tf.float32),
    ]
)
def train_step(X, Y):
    with tf.GradientTape() as tape:
        output = perceptron(X)
        cost = tf.reduce_sum(tf.pow(output - Y, 2)) / (2 * n_hidden)
    variables = [*weights.values(), *biases.values()]
    gradients = tape.gradient(cost, variables)
    optimizer.apply_gradients(zip(gradients, variables))


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None, 1], tf.float32),
    ]
)
def compute_cost(X, Y):
    output = perceptron(X)
    cost = tf.reduce_sum(tf.pow(output - Y, 2)) / (2 * n_hidden)
    return cost


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def predict(X):
    output = perceptron(X)
    return output


for _ in range(5):
    train_step([[0, 1], [1, 0]], [[1], [0]])
    print("%.6f" % compute_cost([[0, 1], [1, 0]], [[1], [0]]).numpy())
print("%.5f" % predict([[1, 1]]).numpy()[0, 0])
