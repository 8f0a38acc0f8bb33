"""Idioms of many programs: sessions that may be given, methods of their own that read as runs, named tuples, chains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# The one who makes the object gives it the session: `is None` never holds, whatever is done there.
OPTIONAL = """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(3)


class Agent:
    def __init__(self, n, rate=0.01, sess=None):
        self.n = n
        self.build(rate)
        if sess is None:
            self.sess = tf.Session()
            self.sess.run(tf.global_variables_initializer())
        else:
            self.sess = sess

    def build(self, rate):
        self.state = tf.placeholder(tf.float32, [None, self.n], name="state")
        w = tf.get_variable("w", [self.n, 2], initializer=tf.constant_initializer(0.5))
        self.q = tf.tanh(tf.matmul(self.state, w))
        self.target = tf.placeholder(tf.float32, [None, 2])
        self.op = tf.train.GradientDescentOptimizer(rate).minimize(tf.losses.mean_squared_error(self.target, self.q))

    def learn(self, s, t):
        self.sess.run(self.op, feed_dict={self.state: s, self.target: t})

    def values(self, s):
        return self.sess.run(self.q, {self.state: s})


sess = tf.Session()
with tf.variable_scope("natural"):
    natural = Agent(3, sess=sess)
with tf.variable_scope("double"):
    double = Agent(3, 0.1, sess=sess)
sess.run(tf.global_variables_initializer())
s = np.linspace(-1, 1, 6).reshape(2, 3)
for agent in (natural, double):
    for _ in range(3):
        agent.learn(s, np.ones((2, 2)))
    print(["%.5f" % value for value in agent.values(s).ravel()])
"""

# A conditional expression chooses the session, and a function is handed one that it needs no more.
CHOSEN = """\
import tensorflow as tf


def session_of(given):
    return given if given is not None else tf.get_default_session()


class Counter(object):
    def __init__(self, start, session=None):
        self._session = session_of(session) if session is not None else tf.Session()
        self.total = tf.get_variable("total", initializer=start)
        self.more = tf.placeholder(tf.float32, [])
        self.added = tf.assign_add(self.total, self.more)

    def add(self, value):
        return float(self._session.run(self.added, {self.more: value}))


with tf.Session() as session:
    counter = Counter(1.0, session)
    session.run(tf.global_variables_initializer())
    print(counter.add(2.0), counter.add(0.5))
"""

# The class has methods `eval` and `run` of its own.
OWN_METHODS = """\
import tensorflow as tf


class Recommender(object):
    def __init__(self, n):
        self.users = tf.placeholder(tf.int32, [None])
        self.table = tf.get_variable("table", [n, 2], initializer=tf.constant_initializer(0.25))
        self.scores = tf.reduce_sum(tf.gather(self.table, self.users), 1)
        self.up = tf.assign_add(self.table, tf.ones_like(self.table))
        self.eval()

    def eval(self):
        self.best = tf.reduce_max(self.scores)

    def run(self, session, feed_dict):
        best = session.run(self.best, feed_dict=feed_dict)
        session.run(self.up)
        return best


model = Recommender(4)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print(model.run(session=sess, feed_dict={model.users: [0, 2]}), model.best.eval({model.users: [1]}))
"""

# What belongs together is kept in a class made of a named tuple, and given away by parts.
NAMED_TUPLES = """\
import collections

import numpy as np
import tensorflow as tf


class Fitted(collections.namedtuple("Fitted", ("model", "feeds", "init"))):
    \"\"\"A model and what it is fed.\"\"\"

    __slots__ = ()

    def batch(self, x, y):
        return dict(zip(self.feeds, (x, y)))


class Linear(object):
    def __init__(self, x, y):
        w = tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(0.5))
        self.loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
        self.update = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def train(self, sess, feed):
        return sess.run([self.update, self.loss], feed_dict=feed)[1]

    def eval(self, sess, feed):
        return sess.run(self.loss, feed_dict=feed)


def make():
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None, 1])
    return Fitted(feeds=(x, y), model=Linear(x, y), init=tf.global_variables_initializer())


def main():
    fitted = make()
    x, y = np.arange(12, dtype=np.float32).reshape(4, 3) / 10, np.ones((4, 1), np.float32)
    with tf.Session() as sess:
        sess.run(fitted.init)
        for _ in range(3):
            print("%.5f" % fitted.model.train(sess, fitted.batch(x, y)))
        print("%.5f" % fitted.model.eval(sess, {fitted.feeds[0]: x, fitted.feeds[1]: y}))


main()
"""

# A chain over several lines ends in a method that is written before it; what builds moves one level deeper.
CHAIN = """\
import numpy as np
import tensorflow as tf


class Plus(object):
    def __init__(self, more):
        self.more = more

    def __call__(self, x):
        return x + self.more


element = (tf.data.Dataset.from_tensor_slices(np.arange(4.0))
           .map(Plus(0.5))
           .make_one_shot_iterator()
           .get_next())
session = tf.Session()
for _ in range(3):
    print(session.run(element))
"""


@pytest.mark.parametrize(
    ("program", "tiers"),
    [
        pytest.param(OPTIONAL, {"native"}, id="optional"),
        pytest.param(CHOSEN, {"native"}, id="chosen"),
        pytest.param(OWN_METHODS, {"native"}, id="own methods"),
        pytest.param(CHAIN, {"native"}, id="chain"),
        pytest.param(NAMED_TUPLES, {"native", "dynamic"}, id="named tuples"),
    ],
)
def test_programs_before_and_after(
    program: str, tiers: set[str], tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} <= tiers
    text = outcome.contents["main.py"].decode()
    assert "session=" not in text
    assert said_by(text, tmp_path) == run_legacy(program)
