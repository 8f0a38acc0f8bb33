"""What a worker knows: how to go on, and what its place is worth."""
import numpy as np
import tensorflow as tf

from walk import Walk


def spread(shape, dtype=None, partition_info=None):
    return tf.constant(np.sin(np.arange(np.prod(shape)) + 1.0).reshape(shape) * 0.4, dtype)


def copy_weights(source, target):
    pairs = zip(*[tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope) for scope in (source, target)])
    return [mine.assign(theirs) for theirs, mine in pairs]


class Network(object):
    def __init__(self, scope, trainer=None):
        with tf.variable_scope(scope):
            self.seen = tf.placeholder(tf.float32, [None, Walk.size], 'seen')
            hidden = self.dense(self.seen, 8, 'hidden', tf.nn.elu)
            self.policy = tf.nn.softmax(self.dense(hidden, Walk.actions, 'policy'))
            self.value = tf.squeeze(self.dense(hidden, 1, 'value'), 1)
            if trainer is None:
                return
            self.taken = tf.placeholder(tf.int32, [None], 'taken')
            self.returns = tf.placeholder(tf.float32, [None], 'returns')
            self.advantages = tf.placeholder(tf.float32, [None], 'advantages')
            chosen = tf.reduce_sum(self.policy * tf.one_hot(self.taken, Walk.actions), 1)
            self.value_loss = 0.5 * tf.reduce_sum(tf.square(self.returns - self.value))
            self.entropy = -tf.reduce_sum(self.policy * tf.log(self.policy))
            self.policy_loss = -tf.reduce_sum(tf.log(chosen) * self.advantages)
            loss = 0.5 * self.value_loss + self.policy_loss - 0.01 * self.entropy
            mine = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope)
            slopes, self.norm = tf.clip_by_global_norm(tf.gradients(loss, mine), 2.0)
            shared = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, 'global')
            self.learn = trainer.apply_gradients(zip(slopes, shared))

    def dense(self, value, width, name, bend=None):
        weights = tf.get_variable(name, [value.shape[1].value, width], initializer=spread)
        out = tf.matmul(value, weights)
        return out if bend is None else bend(out)
