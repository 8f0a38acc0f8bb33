"""What steps compute of two outputs of one operation, where oneDNN is in use, and how far that is from the truth."""

import json

import numpy as np
import tensorflow as tf

import compat

LEAKY = np.float32([[0.5, -2.0, 3.0], [-1.0, -0.25, 1.0]])
IMAGES = np.random.RandomState(0).normal(size=[2, 2, 4, 4, 3]).astype(np.float32)


def leaky(value):
    x, y = tf.unstack(value)
    return tf.maximum(tf.identity(y), tf.reshape(x, tf.shape(x)) / 2.0)


def leaky_once_more(value):
    """The same with two operations that are alike, and with others that change nothing."""
    x, y = tf.unstack(1.5 * value)[0], tf.unstack(1.5 * value)[1]
    return tf.maximum(tf.reverse(y, []) + 0.0, 0.5 * tf.tile(x, [1])) + 0.0 * tf.maximum(x, 0.2 * x)


def normalized(value):
    """Images, normalized by the moments of others, of the same operation."""
    x, y = tf.unstack(value)
    mean = tf.reduce_mean(x, [1, 2], keepdims=True)
    variance = tf.reduce_mean(tf.math.squared_difference(x, mean), [1, 2], keepdims=True)
    return tf.nn.batch_normalization(y, mean, variance, tf.constant([0.5, 0.2, 0.1]), tf.constant([1.0, 2.0, 3.0]), 0.1)


def arranged(function, value):
    """A function's result in building code, in a branch, in a loop, and where it is called."""
    yield function(value)
    yield tf.cond(tf.reduce_sum(value) > 1e9, lambda: 0.0 * function(value), lambda: function(value))
    zero = tf.constant(0), tf.zeros_like(function(value))
    yield tf.while_loop(lambda turn, _: turn < 2, lambda turn, _: (turn + 1, function(value)), zero)[1]
    yield tf.function(function, autograph=False)(value)


def differences(function, array):
    """How far a step's results are from what is computed at once, eagerly and in a `tf.function`."""
    with compat.VariableStore(), compat.building():
        value = compat.Input(tf.float32, array.shape)
        step = compat.step(list(arranged(function, value)), value)
    wanted = function(tf.constant(array)).numpy()
    inside = tf.function(step, autograph=False)(tf.constant(array))
    return [float(np.abs(each - wanted).max()) for each in [*step(array), *inside]]


def of_inputs():
    """The same where the inputs of a step are outputs of one operation of the function around."""
    with compat.VariableStore(), compat.building():
        x, y = compat.Input(tf.float32, [None]), compat.Input(tf.float32, [None])
        step = compat.step(tf.maximum(y, 0.5 * x), x, y)
    around = tf.function(lambda value: step(*tf.unstack(value)), autograph=False)
    return around(tf.constant(LEAKY)).numpy().tolist()


if __name__ == "__main__":
    found = {each.__name__: differences(each, LEAKY) for each in (leaky, leaky_once_more)}
    found["normalized"] = differences(normalized, IMAGES)
    print(json.dumps({**found, "of_inputs": of_inputs()}))
