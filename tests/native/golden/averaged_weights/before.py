import os
import tempfile

import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")

W = tf.Variable(tf.zeros([2, 1]), name="W")
b = tf.Variable(tf.zeros([1]), name="b")
loss = tf.reduce_mean(tf.square(tf.matmul(x, W) + b - y))

global_step = tf.Variable(0, trainable=False, name="global_step")
train_step = tf.train.GradientDescentOptimizer(0.02).minimize(loss, global_step=global_step)

# The weights wander at the end of training; their average is what we keep
ema = tf.train.ExponentialMovingAverage(decay=0.99, num_updates=global_step)
with tf.control_dependencies([train_step]):
    train_op = ema.apply([W, b])

smooth = tf.matmul(x, ema.average(W)) + ema.average(b)
use_averages = tf.group(W.assign(ema.average(W)), b.assign(ema.average(b)))
saver = tf.train.Saver()

data, target = [[1, 2], [3, 4], [5, 6]], [[1], [2], [4]]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(4):
        _, value = sess.run([train_op, loss], {x: data, y: target})
        print("step %d: %.5f" % (step, value))
    print("smooth", sess.run(smooth, {x: data[:1]}))
    path = saver.save(sess, os.path.join(tempfile.mkdtemp(), "model"))
    sess.run(use_averages)
    print("W", sess.run(W).ravel(), "loss", sess.run(loss, {x: data, y: target}))

for name, shape in tf.train.list_variables(path):
    print(name, shape)
