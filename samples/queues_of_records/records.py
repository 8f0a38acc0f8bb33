"""Fields and what grew on them, in files of records, and the queues that read them."""
import os

import numpy as np
import tensorflow as tf

FEATURES, FILES, IN_FILE = 4, 3, 7


def write(folder, name, seed):
    """Writes files of records, and gives their paths."""
    chance, paths = np.random.RandomState(seed), []
    for number in range(FILES):
        paths.append(os.path.join(folder, '%s-%d.tfrecords' % (name, number)))
        with tf.python_io.TFRecordWriter(paths[-1]) as writer:
            for _ in range(IN_FILE):
                soil = chance.uniform(-1, 1, FEATURES)
                grown = int(soil[0] - 0.5 * soil[1] + 0.2 * chance.randn() > 0)
                writer.write(tf.train.Example(features=tf.train.Features(feature={
                    'soil': tf.train.Feature(float_list=tf.train.FloatList(value=soil)),
                    'place': tf.train.Feature(bytes_list=tf.train.BytesList(value=[b'%s/%d' % (name.encode(), number)])),
                    'grown': tf.train.Feature(int64_list=tf.train.Int64List(value=[grown])),
                })).SerializeToString())
    return paths


def read(paths, size, epochs):
    """A batch of soils, places and whether something grew there."""
    files = tf.train.string_input_producer(paths, num_epochs=epochs, shuffle=False)
    _, record = tf.TFRecordReader().read(files)
    fields = tf.parse_single_example(record, features={
        'soil': tf.FixedLenFeature([FEATURES], tf.float32),
        'place': tf.FixedLenFeature([], tf.string),
        'grown': tf.FixedLenFeature([], tf.int64),
    })
    soil = tf.clip_by_value(fields['soil'], -0.9, 0.9)
    return tf.train.batch([soil, fields['place'], tf.to_int32(fields['grown'])], size, num_threads=1, capacity=32,
                          allow_smaller_final_batch=True)
