"""Tests of a moving average: each builds a graph of its own, and runs it in the session that the test keeps."""

import unittest

import numpy as np
import tensorflow as tf


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
        with self.test_session() as sess:
            self.check(sess.run(result), [3.25, 6.25])

    def testGradient(self):
        weight = tf.Variable([1.0, 2.0], name="weight")
        # The average is linear in the weight.
        loss = tf.reduce_sum(average(self.start, tf.square(weight), self.decay))
        step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(2):
                sess.run(step)
            self.check(sess.run(weight), [0.5625, 1.125])

    def testPlaceholder(self):
        value = tf.placeholder(tf.float32, [None])
        result = average(self.start, value, self.decay)
        self.assertEqual(result.get_shape().as_list(), [2])
        # `setUp` seeds NumPy.
        fed = np.random.rand(2)
        with self.test_session() as sess:
            self.check(sess.run(result, feed_dict={value: fed}), [3.0461586, 6.1937027])

    def testRunning(self):
        total = tf.Variable(tf.zeros([2]), name="total")
        update = total.assign(average(total, self.start, self.decay))
        with self.test_session():
            tf.global_variables_initializer().run()
            for _ in range(3):
                update.eval()
            self.check(total.eval(), [2.3125, 4.625])


if __name__ == "__main__":
    unittest.main(argv=["tests"], exit=False)
