import numpy as np
import tensorflow as tf
import compat

images = np.cos(np.arange(60.0)).reshape(6, 10)
labels = np.eye(3)[[0, 1, 2, 0, 1, 2]]

W1 = tf.Variable(np.sin(np.arange(40.0, dtype=np.float32)).reshape(10, 4))
b1 = tf.Variable(tf.zeros([4]), name="Variable_1")
W2 = tf.Variable(np.arange(12.0, dtype=np.float32).reshape(4, 3) * 0.1, name="Variable_2")
b2 = tf.Variable(np.array([0.1, 0.2, 0.3], np.float32), name="Variable_3")

optimizer = compat.train.AdamOptimizer(0.05)


def compute_logits(X, keep_prob):
    hidden = tf.nn.relu(tf.matmul(X, W1) + b1)
    hidden = tf.nn.dropout(hidden, rate=1 - keep_prob)
    logits = tf.matmul(hidden, W2) + b2
    return logits


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 10], tf.float32),
        tf.TensorSpec([None, 3], tf.float32),
        tf.TensorSpec(None, tf.float32),
    ]
)
def train_step(X, Y, keep_prob):
    with tf.GradientTape() as tape:
        logits = compute_logits(X, keep_prob)

        cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.stop_gradient(Y), logits=logits))
    variables = [W1, b1, W2, b2]
    gradients = tape.gradient(cost, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return cost


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 10], tf.float32),
        tf.TensorSpec([None, 3], tf.float32),
        tf.TensorSpec(None, tf.float32),
    ]
)
def compute_accuracy(X, Y, keep_prob):
    logits = compute_logits(X, keep_prob)

    correct = tf.equal(tf.argmax(logits, 1), tf.argmax(Y, 1))
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
    return accuracy


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 10], tf.float32),
        tf.TensorSpec(None, tf.float32),
    ]
)
def compute_logits_argmax(X, keep_prob):
    logits = compute_logits(X, keep_prob)
    return tf.argmax(logits, 1)


for epoch in range(3):
    c = train_step(images, labels, 1.0).numpy()
    print("cost = {:.5f}".format(c))

print("accuracy", compute_accuracy(images, labels, 1).numpy())
print("class", compute_logits_argmax(images[:2], 1).numpy())
