import numpy as np
import tensorflow as tf

state = tf.placeholder(tf.float32, [None, 3], name="state")
target = tf.placeholder(tf.float32, [None], name="target")
w = tf.Variable(np.full([3, 1], 0.1), dtype=tf.float32)
bias = tf.Variable(0.0)

value = tf.squeeze(tf.matmul(state, w), axis=1) + bias
error = target - value
loss = tf.reduce_mean(tf.square(error))
step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        batch = np.arange(6.0).reshape(2, 3) + i
        goals = np.ones(2)
        feed = {state: batch, target: goals}
        sess.run(step, feed_dict=feed)
        outcome = sess.run({"loss": loss, "error": error}, feed_dict=feed)
        print(outcome["loss"], outcome["error"])
    results = sess.run([value], feed_dict={state: np.ones([1, 3])})
    print(type(results).__name__, results[0].tolist())
