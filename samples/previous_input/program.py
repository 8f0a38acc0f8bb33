"""Keeps the image of the run before, so that each image of a stream is sent once and compared with its predecessor."""

import numpy as np
import tensorflow as tf

HEIGHT, WIDTH = 6, 8

image2 = tf.Variable(np.zeros([HEIGHT, WIDTH], np.uint8), dtype=tf.uint8, name="previous_image")
image1 = tf.placeholder_with_default(image2, shape=(HEIGHT, WIDTH), name="image")

# the computation on this image and the one before
change = tf.abs(tf.cast(image1, tf.float32) - tf.cast(image2, tf.float32))
moved = tf.reduce_sum(tf.cast(change > 20.0, tf.int32))

# what it takes to make image1 the image2 of the next run
tmp = tf.Variable(np.zeros([HEIGHT, WIDTH], np.uint8), dtype=tf.uint8)
save = tf.assign(tmp, image1)
shift = tf.assign(image2, tmp)

sess = tf.Session()
sess.run(tf.global_variables_initializer())


def frame(time):
    """A bright square that goes its way over a grey ground."""
    image = np.full([HEIGHT, WIDTH], 40 + time, np.uint8)
    image[time % 4 : time % 4 + 2, time : time + 2] = 200
    return image


results = []
for time in range(6):
    fetches = {"moved": moved, "change": change, "save": save}
    got = dict(zip(fetches.keys(), sess.run(feed_dict={image1: frame(time)}, fetches=list(fetches.values()))))
    print("frame %d: %d pixels moved, mean change %.3f" % (time, got["moved"], got["change"].mean()))
    results.append(got["moved"])

    fetches = {"shift": shift}
    got = dict(zip(fetches.keys(), sess.run(feed_dict={}, fetches=list(fetches.values()))))
    results.append(got["shift"].sum())

# not fed: the default is the variable itself
results.append(sess.run(moved))
print("results", results)
