import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
steps = int(os.environ.get("STEPS", "7"))

x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
hidden = tf.layers.dense(x, 3, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.5))
prediction = tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.25))
loss = tf.reduce_mean(tf.square(prediction - y))

global_step = tf.train.get_or_create_global_step()
train_op = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=global_step)

hooks = [
    tf.train.StopAtStepHook(last_step=steps),
    tf.train.LoggingTensorHook({"step": global_step, "loss": loss}, every_n_iter=3),
    tf.train.NanTensorHook(loss),
]
with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=3) as sess:
    while not sess.should_stop():
        batch = np.array([[1.0, 2.0], [0.5, 0.0]], np.float32)
        _, value, at = sess.run([train_op, loss, global_step], {x: batch, y: batch[:, :1]})
        print(at, "%.6f" % value)

for name in sorted(os.listdir(folder)):
    if name.endswith(".index"):
        print(name)
for name, shape in tf.train.list_variables(tf.train.latest_checkpoint(folder)):
    print(name, shape)
