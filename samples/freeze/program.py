"""Trains a small classifier, freezes it into one GraphDef, and runs what it reads back."""
import os
import tempfile

import numpy as np
import tensorflow as tf

random = np.random.RandomState(3)
images = random.rand(64, 8, 8, 1).astype(np.float32)
labels = (images.mean(axis=(1, 2, 3)) > 0.5).astype(np.int64)


def build():
    image = tf.placeholder(tf.float32, [None, 8, 8, 1], name="image")
    label = tf.placeholder(tf.int64, [None], name="label")
    kernel = tf.Variable(random.randn(3, 3, 1, 4).astype(np.float32) * 0.3, name="kernel")
    weights = tf.Variable(random.randn(64, 2).astype(np.float32) * 0.1, name="weights")
    bias = tf.Variable(tf.constant(0.1, shape=[2]), name="bias")
    net = tf.nn.relu(tf.nn.conv2d(image, kernel, strides=[1, 2, 2, 1], padding="SAME"))
    logits = tf.nn.bias_add(tf.matmul(tf.reshape(net, [-1, 64]), weights), bias)
    tf.nn.softmax(logits, name="probabilities")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=logits))
    return image, label, loss


def train(path):
    with tf.Graph().as_default() as graph:
        image, label, loss = build()
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        with tf.Session(graph=graph) as sess:
            sess.run(tf.global_variables_initializer())
            losses = [sess.run([loss, train_op], {image: images, label: labels})[0] for _ in range(20)]
            frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["probabilities"])
    with tf.gfile.GFile(path, "wb") as f:
        f.write(frozen.SerializeToString())
    return losses


def predict(path):
    graph_def = tf.GraphDef()
    with tf.gfile.GFile(path, "rb") as f:
        graph_def.ParseFromString(f.read())
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="frozen")
        image = graph.get_tensor_by_name("frozen/image:0")
        probabilities = graph.get_tensor_by_name("frozen/probabilities:0")
        with tf.Session(graph=graph) as sess:
            return sess.run(probabilities, feed_dict={image: images})


def main():
    path = os.path.join(tempfile.mkdtemp(), "frozen.pb")
    losses = train(path)
    probabilities = predict(path)
    print("loss %.6f -> %.6f" % (losses[0], losses[-1]))
    print("right: %d of %d" % ((probabilities.argmax(1) == labels).sum(), len(labels)))


if __name__ == "__main__":
    main()
