import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
weights = tf.Variable(tf.ones([2, 3]), name="weights")
hidden = tf.layers.dense(tf.matmul(x, weights), 3, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.5))
loss = tf.reduce_mean(tf.square(tf.reduce_sum(hidden, 1, keepdims=True) - y))
with tf.name_scope("training"):
    train = tf.train.AdamOptimizer(0.1).minimize(loss)

# To save and restore all the variables
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, value = sess.run([train, loss], {x: [[1.0, 2.0]], y: [[1.0]]})
        print("%.5f" % value)
    saved = saver.save(sess, os.path.join(folder, "model"), global_step=3)

with tf.Session() as sess:
    saver.restore(sess, saved)
    print("restored: %.5f" % sess.run(loss, {x: [[1.0, 2.0]], y: [[1.0]]}))
    sess.run(train, {x: [[1.0, 2.0]], y: [[1.0]]})
    print("a step on: %.5f" % sess.run(loss, {x: [[1.0, 2.0]], y: [[1.0]]}))

for name, shape in tf.train.list_variables(saved):
    print(name, shape)
