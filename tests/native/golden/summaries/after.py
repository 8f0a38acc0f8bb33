import glob
import tempfile

import tensorflow as tf
import compat

folder = tempfile.mkdtemp()

with tf.name_scope("model"):
    w = tf.Variable(2.0, name="w")

optimizer = compat.train.GradientDescentOptimizer(0.1)


@compat.fast_dispatch
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def train_step(x):
    with tf.GradientTape() as tape:
        y = w * x

        cost = tf.reduce_mean(tf.square(y))
    outputs_summary = compat.summary.histogram("model/outputs", y)
    cost_summary = compat.summary.scalar("cost", cost)
    merged = compat.summary.merge([outputs_summary, cost_summary])
    variables = [w]
    gradients = tape.gradient(cost, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return merged


writer = compat.summary.FileWriter(folder)
for step in range(3):
    summary = train_step([1.0, 2.0]).numpy()
    writer.add_summary(summary, global_step=step)
writer.close()

# What the file holds, by tag
for event in compat.train.summary_iterator(glob.glob(folder + "/*")[0]):
    for value in event.summary.value:
        print(event.step, value.tag, "%.4f" % (value.simple_value or value.histo.sum))
