"""Learns on what soil something grows, from queues of records; tests it in a graph of its own."""
import os
import tempfile

import numpy as np
import tensorflow as tf

import records

EPOCHS, BATCH = 4, 5


def waves(shape, dtype=None, partition_info=None):
    return tf.constant(np.cos(np.arange(np.prod(shape)) + 0.5).reshape(shape) * 0.5, dtype)


def network(soil):
    hidden = soil
    for number, width in enumerate((6, 2)):
        with tf.variable_scope('layer%d' % number):
            weights = tf.get_variable('weights', [hidden.get_shape()[1], width], initializer=waves)
            tf.add_to_collection('decays', 0.001 * tf.nn.l2_loss(weights))
            biases = tf.get_variable('biases', [width], initializer=tf.zeros_initializer())
            hidden = tf.nn.bias_add(tf.matmul(hidden, weights), biases)
            hidden = tf.nn.tanh(hidden) if width > 2 else hidden
    return hidden


def train(paths, folder):
    with tf.Graph().as_default():
        soil, place, grown = records.read(paths, BATCH, EPOCHS)
        logits = network(soil)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=grown, logits=logits))
        loss += tf.add_n(tf.get_collection('decays'))
        step = tf.train.get_or_create_global_step()
        rate = tf.train.exponential_decay(0.5, step, 5, 0.8, staircase=True)
        averages = tf.train.ExponentialMovingAverage(0.9, step)
        with tf.control_dependencies([tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=step)]):
            train_op = averages.apply(tf.trainable_variables())
        saver = tf.train.Saver()
        init = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
        with tf.Session() as sess:
            sess.run(init)
            print('begins at rate %.3f' % sess.run(rate))
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess=sess, coord=coord)
            try:
                while not coord.should_stop():
                    _, value, places, number = sess.run([train_op, loss, place, step])
                    print('step %d loss %.5f, from %s to %s' % (
                        number, value, places[0].decode(), places[-1].decode()))
            except tf.errors.OutOfRangeError:
                print('all read, rate %.5f' % sess.run(rate))
            finally:
                coord.request_stop()
            coord.join(threads)
            return saver.save(sess, os.path.join(folder, 'soil'), global_step=step)


def test(paths, kept):
    with tf.Graph().as_default():
        soil, place, grown = records.read(paths, BATCH, 1)
        right = tf.nn.in_top_k(network(soil), grown, 1)
        step = tf.train.get_or_create_global_step()
        averages = tf.train.ExponentialMovingAverage(0.9)
        saver = tf.train.Saver(averages.variables_to_restore())
        with tf.Session() as sess:
            sess.run(tf.local_variables_initializer())
            saver.restore(sess, kept)
            print('test after %d steps' % sess.run(step))
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            rounds = -(-len(paths) * records.IN_FILE // BATCH)
            found = [sess.run([place, right]) for _ in range(rounds)]
            coord.request_stop()
            coord.join(threads, stop_grace_period_secs=5)
        for places, hits in found:
            print('test', [each.decode() for each in places], hits.astype(int))
        print('right: %d of %d' % (sum(hits.sum() for _, hits in found), sum(len(hits) for _, hits in found)))


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        kept = train(records.write(folder, 'spring', seed=5), folder)
        print(os.path.basename(kept))
        for name, shape in tf.train.list_variables(kept):
            print(name, shape, '%.5f' % np.abs(tf.train.load_variable(kept, name)).mean())
        test(records.write(folder, 'summer', seed=6), kept)
