"""Tells rising from falling sequences with a stack of LSTM cells that static_rnn unrolls."""

import numpy as np
import tensorflow as tf

time_steps = 6
features = 2
hidden = 8


def sequences(count, seed):
    random = np.random.RandomState(seed)
    labels = random.randint(0, 2, count)
    slope = (2 * labels - 1) * 0.3
    ramp = slope[:, None, None] * np.arange(time_steps)[None, :, None]
    values = ramp + 0.2 * random.randn(count, time_steps, features)
    return values.astype(np.float32), np.eye(2, dtype=np.float32)[labels]


def RNN(x, weights, biases):
    # (batch, time, features) -> a list of (batch, features), one a step
    x = tf.unstack(x, time_steps, 1)
    cells = [tf.nn.rnn_cell.LSTMCell(hidden, use_peepholes=True), tf.nn.rnn_cell.LSTMCell(hidden)]
    stack = tf.nn.rnn_cell.MultiRNNCell(cells)
    outputs, states = tf.nn.static_rnn(stack, x, dtype=tf.float32)
    return tf.matmul(outputs[-1], weights['out']) + biases['out']


X = tf.placeholder("float", [None, time_steps, features])
Y = tf.placeholder("float", [None, 2])

weights = {'out': tf.Variable(tf.random_normal([hidden, 2]))}
biases = {'out': tf.Variable(tf.random_normal([2]))}

logits = RNN(X, weights, biases)
loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=Y))
train_op = tf.train.RMSPropOptimizer(0.01).minimize(loss_op)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(Y, 1)), tf.float32))

train_x, train_y = sequences(40, seed=0)
test_x, test_y = sequences(20, seed=1)

sess = tf.Session()
sess.run(tf.initialize_all_variables())
for step in range(1, 11):
    sess.run(train_op, feed_dict={X: train_x, Y: train_y})
    if step % 5 == 0:
        loss, acc = sess.run([loss_op, accuracy], feed_dict={X: train_x, Y: train_y})
        print("Step %d, loss %.4f, accuracy %.3f" % (step, loss, acc))
print("Testing accuracy: %.3f" % sess.run(accuracy, feed_dict={X: test_x, Y: test_y}))
sess.close()
