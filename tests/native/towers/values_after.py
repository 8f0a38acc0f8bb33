"""Trains one model on several GPUs, and looks at single ones of them beside."""
import numpy as np
import tensorflow as tf
import compat

COUNT = 2
ROWS = 4


def start(shape, dtype=None, partition_info=None):
    size = int(np.prod([int(length) for length in shape]))
    return np.cos(np.arange(size, dtype=np.float32)).reshape([int(length) for length in shape])


def net(x, reuse, training):
    # All towers have the same variables.
    with compat.variable_scope("net", reuse=reuse):
        hidden = compat.layers.dense(x, 5, tf.nn.tanh, kernel_initializer=start)
        hidden = compat.layers.dropout(hidden, 0.0, training=training)
        out = compat.layers.dense(hidden, 3, kernel_initializer=start)
        out = out if training else tf.nn.softmax(out)
    return out


towers_2 = compat.train.Towers(["/gpu:{}".format(k) for k in range(COUNT)])


@towers_2.replicated(tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([None], tf.int64))
def tower(k, features, labels):
    again = k > 0
    # Each tower has its rows.
    x = features[k * ROWS : (k + 1) * ROWS]
    y = labels[k * ROWS : (k + 1) * ROWS]

    trained = net(x, again, training=True)

    loss_op = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=trained))
    optimizer = compat.train.AdamOptimizer(0.05)
    grads = optimizer.compute_gradients(loss_op / towers_2.count)
    optimizer.apply_gradients(grads)
    return loss_op


@tf.function(input_signature=tower.signature)
def train_step(features, labels):
    return tower(features, labels)[-1]


@tf.function(input_signature=tower.signature)
def compute_loss(features, labels):
    k = towers_2.count - 1
    again = k > 0
    with tf.device("/gpu:{}".format(k)), towers_2.store:
        # Each tower has its rows.
        x = features[k * ROWS : (k + 1) * ROWS]
        y = labels[k * ROWS : (k + 1) * ROWS]

        trained = net(x, again, training=True)

        loss_op = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=trained))
    return loss_op


@tf.function(input_signature=tower.signature)
def compute_accuracy(features, labels):
    k = 0
    with tf.device("/gpu:{}".format(k)), towers_2.store:
        # Each tower has its rows.
        x = features[k * ROWS : (k + 1) * ROWS]
        y = labels[k * ROWS : (k + 1) * ROWS]

        # The same for looking at it.
        seen = net(x, reuse=True, training=False)

        # The first tower stands for all.
        right = tf.equal(tf.argmax(seen, 1), y)
        accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
        surest = tf.reduce_max(seen)
    return accuracy


@tf.function(input_signature=tower.signature)
def compute_surest_and_accuracy(features, labels):
    k = 0
    with tf.device("/gpu:{}".format(k)), towers_2.store:
        # Each tower has its rows.
        x = features[k * ROWS : (k + 1) * ROWS]
        y = labels[k * ROWS : (k + 1) * ROWS]

        # The same for looking at it.
        seen = net(x, reuse=True, training=False)

        # The first tower stands for all.
        right = tf.equal(tf.argmax(seen, 1), y)
        accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
        surest = tf.reduce_max(seen)
    return surest, accuracy


@tf.function(input_signature=tower.signature)
def compute_size(features, labels):
    k = towers_2.count - 1
    again = k > 0
    with tf.device("/gpu:{}".format(k)), towers_2.store:
        # Each tower has its rows.
        x = features[k * ROWS : (k + 1) * ROWS]

        trained = net(x, again, training=True)

        size = tf.reduce_sum(trained * trained)
    return size


@tf.function(input_signature=tower.signature)
def compute_loss_and_accuracy(features, labels):
    loss_op = compute_loss(features, labels)
    accuracy = compute_accuracy(features, labels)
    return loss_op, accuracy


@tf.function(input_signature=tower.signature)
def compute_surest_and_size_and_accuracy(features, labels):
    surest, accuracy = compute_surest_and_accuracy(features, labels)
    size = compute_size(features, labels)
    return surest, size, accuracy


random = np.random.RandomState(5)
for _ in range(6):
    rows, wanted = random.randn(COUNT * ROWS, 3), random.randint(0, 3, [COUNT * ROWS])
    train_step(rows, wanted)
    # The last tower's loss, the first one's accuracy.
    loss, acc = (value.numpy() for value in compute_loss_and_accuracy(rows, wanted))
    sure, big, fit = (value.numpy() for value in compute_surest_and_size_and_accuracy(rows, wanted))
    print("%.5f %.5f %.5f %.5f %.5f" % (loss, acc, sure, big, fit))
tests, classes = random.randn(12, 3), random.randint(0, 3, [12])
print(
    "%.5f" % np.mean([compute_accuracy(tests[k : k + 4], classes[k : k + 4]).numpy() for k in range(0, 12, 4)])
)
print("%.5f" % compute_loss(tests, classes).numpy())
