"""Trains one model on several GPUs."""
import numpy as np
import tensorflow as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer("num_gpus", 2, "how many GPUs")
tf.app.flags.DEFINE_float("rate", 0.1, "the first learning rate")


def tower_loss(images, labels):
    hidden = tf.layers.dense(images, 4, tf.nn.relu, name="hidden", kernel_initializer=tf.constant_initializer(np.linspace(-1, 1, 12)))
    logits = tf.layers.dense(hidden, 3, name="logits", kernel_initializer=tf.constant_initializer(np.linspace(1, -1, 12)))
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def average_gradients(tower_grads):
    """The mean of each variable's gradients over the towers."""
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = [g for g, _ in grad_and_vars]
        grad = tf.reduce_mean(tf.stack(grads), 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads


def batches(count):
    random = np.random.RandomState(3)
    for _ in range(count):
        yield random.randn(8, 3), random.randint(0, 3, [8])


def main(_):
    # What is fed: the batch of all towers.
    images = tf.placeholder(tf.float32, [8, 3], name="images")
    labels = tf.placeholder(tf.int32, shape=[8])
    global_step = tf.train.get_or_create_global_step()
    # The rate falls by and by.
    rate = tf.train.exponential_decay(FLAGS.rate, global_step, 2, 0.7)
    opt = tf.train.AdamOptimizer(rate)
    tower_grads = []
    losses = []
    with tf.variable_scope(tf.get_variable_scope()):
        for i in range(FLAGS.num_gpus):
            with tf.device("/gpu:%d" % i):
                with tf.name_scope("tower_%d" % i) as scope:
                    # Each tower has its part.
                    part = tf.split(images, FLAGS.num_gpus)[i]
                    loss = tower_loss(part, tf.split(labels, FLAGS.num_gpus)[i])
                    tf.get_variable_scope().reuse_variables()
                    grads = opt.compute_gradients(loss)
                    tower_grads.append(grads)
                    losses.append(loss)

    # The mean is applied once.
    grads_and_vars = average_gradients(tower_grads)
    train_op = opt.apply_gradients(grads_and_vars, global_step=global_step)
    init = tf.global_variables_initializer()

    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        sess.run(init)
        for x, y in batches(6):
            # All towers' losses.
            _, values = sess.run([train_op, losses], feed_dict={images: x, labels: y})
            print(" ".join("%.5f" % value for value in values))
    print("done")


if __name__ == "__main__":
    tf.app.run()
