"""A fully convolutional net that says where the brightest of several blobs lies, for images of any size.

Context comes from a spatial pyramid: the feature map is pooled to 1, 2 and 3 regions along both axes, each is brought
back to the size of the image, and all are stacked. Sizes are unknown while the graph is built, so regions are cut out
by masks and not by the window of a pooling layer.
"""

import numpy as np
import tensorflow as tf

random = np.random.RandomState(5)


def scenes(count, height, width):
    rows, columns = np.mgrid[0:height, 0:width]
    images = 0.1 * random.rand(count, height, width, 1)
    targets = np.zeros((count, height, width, 1))
    for image, target in zip(images, targets):
        for strength in (0.4, 1.0):
            y, x = random.randint(height), random.randint(width)
            image[:, :, 0] += strength * np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 2.0)
        target[:, :, 0] = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 2.0)
    return images.astype(np.float32), targets.astype(np.float32)


def region_masks(images, size):
    eye = tf.eye(size * size, batch_shape=[1])
    masks = tf.reshape(eye, [1, size, size, size * size])
    return tf.image.resize_nearest_neighbor(masks, tf.shape(images)[1:3])


def avg_spp_layer(images, size, name):
    with tf.variable_scope(name):
        mask = tf.expand_dims(region_masks(images, size), 3)
        parts = tf.multiply(tf.expand_dims(images, 4), mask)
        pooled = tf.reduce_sum(parts, axis=[1, 2]) / tf.reduce_sum(mask, axis=[1, 2])
        pooled = tf.reshape(pooled, [-1, images.get_shape()[3].value, size, size])
        pooled = tf.transpose(pooled, [0, 2, 3, 1])
        return tf.image.resize_bilinear(pooled, tf.shape(images)[1:3], name="upsampled")


def max_spp_layer(images, size, name):
    with tf.variable_scope(name):
        mask = tf.expand_dims(region_masks(images, size), 3)
        parts = tf.expand_dims(images, 4) - 1e6 * (1.0 - mask)
        pooled = tf.reduce_max(parts, axis=[1, 2])
        pooled = tf.reshape(pooled, [-1, images.get_shape()[3].value, size, size])
        pooled = tf.transpose(pooled, [0, 2, 3, 1])
        return tf.image.resize_bilinear(pooled, tf.shape(images)[1:3], name="upsampled")


def net(images):
    kernel = tf.constant_initializer(0.2 * random.randn(3, 3, 1, 6))
    features = tf.layers.conv2d(images, 6, 3, padding="same", activation=tf.nn.relu, kernel_initializer=kernel)
    levels = [features]
    for size in (1, 2, 3):
        levels.append(avg_spp_layer(features, size, "average_%d" % size))
        levels.append(max_spp_layer(features, size, "max_%d" % size))
    together = tf.concat(levels, axis=3)
    last = tf.constant_initializer(0.1 * random.randn(1, 1, 42, 1))
    return tf.layers.conv2d(together, 1, 1, kernel_initializer=last, name="head")


image = tf.placeholder(tf.float32, [None, None, None, 1], name="image")
heat = tf.placeholder(tf.float32, [None, None, None, 1], name="heat")
prediction = net(image)
loss = tf.reduce_mean(tf.squared_difference(prediction, heat))
train_op = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(30):
        height, width = ((8, 12), (9, 9), (7, 11))[step % 3]
        batch_image, batch_heat = scenes(8, height, width)
        _, value = sess.run([train_op, loss], {image: batch_image, heat: batch_heat})
        if step % 10 == 9:
            print("step %d: loss %.4f" % (step + 1, value))
    for height, width in ((6, 6), (10, 7), (16, 5)):
        test_image, test_heat = scenes(4, height, width)
        found, value = sess.run([prediction, loss], {image: test_image, heat: test_heat})
        print("%d x %d: loss %.4f, map %s" % (height, width, value, found.shape))
