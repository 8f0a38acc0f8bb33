import numpy as np
import tensorflow as tf


def weight_variable(shape):
    initial = tf.constant(0.1, shape=shape)
    return tf.Variable(initial)


def add_layer(inputs, in_size, out_size, activation_function=None):
    # One more layer, and its output
    weights = tf.Variable(tf.ones([in_size, out_size]) * 0.5, name="weights")
    biases = tf.Variable(tf.zeros([1, out_size]) + 0.1, name="biases")
    outputs = tf.matmul(inputs, weights) + biases
    if activation_function is None:
        return outputs
    return activation_function(outputs)


x_data = np.linspace(-1.0, 1.0, 10)[:, np.newaxis].astype(np.float32)
y_data = np.square(x_data) - 0.5

xs = tf.placeholder(tf.float32, [None, 1])
ys = tf.placeholder(tf.float32, [None, 1])

hidden = add_layer(xs, 1, 4, activation_function=tf.nn.relu)
scale = weight_variable([4])
prediction = add_layer(hidden * scale, 4, 1)

loss = tf.reduce_mean(tf.reduce_sum(tf.square(ys - prediction), reduction_indices=[1]))
train_step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(10):
    sess.run(train_step, feed_dict={xs: x_data, ys: y_data})
    if i % 5 == 0:
        print("%.6f" % sess.run(loss, feed_dict={xs: x_data, ys: y_data}))
print(np.round(sess.run(prediction, feed_dict={xs: x_data[:2]}), 4).tolist())
