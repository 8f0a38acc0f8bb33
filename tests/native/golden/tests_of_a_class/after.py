"""Tests of a moving average: each builds a graph of its own, and runs it in the session that the test keeps."""

import unittest

import numpy as np
import tensorflow as tf
import compat


def average(total, value, decay):
    """One step of a moving average."""
    return total * decay + value * (1.0 - decay)


class AverageTest(tf.test.TestCase):
    def setUp(self):
        super(AverageTest, self).setUp()
        self.decay = 0.75
        self.start = tf.constant([4.0, 8.0])

    def check(self, value, expected):
        print(value)
        self.assertAllClose(value, expected, rtol=1e-3)

    def testConstant(self):
        result = average(self.start, tf.ones([2]), self.decay)
        self.check(result.numpy(), [3.25, 6.25])

    def testGradient(self):
        weight = tf.Variable([1.0, 2.0], name="weight")
        optimizer = compat.train.GradientDescentOptimizer(0.5)

        @tf.function
        def train_step():
            with tf.GradientTape() as tape:
                # The average is linear in the weight.
                loss = tf.reduce_sum(average(self.start, tf.square(weight), self.decay))
            variables = [weight]
            gradients = tape.gradient(loss, variables)
            optimizer.apply_gradients(zip(gradients, variables))

        for _ in range(2):
            train_step()
        self.check(weight.numpy(), [0.5625, 1.125])

    def testPlaceholder(self):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def compute_result(value):
            result = average(self.start, value, self.decay)
            self.assertEqual(result.get_shape().as_list(), [2])
            return result

        # `setUp` seeds NumPy.
        fed = np.random.rand(2)
        self.check(compute_result(fed).numpy(), [3.0461586, 6.1937027])

    def testRunning(self):
        total = tf.Variable(tf.zeros([2]), name="total")

        @tf.function
        def update():
            total.assign(average(total, self.start, self.decay))

        for _ in range(3):
            update()
        self.check(total.numpy(), [2.3125, 4.625])


if __name__ == "__main__":
    unittest.main(argv=["tests"], exit=False)
