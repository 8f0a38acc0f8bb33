"""Trains one model on several GPUs, and looks at single ones of them beside."""
import numpy as np
import tensorflow as tf

COUNT = 2
ROWS = 4


def start(shape, dtype=None, partition_info=None):
    size = int(np.prod([int(length) for length in shape]))
    return np.cos(np.arange(size, dtype=np.float32)).reshape([int(length) for length in shape])


def net(x, reuse, training):
    # All towers have the same variables.
    with tf.variable_scope("net", reuse=reuse):
        hidden = tf.layers.dense(x, 5, tf.nn.tanh, kernel_initializer=start)
        hidden = tf.layers.dropout(hidden, 0.0, training=training)
        out = tf.layers.dense(hidden, 3, kernel_initializer=start)
        out = out if training else tf.nn.softmax(out)
    return out


def mean_of(towers):
    result = []
    for pairs in zip(*towers):
        grads = [tf.expand_dims(g, 0) for g, _ in pairs]
        result.append((tf.reduce_mean(tf.concat(grads, 0), 0), pairs[0][1]))
    return result


# Where variables are, if not on the first GPU.
VARIABLES = ["Variable", "VariableV2"]


def device_of(device, variables="/cpu:0"):
    def choose(op):
        node_def = op if isinstance(op, tf.NodeDef) else op.node_def
        if node_def.op in VARIABLES:
            return variables
        else:
            return device

    return choose


# What is on no GPU.
with tf.device("/cpu:0"):
    tower_grads = []
    again = False

    features = tf.placeholder(tf.float32, [None, 3])
    labels = tf.placeholder(tf.int64, [None])

    for k in range(COUNT):
        with tf.device(device_of("/gpu:{}".format(k), variables="/cpu:0")):
            # Each tower has its rows.
            x = features[k * ROWS : (k + 1) * ROWS]
            y = labels[k * ROWS : (k + 1) * ROWS]

            trained = net(x, again, training=True)
            # The same for looking at it.
            seen = net(x, reuse=True, training=False)

            loss_op = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=trained))
            size = tf.reduce_sum(trained * trained)
            optimizer = tf.train.AdamOptimizer(0.05)
            grads = optimizer.compute_gradients(loss_op)

            # The first tower stands for all.
            if k == 0:
                right = tf.equal(tf.argmax(seen, 1), y)
                accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
                surest = tf.reduce_max(seen)

            again = True
            tower_grads.append(grads)

    tower_grads = mean_of(tower_grads)
    train_op = optimizer.apply_gradients(tower_grads)
    init = tf.global_variables_initializer()

    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        sess.run(init)
        random = np.random.RandomState(5)
        for _ in range(6):
            rows, wanted = random.randn(COUNT * ROWS, 3), random.randint(0, 3, [COUNT * ROWS])
            sess.run(train_op, feed_dict={features: rows, labels: wanted})
            # The last tower's loss, the first one's accuracy.
            loss, acc = sess.run([loss_op, accuracy], feed_dict={features: rows, labels: wanted})
            sure, big, fit = sess.run([surest, size, accuracy], feed_dict={features: rows, labels: wanted})
            print("%.5f %.5f %.5f %.5f %.5f" % (loss, acc, sure, big, fit))
        tests, classes = random.randn(12, 3), random.randint(0, 3, [12])
        print(
            "%.5f" % np.mean([sess.run(accuracy, feed_dict={features: tests[k : k + 4], labels: classes[k : k + 4]}) for k in range(0, 12, 4)])
        )
        print("%.5f" % sess.run(loss_op, {features: tests, labels: classes}))
