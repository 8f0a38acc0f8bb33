"""The training loop that every tutorial had: placeholders, an InteractiveSession, .eval and .run, dropout by keep_prob."""

import numpy as np
import tensorflow as tf

batch_size = 20
side = 8
classes = 3


class Stripes:
    """Images with horizontal, vertical or diagonal stripes, in the manner of mnist.train.next_batch."""

    def __init__(self, count, seed):
        random = np.random.RandomState(seed)
        rows, columns = np.mgrid[:side, :side]
        patterns = np.stack([rows % 4 < 2, columns % 4 < 2, (rows + columns) % 4 < 2]).astype(np.float32)
        self.labels = random.randint(0, classes, count).astype(np.int32)
        noise = 0.4 * random.randn(count, side, side)
        self.images = (patterns[self.labels] + noise).astype(np.float32)[..., np.newaxis]
        self.position = 0

    def next_batch(self, size):
        if self.position + size > len(self.images):
            self.position = 0
        chosen = slice(self.position, self.position + size)
        self.position += size
        return self.images[chosen], self.labels[chosen]


def weight_variable(shape):
    initial = tf.truncated_normal(shape, stddev=0.1)
    return tf.Variable(initial)


def bias_variable(shape):
    initial = tf.constant(0.1, shape=shape)
    return tf.Variable(initial)


def conv2d(x, W):
    return tf.nn.conv2d(x, W, strides=[1, 1, 1, 1], padding='SAME')


def max_pool_2x2(x):
    return tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')


def inference(images, keep_prob):
    W_conv1 = weight_variable([3, 3, 1, 8])
    b_conv1 = bias_variable([8])
    h_conv1 = tf.nn.relu(conv2d(images, W_conv1) + b_conv1)
    h_pool1 = max_pool_2x2(h_conv1)

    W_conv2 = weight_variable([3, 3, 8, 16])
    b_conv2 = bias_variable([16])
    h_conv2 = tf.nn.relu(conv2d(h_pool1, W_conv2) + b_conv2)
    h_pool2 = max_pool_2x2(h_conv2)

    W_fc1 = weight_variable([2 * 2 * 16, 32])
    b_fc1 = bias_variable([32])
    h_pool2_flat = tf.reshape(h_pool2, [-1, 2 * 2 * 16])
    h_fc1 = tf.nn.relu(tf.matmul(h_pool2_flat, W_fc1) + b_fc1)
    h_fc1_drop = tf.nn.dropout(h_fc1, keep_prob)

    W_fc2 = weight_variable([32, classes])
    b_fc2 = bias_variable([classes])
    return tf.matmul(h_fc1_drop, W_fc2) + b_fc2


stripes = Stripes(200, seed=0)
test = Stripes(60, seed=1)

sess = tf.InteractiveSession()

image_holder = tf.placeholder(tf.float32, [None, side, side, 1])
label_holder = tf.placeholder(tf.int32, [None])
keepprob_holder = tf.placeholder(tf.float32)

logits = inference(image_holder, keepprob_holder)

cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=label_holder)
loss = tf.reduce_mean(cross_entropy, name='cross_entropy')
train_step = tf.train.AdamOptimizer(1e-2).minimize(loss)

correct_prediction = tf.equal(tf.argmax(logits, 1), tf.cast(label_holder, tf.int64))
accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))

tf.global_variables_initializer().run()

for i in range(30):
    image_batch, label_batch = stripes.next_batch(batch_size)
    if i % 10 == 0:
        train_accuracy = accuracy.eval(feed_dict={
            image_holder: image_batch, label_holder: label_batch, keepprob_holder: 1.0})
        print("step %d, training accuracy %g" % (i, train_accuracy))
    train_step.run(feed_dict={image_holder: image_batch, label_holder: label_batch, keepprob_holder: 0.5})

print("test loss %.5f" % loss.eval({image_holder: test.images, label_holder: test.labels, keepprob_holder: 1.0}))
print("test accuracy %g" % accuracy.eval(feed_dict={
    image_holder: test.images, label_holder: test.labels, keepprob_holder: 1.0}))
