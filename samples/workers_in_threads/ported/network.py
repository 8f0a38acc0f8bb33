"""What a worker knows: how to go on, and what its place is worth."""
import numpy as np
import tensorflow as tf
import compat

from walk import Walk


def spread(shape, dtype=None, partition_info=None):
    return tf.constant(np.sin(np.arange(np.prod(shape)) + 1.0).reshape(shape) * 0.4, dtype)


def copy_weights(source, target):
    pairs = zip(*[compat.get_collection(compat.GraphKeys.TRAINABLE_VARIABLES, scope) for scope in (source, target)])
    return [mine.assign(theirs) for theirs, mine in pairs]


class Network(object):
    @compat.builder
    def __init__(self, scope, trainer=None):
        with compat.variable_scope(scope):
            self.seen = compat.Input(tf.float32, [None, Walk.size], 'seen')
            hidden = self.dense(self.seen, 8, 'hidden', tf.nn.elu)
            self.policy = tf.nn.softmax(self.dense(hidden, Walk.actions, 'policy'))
            self.value = tf.squeeze(self.dense(hidden, 1, 'value'), 1)
            self.act_step = compat.step([self.policy, self.value], self.seen)
            self.policy_step = compat.step(self.policy, self.seen)
            self.value_step = compat.step(self.value, self.seen)
            if trainer is None:
                return
            self.taken = compat.Input(tf.int32, [None], 'taken')
            self.returns = compat.Input(tf.float32, [None], 'returns')
            self.advantages = compat.Input(tf.float32, [None], 'advantages')
            chosen = tf.reduce_sum(self.policy * tf.one_hot(self.taken, Walk.actions), 1)
            self.value_loss = 0.5 * tf.reduce_sum(tf.square(self.returns - self.value))
            self.entropy = -tf.reduce_sum(self.policy * tf.math.log(self.policy))
            self.policy_loss = -tf.reduce_sum(tf.math.log(chosen) * self.advantages)
            loss = 0.5 * self.value_loss + self.policy_loss - 0.01 * self.entropy
            mine = compat.get_collection(compat.GraphKeys.TRAINABLE_VARIABLES, scope)
            slopes, self.norm = tf.clip_by_global_norm(tf.gradients(loss, mine), 2.0)
            shared = compat.get_collection(compat.GraphKeys.TRAINABLE_VARIABLES, 'global')
            self.learn = trainer.apply_gradients(zip(slopes, shared))
            self.learn_step = compat.step(
                [self.value_loss, self.policy_loss, self.norm],
                self.seen, self.taken, self.returns, self.advantages, updates=self.learn)

    def dense(self, value, width, name, bend=None):
        weights = compat.get_variable(name, [value.shape[1], width], initializer=spread)
        out = tf.matmul(value, weights)
        return out if bend is None else bend(out)
