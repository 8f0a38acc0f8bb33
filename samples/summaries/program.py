"""A classifier of drawn bars that is watched in TensorBoard: scalars, histograms, images, merged, and one traced step."""

import collections
import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf

log_dir = os.path.join(tempfile.gettempdir(), "bars_summaries_%d" % os.getpid())
random = np.random.RandomState(11)


def bars(count):
    """Images of 8 x 8 pixels with one horizontal (0) or vertical (1) bar, and noise."""
    labels = random.randint(0, 2, count)
    images = 0.3 * random.rand(count, 8, 8, 1)
    for image, label, place in zip(images, labels, random.randint(0, 8, count)):
        if label:
            image[:, place] += 0.7
        else:
            image[place] += 0.7
    return images.astype(np.float32), labels.astype(np.int64)


def variable_summaries(var):
    """Attach a lot of summaries to a Tensor (for TensorBoard visualization)."""
    with tf.name_scope("summaries"):
        mean = tf.reduce_mean(var)
        tf.summary.scalar("mean", mean)
        with tf.name_scope("stddev"):
            stddev = tf.sqrt(tf.reduce_mean(tf.square(var - mean)))
        tf.summary.scalar("stddev", stddev)
        tf.summary.scalar("max", tf.reduce_max(var))
        tf.summary.scalar("min", tf.reduce_min(var))
        tf.summary.histogram("histogram", var)


def nn_layer(input_tensor, input_dim, output_dim, layer_name, act=tf.nn.relu):
    with tf.name_scope(layer_name):
        with tf.name_scope("weights"):
            initial = (0.3 * random.randn(input_dim, output_dim)).astype(np.float32)
            weights = tf.Variable(initial)
            variable_summaries(weights)
        with tf.name_scope("biases"):
            biases = tf.Variable(tf.constant(0.1, shape=[output_dim]))
            variable_summaries(biases)
        with tf.name_scope("Wx_plus_b"):
            preactivate = tf.matmul(input_tensor, weights) + biases
            tf.summary.histogram("pre_activations", preactivate)
        activations = act(preactivate, name="activation")
        tf.summary.histogram("activations", activations)
        return activations


with tf.name_scope("input"):
    x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x-input")
    y_ = tf.placeholder(tf.int64, [None], name="y-input")
    tf.summary.image("input", x, 3)

hidden1 = nn_layer(tf.reshape(x, [-1, 64]), 64, 16, "layer1")
y = nn_layer(hidden1, 16, 2, "layer2", act=tf.identity)

with tf.name_scope("cross_entropy"):
    cross_entropy = tf.losses.sparse_softmax_cross_entropy(labels=y_, logits=y)
tf.summary.scalar("cross_entropy", cross_entropy)

with tf.name_scope("train"):
    train_step = tf.train.AdamOptimizer(0.01).minimize(cross_entropy)

with tf.name_scope("accuracy"):
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(y, 1), y_), tf.float32))
tf.summary.scalar("accuracy", accuracy)

merged = tf.summary.merge_all()

sess = tf.Session()
train_writer = tf.summary.FileWriter(log_dir + "/train", sess.graph)
test_writer = tf.summary.FileWriter(log_dir + "/test")
sess.run(tf.global_variables_initializer())

test_x, test_y = bars(200)
traced = 0
for i in range(40):
    if i % 10 == 0:  # Record summaries and test-set accuracy
        summary, acc = sess.run([merged, accuracy], feed_dict={x: test_x, y_: test_y})
        test_writer.add_summary(summary, i)
        print("Accuracy at step %s: %.3f" % (i, acc))
    batch_x, batch_y = bars(50)
    feed = {x: batch_x, y_: batch_y}
    if i == 29:  # Record execution stats
        run_options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        run_metadata = tf.RunMetadata()
        sess.run(train_step, feed_dict=feed, options=run_options, run_metadata=run_metadata)
        train_writer.add_run_metadata(run_metadata, "step%03d" % i)
        traced = sum(len(device.node_stats) for device in run_metadata.step_stats.dev_stats)
    else:
        sess.run(train_step, feed_dict=feed)
    # In a run of its own: beside the train step, the variables are seen before it or after it, as it happens.
    train_writer.add_summary(sess.run(merged, feed_dict=feed), i)
train_writer.close()
test_writer.close()
sess.close()


def written(part):
    """What TensorBoard will find, by kind: how often each tag was written, and the last value of each scalar."""
    tags, last = collections.Counter(), {}
    (name,) = os.listdir(os.path.join(log_dir, part))
    for event in tf.train.summary_iterator(os.path.join(log_dir, part, name)):
        for value in event.summary.value:
            tags[value.tag, value.WhichOneof("value")] += 1
            if value.HasField("simple_value"):
                last[value.tag] = (event.step, value.simple_value)
            elif value.HasField("image"):
                last[value.tag] = (event.step, value.image.width)
            elif value.HasField("histo"):
                last[value.tag] = (event.step, value.histo.num)
        if event.HasField("tagged_run_metadata"):
            tags[event.tagged_run_metadata.tag, "run metadata"] += 1
    return tags, last


for part in ("train", "test"):
    tags, last = written(part)
    for (tag, kind), count in sorted(tags.items()):
        step, value = last.get(tag, (0, 0))
        print("%s %s (%s): %d times, at step %d: %.3f" % (part, tag, kind, count, step, value))
print("operations were traced: %s" % (traced > 10))
shutil.rmtree(log_dir)
