"""A Siamese network: two towers share their weights by variable scopes, and learn which digits look alike."""

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("steps", 12, "Steps of training")
flags.DEFINE_float("weight_decay", 1e-3, "Factor of the L2 loss")
FLAGS = flags.FLAGS

SIZE = 6
EMBEDDING = 4
MARGIN = 1.0


def make_pairs(count, seed):
    """Noisy crosses and squares, and whether both of a pair are the same shape."""
    random = np.random.RandomState(seed)
    shapes = np.zeros((2, SIZE, SIZE, 1), np.float32)
    shapes[0, 2:4, :] = shapes[0, :, 2:4] = 1.0
    shapes[1, 1:5, 1:5] = 1.0
    shapes[1, 2:4, 2:4] = 0.0
    kinds = random.randint(0, 2, (2, count))
    left, right = (shapes[kind] + 0.2 * random.randn(count, SIZE, SIZE, 1) for kind in kinds)
    return left.astype(np.float32), right.astype(np.float32), (kinds[0] == kinds[1]).astype(np.float32)


def conv_block(inputs, filters, name):
    with tf.variable_scope(name):
        depth = inputs.get_shape().as_list()[-1]
        kernel = tf.get_variable(
            "kernel", [3, 3, depth, filters], initializer=tf.truncated_normal_initializer(stddev=0.3)
        )
        bias = tf.get_variable("bias", [filters], initializer=tf.constant_initializer(0.1))
        tf.add_to_collection("weights", kernel)
        net = tf.nn.conv2d(inputs, kernel, strides=[1, 2, 2, 1], padding="SAME")
        return tf.nn.relu(tf.nn.bias_add(net, bias))


def tower(images, reuse=False):
    with tf.variable_scope("tower", reuse=reuse):
        net = conv_block(images, 4, "conv1")
        net = conv_block(net, 8, "conv2")
        net = tf.reshape(net, [-1, 2 * 2 * 8])
        return tf.layers.dense(net, EMBEDDING, name="embedding")


def head(distance):
    # called for training and for scoring: the first call makes the variables, the second one finds them
    with tf.variable_scope("head", reuse=tf.AUTO_REUSE):
        scale = tf.get_variable("scale", [], initializer=tf.ones_initializer())
        offset = tf.get_variable("offset", [], initializer=tf.zeros_initializer())
    return offset - scale * distance


def main(_):
    left_images, right_images, same = make_pairs(32, seed=0)

    left = tf.placeholder(tf.float32, [None, SIZE, SIZE, 1], name="left")
    right = tf.placeholder(tf.float32, [None, SIZE, SIZE, 1], name="right")
    label = tf.placeholder(tf.float32, [None], name="label")

    left_embedding = tower(left)
    right_embedding = tower(right, reuse=True)
    squared = tf.reduce_sum(tf.square(left_embedding - right_embedding), axis=1)
    distance = tf.sqrt(squared + 1e-6)

    logits = head(distance)
    score = tf.sigmoid(head(distance - MARGIN))

    data_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logits))
    decay = tf.add_n([tf.nn.l2_loss(weight) for weight in tf.get_collection("weights")])
    loss = data_loss + FLAGS.weight_decay * decay

    global_step = tf.train.get_or_create_global_step()
    tower_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="tower")
    head_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="head")
    tower_op = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, global_step=global_step, var_list=tower_vars)
    head_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=head_vars)

    for variable in tf.trainable_variables():
        print("%s %s" % (variable.op.name, variable.get_shape().as_list()))

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        feed = {left: left_images, right: right_images, label: same}
        for _ in range(FLAGS.steps):
            sess.run(head_op, feed_dict=feed)
            _, loss_value, step = sess.run([tower_op, loss, global_step], feed_dict=feed)
            if step % 4 == 0:
                print("step %d: loss %.5f" % (step, loss_value))
        test_left, test_right, _ = make_pairs(8, seed=1)
        scores = sess.run(score, feed_dict={left: test_left, right: test_right})
        print("scores", np.round(scores, 4))


if __name__ == "__main__":
    tf.app.run()
