"""TF 1.x calls of optimizers, schedules, summaries, queues, datasets and tables; the values are those of TF 1.15.5."""

import os
import tempfile

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(tempfile.gettempdir(), "tf_migrate_snippets_training")


def trained(optimizer, steps=3):
    """Weights after some steps of an optimizer, and the names of its variables."""
    w = tf.Variable([1.0, -2.0, 3.0], name="w")
    step = optimizer.minimize(tf.reduce_sum(w * w * w / 3 + w))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            session.run(step)
        return session.run(w), sorted(v.name for v in tf.global_variables())


def counted(schedule):
    """A schedule's values at several steps."""
    step = tf.placeholder(tf.int64, [])
    rate = schedule(step)
    with tf.Session() as session:
        return [session.run(rate, {step: n}) for n in (0, 3, 7, 12)]


def stepped():
    """The global step after an update."""
    step = tf.train.get_or_create_global_step()
    return tf.assign_add(step, 5), step.name


def averaged():
    """A moving average after one update."""
    w = tf.Variable([1.0, 2.0], name="w")
    average = tf.train.ExponentialMovingAverage(0.9)
    with tf.Session() as session:
        update = average.apply([w])
        session.run(tf.global_variables_initializer())
        session.run(tf.assign(w, [2.0, 4.0]))
        session.run(update)
        return session.run(average.average(w)), average.average_name(w)


def saved():
    """A variable saved, changed and restored."""
    if not tf.gfile.Exists(FOLDER):
        tf.gfile.MakeDirs(FOLDER)
    w = tf.Variable([1.0, 2.0], name="w")
    saver = tf.train.Saver(max_to_keep=2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, os.path.join(FOLDER, "model"), global_step=3)
        session.run(tf.assign(w, [5.0, 6.0]))
        saver.restore(session, path)
        return session.run(w), os.path.basename(path)


def checkpoint(look):
    """What a function sees of a checkpoint."""
    saved()
    return look(os.path.join(FOLDER, "model-3"))


def tag_of(summary):
    """Tag and value of a serialized summary."""
    with tf.Session() as session:
        value = tf.Summary.FromString(session.run(summary)).value
        return [[item.tag, item.WhichOneof("value") or ""] for item in value]


def queued(queue, values):
    """What comes out of a queue after values went in, and its size."""
    with tf.Session() as session:
        for value in values:
            session.run(queue.enqueue(value))
        size = session.run(queue.size())
        return session.run(queue.dequeue()), size


def drawn(dataset):
    """All elements of a dataset through a one-shot iterator."""
    element = dataset.make_one_shot_iterator().get_next()
    found = []
    with tf.Session() as session:
        while True:
            try:
                found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                return found


def initialized():
    """Elements of a dataset through an initializable iterator."""
    iterator = tf.data.Dataset.from_tensor_slices(np.float32([1, 2, 3])).batch(2).make_initializable_iterator()
    element = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer)
        return session.run(element)


def text_file():
    """A file of two lines."""
    if not tf.gfile.Exists(FOLDER):
        tf.gfile.MakeDirs(FOLDER)
    path = os.path.join(FOLDER, "lines.txt")
    with tf.gfile.GFile(path, "w") as file:
        file.write("ab,1\ncd,2\n")
    return path


def read(reader):
    """The first value that a reader gives for a file of lines."""
    queue = tf.train.string_input_producer([text_file()], shuffle=False)
    _, value = reader.read(queue)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        first = session.run(value)
        coordinator.request_stop()
        coordinator.join(threads)
    return first


def batched(batches):
    """The first batch of an input pipeline on queues."""
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        first = session.run(batches)
        coordinator.request_stop()
        coordinator.join(threads)
    return first


def looked_up(table, keys):
    """What a table gives for keys."""
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return session.run(table.lookup(tf.constant(keys)))


def checkpointed_step():
    """The global step as Python sees it."""
    step = tf.train.create_global_step()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return tf.train.global_step(session, step)


SNIPPETS = {
    "tf.train.GradientDescentOptimizer": lambda: trained(tf.train.GradientDescentOptimizer(0.1)),
    "tf.train.MomentumOptimizer": lambda: trained(tf.train.MomentumOptimizer(0.1, 0.9)),
    "tf.train.MomentumOptimizer / nesterov": lambda: trained(tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)),
    "tf.train.AdamOptimizer": lambda: trained(tf.train.AdamOptimizer()),
    "tf.train.AdamOptimizer / positional": lambda: trained(tf.train.AdamOptimizer(0.1, 0.8, 0.9, 1e-4)),
    "tf.train.RMSPropOptimizer": lambda: trained(tf.train.RMSPropOptimizer(0.1, momentum=0.5)),
    "tf.train.RMSPropOptimizer / centered": lambda: trained(tf.train.RMSPropOptimizer(0.1, centered=True)),
    "tf.train.AdagradOptimizer": lambda: trained(tf.train.AdagradOptimizer(0.1)),
    "tf.train.AdagradDAOptimizer": lambda: trained(tf.train.AdagradDAOptimizer(0.1, tf.Variable(1, dtype=tf.int64))),
    "tf.train.AdadeltaOptimizer": lambda: trained(tf.train.AdadeltaOptimizer(0.1)),
    "tf.train.FtrlOptimizer": lambda: trained(tf.train.FtrlOptimizer(0.1)),
    "tf.train.ProximalAdagradOptimizer": lambda: trained(tf.train.ProximalAdagradOptimizer(0.1)),
    "tf.train.ProximalGradientDescentOptimizer": lambda: trained(tf.train.ProximalGradientDescentOptimizer(0.1)),
    "tf.train.Optimizer": lambda: issubclass(tf.train.AdamOptimizer, tf.train.Optimizer),
    "tf.train.exponential_decay": lambda: counted(lambda n: tf.train.exponential_decay(0.1, n, 5, 0.5)),
    "tf.train.exponential_decay / staircase": lambda: counted(
        lambda n: tf.train.exponential_decay(0.1, n, 5, 0.5, staircase=True)
    ),
    "tf.train.polynomial_decay": lambda: counted(lambda n: tf.train.polynomial_decay(0.1, n, 10, 0.01, power=2.0)),
    "tf.train.piecewise_constant": lambda: counted(
        lambda n: tf.train.piecewise_constant(n, np.int64([3, 7]).tolist(), [0.1, 0.2, 0.3])
    ),
    "tf.train.inverse_time_decay": lambda: counted(lambda n: tf.train.inverse_time_decay(0.1, n, 5, 0.5)),
    "tf.train.natural_exp_decay": lambda: counted(lambda n: tf.train.natural_exp_decay(0.1, n, 5, 0.5)),
    "tf.train.cosine_decay": lambda: counted(lambda n: tf.train.cosine_decay(0.1, n, 10, 0.1)),
    "tf.train.cosine_decay_restarts": lambda: counted(lambda n: tf.train.cosine_decay_restarts(0.1, n, 5)),
    "tf.train.linear_cosine_decay": lambda: counted(lambda n: tf.train.linear_cosine_decay(0.1, n, 10)),
    "tf.train.noisy_linear_cosine_decay": lambda: tf.shape(tf.train.noisy_linear_cosine_decay(0.1, tf.constant(3), 10)),
    "tf.train.get_or_create_global_step": stepped,
    "tf.train.create_global_step": lambda: tf.train.create_global_step(),
    "tf.train.get_global_step": lambda: [tf.train.create_global_step(), tf.train.get_global_step().name],
    "tf.train.global_step": lambda: checkpointed_step(),
    "tf.train.assert_global_step": lambda: tf.train.assert_global_step(tf.train.create_global_step()),
    "tf.train.ExponentialMovingAverage": averaged,
    "tf.train.Saver": saved,
    "tf.train.latest_checkpoint": lambda: checkpoint(
        lambda path: os.path.basename(tf.train.latest_checkpoint(os.path.dirname(path)))
    ),
    "tf.train.get_checkpoint_state": lambda: checkpoint(
        lambda path: os.path.basename(tf.train.get_checkpoint_state(os.path.dirname(path)).model_checkpoint_path)
    ),
    "tf.train.checkpoint_exists": lambda: checkpoint(tf.train.checkpoint_exists),
    "tf.train.get_checkpoint_mtimes": lambda: checkpoint(lambda path: len(tf.train.get_checkpoint_mtimes([path]))),
    "tf.train.list_variables": lambda: checkpoint(tf.train.list_variables),
    "tf.train.load_variable": lambda: checkpoint(lambda path: tf.train.load_variable(path, "w")),
    "tf.train.load_checkpoint": lambda: checkpoint(lambda path: tf.train.load_checkpoint(path).get_tensor("w")),
    "tf.train.NewCheckpointReader": lambda: checkpoint(lambda path: tf.train.NewCheckpointReader(path).has_tensor("w")),
    "tf.train.NewCheckpointReader / filepattern": lambda: checkpoint(
        lambda path: tf.train.NewCheckpointReader(filepattern=path).get_variable_to_shape_map()
    ),
    "tf.train.Coordinator": lambda: tf.train.Coordinator().should_stop(),
    "tf.train.string_input_producer": lambda: batched(
        tf.train.string_input_producer(["a", "b"], shuffle=False).dequeue()
    ),
    "tf.train.slice_input_producer": lambda: batched(
        tf.train.slice_input_producer([np.float32([1, 2]), ["a", "b"]], shuffle=False)
    ),
    "tf.train.range_input_producer": lambda: batched(tf.train.range_input_producer(3, shuffle=False).dequeue()),
    "tf.train.input_producer": lambda: batched(tf.train.input_producer([5, 6], shuffle=False).dequeue()),
    "tf.train.batch": lambda: batched(tf.train.batch([tf.constant([1.0, 2.0])], 3)),
    "tf.train.batch / enqueue_many": lambda: batched(
        tf.train.batch([tf.constant([1.0, 2.0])], 2, enqueue_many=True, name="b")
    ),
    "tf.train.shuffle_batch": lambda: tf.shape(tf.train.shuffle_batch([tf.constant([1.0, 2.0])], 3, 20, 5)),
    "tf.train.batch_join": lambda: batched(tf.train.batch_join([[tf.constant(1.0)]], 2)),
    "tf.train.limit_epochs": lambda: [tf.train.limit_epochs(tf.constant(1.0), 3)],
    "tf.train.match_filenames_once": lambda: tf.shape(tf.train.match_filenames_once(text_file())),
    "tf.summary.scalar": lambda: tag_of(tf.summary.scalar("loss", tf.constant(0.5))),
    "tf.summary.histogram": lambda: tag_of(tf.summary.histogram("weights", tf.constant([0.5, 1.0]))),
    "tf.summary.image": lambda: tag_of(tf.summary.image("picture", tf.ones([1, 2, 2, 3]), 1)),
    "tf.summary.audio": lambda: tag_of(tf.summary.audio("sound", tf.ones([1, 10, 1]), 100.0)),
    "tf.summary.text": lambda: tag_of(tf.summary.text("words", tf.constant("a"))),
    "tf.summary.merge": lambda: tag_of(tf.summary.merge([tf.summary.scalar("a", 1.0), tf.summary.scalar("b", 2.0)])),
    "tf.summary.merge_all": lambda: [
        tag_of([tf.summary.scalar("a", 1.0), tf.summary.merge_all()][1]),
    ],
    "tf.FIFOQueue": lambda: queued(tf.FIFOQueue(3, [tf.float32], shapes=[[]]), [1.0, 2.0]),
    "tf.PaddingFIFOQueue": lambda: queued(tf.PaddingFIFOQueue(3, [tf.float32], [[None]]), [([1.0, 2.0],)]),
    "tf.RandomShuffleQueue": lambda: queued(tf.RandomShuffleQueue(3, 0, [tf.float32], shapes=[[]]), [4.0]),
    "tf.PriorityQueue": lambda: queued(
        tf.PriorityQueue(3, [tf.string], [[]]), [(np.int64(2), "b"), (np.int64(1), "a")]
    ),
    "tf.QueueBase": lambda: issubclass(tf.FIFOQueue, tf.QueueBase),
    "tf.WholeFileReader": lambda: read(tf.WholeFileReader()),
    "tf.TextLineReader": lambda: read(tf.TextLineReader()),
    "tf.TextLineReader / skip_header_lines": lambda: read(tf.TextLineReader(skip_header_lines=1)),
    "tf.FixedLengthRecordReader": lambda: read(tf.FixedLengthRecordReader(4)),
    "tf.IdentityReader": lambda: os.path.basename(read(tf.IdentityReader())),
    "tf.data.Dataset": lambda: drawn(tf.data.Dataset.from_tensor_slices([1, 2, 3]).map(lambda x: x * 2).batch(2)),
    "tf.data.Dataset / initializable": initialized,
    "tf.data.TextLineDataset": lambda: drawn(tf.data.TextLineDataset(text_file())),
    "tf.data.FixedLengthRecordDataset": lambda: drawn(tf.data.FixedLengthRecordDataset(text_file(), 5)),
    "tf.data.Iterator": lambda: tf.data.Iterator.from_structure(tf.int32, tf.TensorShape([])).output_types,
    "tf.contrib.lookup.HashTable": lambda: looked_up(
        tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1), ["b", "c"]
    ),
    "tf.contrib.lookup.index_table_from_tensor": lambda: looked_up(
        tf.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]), default_value=7), ["b", "c"]
    ),
}
