"""Distributions: they are made in the functions that use them, and an attribute may be added to in place."""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses, rewritten

POLICY = """\
import numpy as np
import tensorflow as tf


class Policy(object):
    def __init__(self, sess):
        self.sess = sess
        self.s = tf.placeholder(tf.float32, [None, 2])
        self.a = tf.placeholder(tf.float32, [None, 1])
        ones = tf.constant_initializer(0.25)
        mu = tf.layers.dense(self.s, 1, tf.nn.tanh, kernel_initializer=ones, name="mu")
        sigma = tf.layers.dense(self.s, 1, tf.nn.softplus, kernel_initializer=ones, name="sigma")
        self.dist = tf.distributions.Normal(mu, sigma)
        old = tf.distributions.Normal(loc=0.5 * mu, scale=sigma + 1.0)
        self.spread = tf.reduce_mean(tf.distributions.kl_divergence(old, self.dist))
        self.drawn = tf.shape(self.dist.sample(3))
        self.value = -tf.reduce_mean(self.dist.log_prob(self.a))
        self.value -= 0.01 * tf.reduce_mean(self.dist.entropy())
        self.centre = self.dist.mean() + self.dist.scale
        self.train = tf.train.AdamOptimizer(0.1).minimize(self.value)

    def learn(self, s, a):
        _, value, spread = self.sess.run([self.train, self.value, self.spread], {self.s: s, self.a: a})
        return value, spread

    def look(self, s):
        return self.sess.run([self.centre, self.drawn], {self.s: s})


sess = tf.Session()
policy = Policy(sess)
sess.run(tf.global_variables_initializer())
s, a = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[0.5], [0.25]])
for _ in range(3):
    print("%.4f %.4f" % policy.learn(s, a))
centre, drawn = policy.look(s)
print("%.4f %.4f" % tuple(centre[:, 0]), drawn.tolist())
"""
# What TensorFlow 1.15.5 prints.
POLICY_OUTPUT = "0.8327 1.2807\n0.6147 1.5506\n0.4545 2.0026\n1.0434 0.9970 [3, 2, 1]\n"


def test_computes_what_tf1_computed() -> None:
    result = made_native(POLICY)
    assert printed(result.text) == POLICY_OUTPUT


def test_an_attribute_that_is_added_to_stays_a_name() -> None:
    assert "value -= 0.01 * tf.reduce_mean(dist.entropy())" in rewritten(POLICY).text


REFUSED = {
    "checks": ("Normal(mu, sigma)", "Normal(mu, sigma, validate_args=True)", "told to check"),
    "a seed": ("sample(3)", "sample(3, seed=1)", "`.sample()` of a distribution"),
    "another method": ("self.dist.mean()", "self.dist.quantile(0.5)", "`.quantile()` of a distribution"),
    "another attribute": ("self.dist.scale", "self.dist.name", "`.name` of a part of the graph"),
    "a number of samples that is computed": ("sample(3)", "sample(tf.shape(self.s)[0])", "how many samples"),
    "a distribution of a session": ("Normal(mu, sigma)", "Normal(self.sess, sigma)", "no tensor"),
    "a session that is added to": ("self.value -= 0.01", "self.sess -= 0.01", "an operator is applied to something"),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(change: tuple[str, str, str]) -> None:
    old, new, reason = change
    assert old in POLICY
    code = POLICY.replace(old, new)
    refuses(code, reason)
