import numpy as np
import tensorflow as tf

features = np.linspace(-1.0, 1.0, 20, dtype=np.float32).reshape(10, 2)
labels = np.sum(features, axis=1)


def normalize(row, label):
    return row / 2.0, label + 1.0


dataset = tf.data.Dataset.from_tensor_slices((features, labels))
dataset = dataset.map(normalize).batch(4).repeat(2)
iterator = dataset.make_one_shot_iterator()
x, y = iterator.get_next()

w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
loss = tf.reduce_mean(tf.square(tf.reduce_sum(x * w, axis=1) - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
counter = tf.data.Dataset.range(100).make_one_shot_iterator().get_next()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    # The first batch is only looked at.
    first_x, first_y = sess.run([x, y])
    print(first_x.tolist(), first_y.tolist())
    print(sess.run(w), sess.run(counter))
    while True:
        try:
            _, value = sess.run([train, loss])
            print(value)
        except tf.errors.OutOfRangeError:
            print("end", sess.run(counter))
            break
    print(sess.run(w))
    print(sess.run(loss, {x: features, y: labels}))
