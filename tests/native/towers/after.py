"""Trains one model on several GPUs."""
import numpy as np
import tensorflow as tf
import compat

FLAGS = compat.app.flags.FLAGS
compat.app.flags.DEFINE_integer("num_gpus", 2, "how many GPUs")
compat.app.flags.DEFINE_float("rate", 0.1, "the first learning rate")


def tower_loss(images, labels):
    hidden = compat.layers.dense(images, 4, tf.nn.relu, name="hidden", kernel_initializer=compat.constant_initializer(np.linspace(-1, 1, 12)))
    logits = compat.layers.dense(hidden, 3, name="logits", kernel_initializer=compat.constant_initializer(np.linspace(1, -1, 12)))
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def batches(count):
    random = np.random.RandomState(3)
    for _ in range(count):
        yield random.randn(8, 3), random.randint(0, 3, [8])


def main(_):
    towers = compat.train.Towers(["/gpu:%d" % i for i in range(FLAGS.num_gpus)])

    @towers.replicated(tf.TensorSpec([8, 3], tf.float32), tf.TensorSpec([8], tf.int32))
    def tower(i, images, labels):
        global_step = compat.train.get_or_create_global_step()
        # The rate falls by and by.
        rate = compat.train.exponential_decay(FLAGS.rate, global_step, 2, 0.7)
        opt = compat.train.AdamOptimizer(rate)
        with compat.variable_scope(compat.get_variable_scope()), compat.name_scope("tower_%d" % i) as scope:
            # Each tower has its part.
            part = tf.split(images, FLAGS.num_gpus)[i]
            loss = tower_loss(part, tf.split(labels, FLAGS.num_gpus)[i])
            compat.get_variable_scope().reuse_variables()
            grads = opt.compute_gradients(loss / towers.count)
        opt.apply_gradients(grads, global_step=global_step)
        return loss

    @tf.function(input_signature=tower.signature)
    def train_step(images, labels):
        return tower(images, labels)

    for x, y in batches(6):
        # All towers' losses.
        values = [loss.numpy() for loss in train_step(x, y)]
        print(" ".join("%.5f" % value for value in values))
    print("done")


if __name__ == "__main__":
    compat.app.run()
