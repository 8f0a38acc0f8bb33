"""A perceptron with one hidden layer that learns which of three spirals a point lies on."""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(7)


def spirals(count):
    labels = random.randint(0, 3, count)
    radius = random.rand(count)
    angle = 4.0 * radius + labels * 2.0 * np.pi / 3 + 0.1 * random.randn(count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points.astype(np.float32), np.eye(3, dtype=np.float32)[labels]


# Parameters
learning_rate = 0.01
training_epochs = 8
batch_size = 50
n_hidden = 32

train_x, train_y = spirals(500)
test_x, test_y = spirals(200)

# tf Graph input
x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 3], name="y")

# Store layers weight & bias
weights = {
    "hidden": tf.Variable(random.randn(2, n_hidden).astype(np.float32), name="hidden"),
    "out": tf.Variable(0.3 * random.randn(n_hidden, 3).astype(np.float32), name="out"),
}
biases = {
    "hidden": tf.Variable(tf.zeros([n_hidden])),
    "out": tf.Variable(tf.zeros([3])),
}


def multilayer_perceptron(points):
    hidden = tf.nn.relu(tf.add(tf.matmul(points, weights["hidden"]), biases["hidden"]))
    return tf.matmul(hidden, weights["out"]) + biases["out"]


# Construct model
logits = multilayer_perceptron(x)
cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y))
optimizer = tf.train.AdamOptimizer(learning_rate=learning_rate).minimize(cost)

# Test model
correct_prediction = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))

init = tf.global_variables_initializer()

costs = []
with tf.Session() as sess:
    sess.run(init)

    for epoch in range(training_epochs):
        for start in range(0, len(train_x), batch_size):
            batch_x, batch_y = train_x[start:start + batch_size], train_y[start:start + batch_size]
            _, c = sess.run([optimizer, cost], feed_dict={x: batch_x, y: batch_y})
            costs.append(c)
        print("epoch %d: cost %.6f" % (epoch + 1, costs[-1]))

    test_accuracy = sess.run(accuracy, feed_dict={x: test_x, y: test_y})
    print("accuracy: %.3f" % test_accuracy)
    final = sess.run(logits, feed_dict={x: test_x})
