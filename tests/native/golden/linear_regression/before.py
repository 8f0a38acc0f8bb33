import numpy as np
import tensorflow as tf

xs = np.linspace(-1.0, 1.0, 8)
ys = 3.0 * xs + 0.5

# Model input and output
x = tf.placeholder(tf.float32, [None], name="x")
y = tf.placeholder(tf.float32, [None])

# Model parameters
W = tf.Variable([0.3], name="W")
b = tf.Variable([-0.3], name="b")

# The line
predicted = W * x + b

# Mean squared error
loss = tf.reduce_mean(tf.square(predicted - y))
train = tf.train.GradientDescentOptimizer(learning_rate=0.1).minimize(loss)

with tf.Session() as sess:
    # Variables get their first values here.
    sess.run(tf.global_variables_initializer())

    for step in range(20):
        _, loss_value, W_value = sess.run([train, loss, W], feed_dict={x: xs, y: ys})
        if step % 5 == 0:
            print(step, loss_value, W_value)

    print(sess.run(predicted, feed_dict={x: [0.25, 0.75]}), sess.run([W, b]))
