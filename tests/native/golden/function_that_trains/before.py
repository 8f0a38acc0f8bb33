"""A program whose graph is built and run by one function, as most programs have it."""
import numpy as np
import tensorflow as tf


def predict(inputs, slope, offset):
    return inputs * slope + offset


def train(learning_rate, steps):
    # What is measured, and what it should be
    x = tf.placeholder(tf.float32, shape=[None], name="x")
    y = tf.placeholder(tf.float32, shape=[None], name="y")

    slope = tf.Variable(0.0, name="slope")
    offset = tf.Variable(0.0, name="offset")
    prediction = predict(x, slope, offset)

    # The mean of the squared errors
    loss = tf.reduce_mean(tf.square(prediction - y))
    train_op = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss)

    points = np.linspace(0.0, 2.0, 5).astype(np.float32)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(steps):
            _, value = sess.run([train_op, loss], feed_dict={x: points, y: 3.0 * points})
            print("step %d: %.4f" % (step, value))
        print(np.round(sess.run(prediction, {x: [1.0, 2.0]}), 4).tolist())


if __name__ == "__main__":
    train(learning_rate=0.05, steps=4)
