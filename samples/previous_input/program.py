"""Keeps the input of the run before, so that a stream of images is sent once and compared with its predecessor."""

import numpy as np
import tensorflow as tf

input2 = tf.Variable(0, dtype=tf.uint8)
input1 = tf.placeholder_with_default(input2, shape=(), name="input_value")

# the computation on this input and the one before
result = input1 - input2

# what it takes to make input1 the input2 of the next run
tmp = tf.Variable(0, dtype=tf.uint8)
save = tf.assign(tmp, input1)
shift = tf.assign(input2, tmp)

sess = tf.Session()
sess.run(tf.global_variables_initializer())

results = []
for value in [42, 50, 55, 200, 13]:
    fetches = {"result": result, "save": save}
    got = dict(zip(fetches.keys(), sess.run(feed_dict={input1: value}, fetches=list(fetches.values()))))
    print("input %d: %s" % (value, got))
    results.append(got["result"])

    fetches = {"shift": shift}
    got = dict(zip(fetches.keys(), sess.run(feed_dict={}, fetches=list(fetches.values()))))
    results.append(got["shift"])

# not fed: the default is the variable itself
results.append(sess.run(result))
