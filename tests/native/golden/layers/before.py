import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4, 3])
y = tf.placeholder(tf.int32, [None])


def encoder(sequence, units):
    # The last output of the unrolled cell
    cell = tf.nn.rnn_cell.BasicRNNCell(units)
    outputs, state = tf.nn.dynamic_rnn(cell, sequence, dtype=tf.float32)
    return outputs[:, -1]


encoded = encoder(x, 5)
ones = tf.ones_initializer()
hidden = tf.layers.dense(encoded, 4, activation=tf.nn.relu, kernel_initializer=ones)
logits = tf.layers.dense(hidden, 2, kernel_initializer=tf.constant_initializer([[0.1, -0.2]] * 4))

loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
guess = tf.argmax(logits, axis=1)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    batch = np.linspace(-1.0, 1.0, 24).reshape(2, 4, 3)
    for _ in range(3):
        _, value = sess.run([train, loss], {x: batch, y: [0, 1]})
        print(value > 0.0)
    print(sess.run(guess, {x: batch}).shape)
