import numpy as np
import tensorflow as tf

images = np.cos(np.arange(60.0)).reshape(6, 10)
labels = np.eye(3)[[0, 1, 2, 0, 1, 2]]

X = tf.placeholder(tf.float32, [None, 10])
Y = tf.placeholder(tf.float32, [None, 3])
keep_prob = tf.placeholder(tf.float32)

W1 = tf.Variable(np.sin(np.arange(40.0, dtype=np.float32)).reshape(10, 4))
b1 = tf.Variable(tf.zeros([4]))
W2 = tf.Variable(np.arange(12.0, dtype=np.float32).reshape(4, 3) * 0.1)
b2 = tf.Variable(np.array([0.1, 0.2, 0.3], np.float32))

hidden = tf.nn.relu(tf.matmul(X, W1) + b1)
hidden = tf.nn.dropout(hidden, keep_prob=keep_prob)
logits = tf.matmul(hidden, W2) + b2

cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=Y, logits=logits))
optimizer = tf.train.AdamOptimizer(0.05).minimize(cost)

correct = tf.equal(tf.argmax(logits, 1), tf.argmax(Y, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

sess = tf.Session()
sess.run(tf.global_variables_initializer())

for epoch in range(3):
    feed_dict = {X: images, Y: labels, keep_prob: 1.0}
    c, _ = sess.run([cost, optimizer], feed_dict=feed_dict)
    print("cost = {:.5f}".format(c))

print("accuracy", sess.run(accuracy, feed_dict={X: images, Y: labels, keep_prob: 1}))
print("class", sess.run(tf.argmax(logits, 1), feed_dict={X: images[:2], keep_prob: 1}))
