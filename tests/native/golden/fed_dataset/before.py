import numpy as np
import tensorflow as tf

inputs = np.arange(12.0).reshape(6, 2)
targets = np.arange(6.0)

features = tf.placeholder(tf.float32, [None, 2])
labels = tf.placeholder(tf.float32, [None])

# Create the data loader
dataset = tf.data.Dataset.from_tensor_slices((features, labels))
dataset = dataset.map(lambda row, label: (row / 10.0, label))
dataset = dataset.shuffle(6, seed=1).batch(2)
iterator = dataset.make_initializable_iterator()
x, y = iterator.get_next()

w = tf.Variable([[0.5], [0.25]], name="w")
prediction = tf.matmul(x, w)[:, 0]
loss = tf.reduce_mean(tf.square(prediction - y))
train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        sess.run(iterator.initializer, feed_dict={features: inputs, labels: targets + epoch})
        while True:
            try:
                _, value = sess.run([train, loss])
                print(epoch, value)
            except tf.errors.OutOfRangeError:
                break
    # New data, with another number of rows
    sess.run(iterator.initializer, feed_dict={features: inputs[:3], labels: targets[:3]})
    print(sess.run(prediction).shape, sess.run(y).shape)
    print(sess.run(w).tolist())
