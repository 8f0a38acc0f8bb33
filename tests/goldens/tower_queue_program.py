"""Towers that take batches from a queue, as TensorFlow's own example for several GPUs had them; on devices of the CPU.

Which tower gets which of a step's batches was open, so what is printed is the same either way.
"""

import re
import sys

import numpy as np
import tensorflow as tf

TOWER_NAME, TOWERS, STEPS, BATCH = "tower", 2, 5, 4


def variable(name, shape, decay):
    size = int(np.prod(shape))
    start = tf.constant_initializer(np.linspace(-1, 1, size).astype(np.float32))
    with tf.device("/cpu:0"):
        var = tf.get_variable(name, shape, initializer=start)
    if decay:
        tf.add_to_collection("losses", tf.multiply(tf.nn.l2_loss(var), decay, name="weight_loss"))
    return var


def inference(images):
    with tf.variable_scope("local") as scope:
        weights, biases = variable("weights", [6, 5], 0.004), variable("biases", [5], None)
        local = tf.nn.relu(tf.matmul(images, weights) + biases, name=scope.name)
        tf.summary.scalar(re.sub(TOWER_NAME + "_[0-9]*/", "", local.op.name), tf.nn.zero_fraction(local))
    with tf.variable_scope("softmax_linear") as scope:
        return tf.add(tf.matmul(local, variable("weights", [5, 3], 0.0)), variable("biases", [3], None), scope.name)


def tower_loss(scope, images, labels):
    logits = inference(images)
    entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    tf.add_to_collection("losses", tf.reduce_mean(entropy, name="cross_entropy"))
    losses = tf.get_collection("losses", scope)
    total_loss = tf.add_n(losses, name="total_loss")
    for each in [*losses, total_loss]:
        tf.summary.scalar(re.sub(TOWER_NAME + "_[0-9]*/", "", each.op.name), each)
    return total_loss


def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):  # noqa: B905 - Python 3.7
        grads = []
        for g, _ in grad_and_vars:
            grads.append(tf.expand_dims(g, 0))
        grad = tf.reduce_mean(tf.concat(axis=0, values=grads), 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads


def train(device):
    with tf.Graph().as_default(), tf.device("/cpu:0"):
        global_step = tf.get_variable("global_step", [], initializer=tf.constant_initializer(0), trainable=False)
        lr = tf.train.exponential_decay(0.1, global_step, 2, 0.5, staircase=True)
        opt = tf.train.GradientDescentOptimizer(lr)
        random = np.random.RandomState(5)
        data = random.randn(40, 6).astype(np.float32), random.randint(0, 3, [40]).astype(np.int32)
        example = tf.train.slice_input_producer([tf.constant(each) for each in data], shuffle=False)
        images, labels = tf.train.batch(example, BATCH)
        batch_queue = tf.contrib.slim.prefetch_queue.prefetch_queue([images, labels], capacity=2 * TOWERS)
        tower_grads, tower_losses = [], []
        with tf.variable_scope(tf.get_variable_scope()):
            for i in range(TOWERS):
                with tf.device(device % i), tf.name_scope(f"{TOWER_NAME}_{i}") as scope:
                    image_batch, label_batch = batch_queue.dequeue()
                    loss = tower_loss(scope, image_batch, label_batch)
                    tf.get_variable_scope().reuse_variables()
                    summaries = tf.get_collection(tf.GraphKeys.SUMMARIES, scope)
                    grads = opt.compute_gradients(loss)
                    tower_grads.append(grads)
                    tower_losses.append(loss)
        grads = average_gradients(tower_grads)
        summaries.append(tf.summary.scalar("learning_rate", lr))
        apply_gradient_op = opt.apply_gradients(grads, global_step=global_step)
        variable_averages = tf.train.ExponentialMovingAverage(0.99, global_step)
        # TF1 left open whether the averages come before the update.
        with tf.control_dependencies([apply_gradient_op]):
            variables_averages_op = variable_averages.apply(tf.trainable_variables())
        train_op = tf.group(apply_gradient_op, variables_averages_op)
        total, summary_op = tf.add_n(tower_losses), tf.summary.merge(summaries)
        config = tf.ConfigProto(allow_soft_placement=True, device_count={"CPU": TOWERS})
        with tf.Session(config=config) as sess:
            sess.run(tf.global_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess=sess, coord=coord)
            for _ in range(STEPS):
                _, value = sess.run([train_op, total])
                print(f"loss {value:.5f}")
            shadows = [variable_averages.average(var) for var in tf.trainable_variables()]
            for name, value in zip([var.op.name for var in shadows], sess.run(shadows)):  # noqa: B905
                print(f"{name} {np.abs(value).sum():.5f}")
            print(f"rate {sess.run(lr):.5f}, {len(sess.run(summary_op))} bytes")
            coord.request_stop()
            sess.run(batch_queue.close(cancel_pending_enqueues=True))
            coord.join(threads, stop_grace_period_secs=10)


if __name__ == "__main__":
    train(*sys.argv[1:])
