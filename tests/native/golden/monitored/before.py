import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
kernel = tf.get_variable("kernel", [2, 3], initializer=tf.constant_initializer(0.5))
weights = tf.get_variable("weights", [3, 1], initializer=tf.constant_initializer(0.25))
prediction = tf.matmul(tf.nn.relu(tf.matmul(x, kernel)), weights)
loss = tf.reduce_mean(tf.square(prediction - y))

global_step = tf.train.get_or_create_global_step()
train_op = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=global_step)

batches = iter([np.array([[1.0, 2.0], [0.5, 0.0]], np.float32)] * 20)
hooks = [
    tf.train.StopAtStepHook(last_step=7),
    tf.train.LoggingTensorHook({"step": global_step, "loss": loss}, every_n_iter=3),
    tf.train.NanTensorHook(loss),
]
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=3) as sess:
    while not sess.should_stop():
        batch = next(batches)
        _, value, at = sess.run([train_op, loss, global_step], {x: batch, y: batch[:, :1]})
        print(at, "%.6f" % value)

for name in sorted(os.listdir(folder)):
    if name.endswith(".index"):
        print(name)
for name, shape in tf.train.list_variables(tf.train.latest_checkpoint(folder)):
    print(name, shape)
