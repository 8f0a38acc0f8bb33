import glob
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [None])

with tf.name_scope("model"):
    w = tf.Variable(2.0, name="w")
    y = w * x
    tf.summary.histogram("outputs", y)

cost = tf.reduce_mean(tf.square(y))
cost_summary = tf.summary.scalar("cost", cost)
train = tf.train.GradientDescentOptimizer(0.1).minimize(cost)

with tf.Session() as sess:
    merged = tf.summary.merge_all()
    writer = tf.summary.FileWriter(folder, sess.graph)
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        _, summary = sess.run([train, merged], {x: [1.0, 2.0]})
        writer.add_summary(summary, global_step=step)
    writer.close()

# What the file holds, by tag
for event in tf.train.summary_iterator(glob.glob(folder + "/*")[0]):
    for value in event.summary.value:
        print(event.step, value.tag, "%.4f" % (value.simple_value or value.histo.sum))
