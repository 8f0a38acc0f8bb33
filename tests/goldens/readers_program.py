"""Reads TFRecord, CSV and raw bytes in TensorFlow 1's ways, and prints every element as JSON.

The readers are those of the notes that the product grew out of, with data made here. The tests migrate this file.
"""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
records, table, raw = (os.path.join(folder, name) for name in ("images.tfrecord", "titanic.csv", "numbers.bin"))
elements = {}


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def _bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def write():
    random = np.random.RandomState(0)
    with tf.python_io.TFRecordWriter(records) as writer:
        for i in range(5):
            image = random.randint(0, 255, (2 + i % 2, 3, 3)).astype(np.uint8)
            feature = {
                "height": _int64_feature(image.shape[0]),
                "width": _int64_feature(image.shape[1]),
                "depth": _int64_feature(image.shape[2]),
                "image_raw": _bytes_feature(image.tobytes()),
                "mask_raw": _bytes_feature((image[:, :, 0] > 99).astype(np.uint8).tobytes()),
                "landmarks": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 0.5, -i, 0.25])),
            }
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    with open(table, "w") as file:
        file.write("id,survived,name,age,fare,port\n")
        for i in range(4):
            age = "" if i == 2 else 20 + i
            file.write(f'{i},{i % 2},"Doe, J. {i}",{age},{7.25 * i:.2f},S\n')
    np.arange(12, dtype=np.int16).tofile(raw)


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    return value.decode() if isinstance(value, bytes) else value.item() if hasattr(value, "item") else value


def drain(name, sess, fetches):
    seen = elements[name] = []
    try:
        while True:
            seen.append(plain(sess.run(fetches)))
    except tf.errors.OutOfRangeError:
        pass


feature_desc = {
    "height": tf.FixedLenFeature([], tf.int64),
    "width": tf.FixedLenFeature([], tf.int64),
    "depth": tf.FixedLenFeature([], tf.int64),
    "image_raw": tf.FixedLenFeature([], tf.string),
    "mask_raw": tf.FixedLenFeature([], tf.string),
    "landmarks": tf.FixedLenFeature([4], tf.float32),
}


def _parse_image_function(example_proto):
    parsed = tf.parse_single_example(example_proto, feature_desc)
    image = tf.decode_raw(parsed["image_raw"], tf.uint8)
    image = tf.reshape(image, tf.stack([parsed["height"], parsed["width"], parsed["depth"]]))
    mask = tf.reshape(tf.decode_raw(parsed["mask_raw"], "uint8"), tf.stack([parsed["height"], parsed["width"]]))
    return tf.cast(image, tf.float32) / 255.0, mask, parsed["landmarks"]


def datasets():
    images = tf.data.TFRecordDataset(records).map(_parse_image_function)
    batches = images.repeat(2).padded_batch(3, ([None, 3, 3], [None, 3], [4])).make_one_shot_iterator().get_next()
    columns = [0, 1, 2, 4]
    defaults = [tf.int32, tf.int32, tf.string, tf.float32]
    csv = tf.data.experimental.CsvDataset(table, defaults, header=True, select_cols=columns)
    old = tf.contrib.data.CsvDataset([table], [tf.int64, [9.5]], header=True, select_cols=[0, 3])
    lines = tf.data.TextLineDataset(table).skip(1)
    lines = lines.map(lambda line: tf.decode_csv(line, [[0], [0], [""], [-1.0], [0.0], ["?"]]))
    fixed = tf.data.FixedLengthRecordDataset(raw, 8, header_bytes=4, footer_bytes=4)
    fixed = fixed.map(lambda record: tf.decode_raw(record, tf.int16))
    wanted = {"tfrecord": batches}
    for name, dataset in (("csv", csv), ("contrib csv", old), ("lines", lines), ("raw", fixed)):
        wanted[name] = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        for name, fetches in sorted(wanted.items()):
            drain(name, sess, fetches)


def queues():
    queue = tf.train.string_input_producer([records], num_epochs=1, shuffle=False)
    _, serialized = tf.TFRecordReader().read(queue)
    parsed = tf.parse_single_example(serialized, features=feature_desc)
    pixels = tf.decode_raw(parsed["image_raw"], tf.uint8)[:18]
    pixels.set_shape([18])
    batch = tf.train.batch([pixels, parsed["landmarks"]], batch_size=2, allow_smaller_final_batch=True)
    _, line = tf.TextLineReader(skip_header_lines=1).read(tf.train.string_input_producer([table], num_epochs=1))
    row = tf.decode_csv(line, record_defaults=[[0], [0], [""], [-1.0], [0.0], ["?"]])
    _, record = tf.FixedLengthRecordReader(8).read(tf.train.string_input_producer([raw], num_epochs=1))
    numbers = tf.decode_raw(record, tf.int16)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        drain("tfrecord reader", sess, batch)
        drain("line reader", sess, row)
        drain("record reader", sess, numbers)
        coord.request_stop()
        coord.join(threads)


write()
datasets()
queues()
elements["iterator"] = [
    plain(list(tf.train.Example.FromString(record).features.feature["landmarks"].float_list.value))
    for record in tf.python_io.tf_record_iterator(records)
]
print(json.dumps(elements, sort_keys=True))
