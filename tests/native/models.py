"""Scripts that begin alike in several tests."""

from __future__ import annotations

STEP = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
n = tf.Variable(0, name="n")
loss = tf.reduce_mean(tf.square(x * w - 3.0))
step = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
"""
SESSION = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
