"""Learns to undo a blur. The convolutions are meant for the GPU, the gates and the loss for XLA, nothing for the CPU."""

from __future__ import print_function

import numpy as np
import tensorflow as tf

SIZE = 12


def blurred(images):
    padded = np.pad(images, [(0, 0), (1, 1), (1, 1), (0, 0)], mode="edge")
    shifted = [padded[:, i : i + SIZE, j : j + SIZE] for i in range(3) for j in range(3)]
    return np.mean(shifted, axis=0)


def conv(images, channels, name):
    shape = [3, 3, images.shape[-1].value, channels]
    kernel = tf.get_variable(name + "/kernel", shape, initializer=tf.truncated_normal_initializer(stddev=0.2))
    bias = tf.get_variable(name + "/bias", [channels], initializer=tf.zeros_initializer())
    return tf.nn.bias_add(tf.nn.conv2d(images, kernel, [1, 1, 1, 1], "SAME"), bias)


def sharpen(images):
    with tf.device("/gpu:0"):
        hidden = tf.tanh(conv(images, 8, "first"))
        with tf.device("/device:XLA_GPU:0"):
            gate = tf.sigmoid(hidden - tf.reduce_mean(hidden, [1, 2], keep_dims=True))
            hidden = hidden * gate
        return images + conv(hidden, 1, "second")


graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(1)
    images = tf.placeholder(tf.float32, [None, SIZE, SIZE, 1], name="images")
    targets = tf.placeholder(tf.float32, [None, SIZE, SIZE, 1], name="targets")
    result = sharpen(images)
    with tf.device("/device:XLA_GPU:0"):
        loss = tf.reduce_mean(tf.square(result - targets)) + 0.1 * tf.reduce_mean(tf.abs(result - targets))
    train = tf.train.MomentumOptimizer(0.02, 0.9).minimize(loss)
    with tf.device("/gpu:0"):
        # uint8 has no max-pooling on a GPU
        pixels = tf.cast(tf.clip_by_value(result, 0.0, 1.0) * 255.0, tf.uint8)
        coarse = tf.nn.max_pool(pixels, [1, 4, 4, 1], [1, 4, 4, 1], "VALID")
    init = tf.global_variables_initializer()

config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
sess = tf.Session(graph=graph, config=config)
graph_nodes_on_cpu = [n for n in graph.as_graph_def().node if "CPU" in n.device]
assert not graph_nodes_on_cpu, "One or more nodes are on the CPU: {}".format(graph_nodes_on_cpu)

sess.run(init)
random = np.random.RandomState(0)
for step in range(30):
    sharp = (random.rand(4, SIZE, SIZE, 1) > 0.5).astype(np.float32)
    _, value = sess.run([train, loss], feed_dict={images: blurred(sharp), targets: sharp})
    if step % 10 == 0:
        print("step %d: loss %.4f" % (step, value))

sharp = (random.rand(2, SIZE, SIZE, 1) > 0.5).astype(np.float32)
restored = sess.run(result, feed_dict={images: blurred(sharp)})
print("error %.4f" % np.abs(restored - sharp).mean())
pooled = sess.run(coarse, feed_dict={images: blurred(sharp)})
print("pooled", pooled.shape, pooled.dtype)
