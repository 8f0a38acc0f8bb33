import tensorflow as tf

n_hidden = 3

weights = {
    "h1": tf.Variable(tf.ones([2, n_hidden])),
    "out": tf.Variable(tf.ones([n_hidden, 1]) * 0.5),
}
biases = {
    "h1": tf.Variable(tf.zeros([n_hidden])),
    "out": tf.Variable(tf.zeros([1])),
}


def layer(x, name):
    # One linear layer
    return tf.matmul(x, weights[name]) + biases[name]


def perceptron(x):
    hidden = tf.sigmoid(layer(x, "h1"))
    return layer(hidden, "out")


X = tf.placeholder("float", [None, 2])
Y = tf.placeholder("float", [None, 1])
output = perceptron(X)
cost = tf.reduce_sum(tf.pow(output - Y, 2)) / (2 * n_hidden)
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(cost)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        sess.run(train_op, feed_dict={X: [[0, 1], [1, 0]], Y: [[1], [0]]})
        print("%.6f" % sess.run(cost, feed_dict={X: [[0, 1], [1, 0]], Y: [[1], [0]]}))
    print("%.5f" % sess.run(output, feed_dict={X: [[1, 1]]})[0, 0])
