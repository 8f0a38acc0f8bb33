"""A small DCGAN as TF1 programs wrote it, for TF 1.15.5 and for the tests here. Python 3.7 syntax.

Run under 1.15.5: dcgan_program.py make FOLDER          trains two steps, saves FOLDER/tf1, prints what it sampled
                  dcgan_program.py resume CHECKPOINT    restores, trains on, prints the losses and the variables' names
"""

import json
import os
import sys

import numpy as np

NOISE = 8
BATCH = 4


def generator(tf, z, training, reuse=False):
    """Noise to images ``[batch, 8, 8, 1]``."""
    with tf.variable_scope("generator", reuse=reuse):
        x = tf.layers.dense(z, 2 * 2 * 16)
        x = tf.reshape(x, [-1, 2, 2, 16])
        x = tf.nn.relu(tf.layers.batch_normalization(x, training=training))
        x = tf.layers.conv2d_transpose(x, 8, 5, strides=2, padding="same", use_bias=False)
        x = tf.nn.relu(tf.layers.batch_normalization(x, training=training))
        return tf.tanh(tf.layers.conv2d_transpose(x, 1, 5, strides=2, padding="same"))


def discriminator(tf, images, reuse=False):
    """Images to logits ``[batch, 1]``."""
    with tf.variable_scope("discriminator", reuse=reuse):
        x = tf.layers.conv2d(images, 8, 5, strides=2, padding="same", name="first")
        x = tf.maximum(x, 0.2 * x)
        x = tf.layers.conv2d(x, 16, 5, strides=2, padding="same")
        x = tf.layers.batch_normalization(x, training=True, name="bn")
        return tf.layers.dense(tf.layers.flatten(tf.maximum(x, 0.2 * x)), 1)


def cross_entropy(tf, logits, label):
    """The mean cross entropy of logits that all have one label."""
    labels = tf.fill(tf.shape(logits), label)
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))


def build(tf):
    """The whole graph, by name."""
    z = tf.placeholder(tf.float32, [None, NOISE], name="z")
    images = tf.placeholder(tf.float32, [None, 8, 8, 1], name="images")
    fake = generator(tf, z, training=True)
    real_logits = discriminator(tf, images)
    fake_logits = discriminator(tf, fake, reuse=True)
    sample = generator(tf, z, training=False, reuse=True)
    d_loss = cross_entropy(tf, real_logits, 0.9) + cross_entropy(tf, fake_logits, 0.0)
    g_loss = cross_entropy(tf, fake_logits, 1.0)
    trained = tf.trainable_variables()
    g_variables = [each for each in trained if each.name.startswith("generator")]
    d_variables = [each for each in trained if each.name.startswith("discriminator")]
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        d_train = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(d_loss, var_list=d_variables)
        g_train = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(g_loss, var_list=g_variables)
    return {
        "z": z,
        "images": images,
        "sample": sample,
        "d_loss": d_loss,
        "g_loss": g_loss,
        "d_train": d_train,
        "g_train": g_train,
    }


def inputs(step):
    """Noise and images of one step."""
    random = np.random.RandomState(step)
    noise = random.uniform(-1.0, 1.0, [BATCH, NOISE]).astype(np.float32)
    return noise, random.uniform(-1.0, 1.0, [BATCH, 8, 8, 1]).astype(np.float32)


def train(graph, session, steps):
    """Trains, and gives the losses of each step."""
    losses = []
    for step in steps:
        noise, images = inputs(step)
        feed = {graph["z"]: noise, graph["images"]: images}
        d_loss, _ = session.run([graph["d_loss"], graph["d_train"]], feed)
        g_loss, _ = session.run([graph["g_loss"], graph["g_train"]], feed)
        losses.append([float(d_loss), float(g_loss)])
    return losses


def sample(graph, session):
    """What the generator makes of fixed noise."""
    return session.run(graph["sample"], {graph["z"]: inputs(100)[0]})


def main(tf, command, path):
    """What this file does when it is run."""
    graph = build(tf)
    saver = tf.train.Saver()
    with tf.Session() as session:
        if command == "make":
            session.run(tf.global_variables_initializer())
            losses = train(graph, session, range(2))
            saver.save(session, os.path.join(path, "tf1"))
        else:
            saver.restore(session, path)
            losses = train(graph, session, range(2, 4))
        names = [variable.name for variable in tf.global_variables()]
        return {"losses": losses, "names": names, "sample": sample(graph, session).tolist()}


if __name__ == "__main__":
    import tensorflow

    print("RESULT " + json.dumps(main(tensorflow, *sys.argv[1:])))
