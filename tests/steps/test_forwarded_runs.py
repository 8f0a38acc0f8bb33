"""Functions that only run what they are given: their callers become steps, and they stay for others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

LIBRARY = """\
import numpy as np
import tensorflow as tf


def run(*args, **kwargs):
    '''Run the specified ops in the default session.'''
    assert_tf_initialized()
    return tf.get_default_session().run(*args, **kwargs)


def init_tf():
    if tf.get_default_session() is not None:
        return
    session = tf.Session()
    session._default_session = session.as_default()
    session._default_session.enforce_nesting = False
    session._default_session.__enter__()


def assert_tf_initialized():
    '''Check that TensorFlow session has been initialized.'''
    if tf.get_default_session() is None:
        raise RuntimeError("No default TensorFlow session found. Please call init_tf().")
"""

NETWORK = """\
import numpy as np
import tensorflow as tf
import tflib


def lerp(a, b, t):
    return a + (b - a) * t


class Network:
    def __init__(self, name):
        with tf.variable_scope(name):
            self.latents = tf.placeholder(tf.float32, [None, 2], name="latents")
            self.w = tf.get_variable("w", [2, 3], initializer=tf.constant_initializer(0.5))
            self.images = tf.nn.tanh(tf.matmul(self.latents, self.w))
            self.avg = tf.get_variable("avg", [3], initializer=tf.zeros_initializer(), trainable=False)
            self.update = tf.assign(self.avg, lerp(tf.reduce_mean(self.images, 0), self.avg, 0.5))

    def reset(self):
        tflib.run([self.w.initializer, self.avg.initializer])

    def get(self, rows):
        return tflib.run(self.images, feed_dict={self.latents: rows})


def train():
    tflib.init_tf()
    net = Network("G")
    net.reset()
    loss = tf.reduce_mean(tf.square(net.images - 0.25))
    lr = tf.placeholder(tf.float32, [], name="lr")
    train_op = tf.train.GradientDescentOptimizer(lr).minimize(loss, var_list=[net.w])
    rows = np.linspace(-1.0, 1.0, 8).reshape(4, 2)
    for turn in range(5):
        feed = {net.latents: rows, lr: 0.1 / (turn + 1)}
        tflib.run(train_op, feed)
        cost, _ = tflib.run([loss, net.update], {net.latents: rows})
        print(turn, "%.5f" % cost)
    print(net.get(rows).round(4))
    print(tflib.run(net.avg).round(4), tflib.run([net.w, net.avg])[0].round(4))


if __name__ == "__main__":
    train()
"""

HELPERS = """\
import numpy as np
import tensorflow as tf

ALREADY_INITIALIZED = set()


def get_session():
    '''Returns the default session.'''
    return tf.get_default_session()


def eval(expr, feed_dict=None):
    if feed_dict is None:
        feed_dict = {}
    return get_session().run(expr, feed_dict=feed_dict)


def run_with(ops, feed_dict):
    return get_session().run(ops, feed_dict)


def initialize():
    new_variables = set(tf.global_variables()) - ALREADY_INITIALIZED
    get_session().run(tf.variables_initializer(new_variables))
    ALREADY_INITIALIZED.update(new_variables)
"""

LEARNER = """\
import numpy as np
import tensorflow as tf
import tf_util as U


def policy(obs):
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    return tf.reduce_sum(obs * w, 1), w


def main():
    with tf.Session():
        obs = tf.placeholder(tf.float32, [None, 2], name="obs")
        goal = tf.placeholder(tf.float32, [None], name="goal")
        value, w = policy(obs)
        error = tf.reduce_mean(tf.square(value - goal))
        grads = tf.gradients(error, [w])[0]
        step = tf.assign_sub(w, 0.1 * grads)
        U.initialize()
        x = np.eye(2)
        for _ in range(3):
            U.run_with([step, error], {obs: x, goal: [0.0, 2.0]})
            print(U.eval(error, {obs: x, goal: [0.0, 2.0]}).round(5))
        print(U.eval(w).round(5), U.eval([value, grads], feed_dict={obs: x, goal: [1.0, 1.0]}))


main()
"""

METHOD = """\
import numpy as np
import tensorflow as tf


class Trainer(object):
    def __init__(self, rate):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None])
            self.a = tf.Variable(0.5)
            self.loss = tf.reduce_mean(tf.square(self.a * self.x - 1.0))
            self.learn = tf.train.GradientDescentOptimizer(rate).minimize(self.loss)
            self.sess = tf.Session(graph=self.graph)
            self._run(tf.global_variables_initializer())

    def _run(self, what, values=None):
        return self.sess.run(what, feed_dict=values)

    def fit(self, rows):
        for row in rows:
            _, loss = self._run([self.learn, self.loss], {self.x: row})
            print("%.4f" % loss)
        return self._run(self.a)


print("%.4f" % Trainer(0.1).fit([[1.0, 2.0], [0.5], [3.0]]))
"""

PROGRAMS = {
    "what takes anything": ({"main.py": NETWORK, "tflib.py": LIBRARY}, 6),
    "what takes both": ({"main.py": LEARNER, "tf_util.py": HELPERS}, 4),
    "a method": ({"main.py": METHOD}, 2),
}


@pytest.mark.parametrize(("program", "steps"), PROGRAMS.values(), ids=PROGRAMS)
def test_callers_are_steps(program: dict[str, str], steps: int, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    outcome = migrated(program, before)
    tiers = [site.tier for site in outcome.report.sites if not site.initializer_only]
    assert tiers.count("native") == steps and "bridge" not in tiers
    for path, content in outcome.contents.items():
        (after / path).write_bytes(content)
    said = said_by(outcome.contents["main.py"].decode(), after)
    assert said == run_legacy(program["main.py"], cwd=before)


KEPT = """\
import tensorflow as tf


class Runner:
    def __init__(self, session):
        self.session = session
        self.count = 0

    def counted(self, *args, **kwargs):
        self.count += 1
        return self.session.run(*args, **kwargs)

    def plain(self, fetches, feed_dict={"bias:0": 1.0}):
        return self.session.run(fetches, feed_dict)

    def first(self, fetches, feed_dict=None):
        return self.session.run(fetches, feed_dict)[0]


def spare(*what, **more):
    return tf.get_default_session().run(*what, **more)


x = tf.placeholder(tf.float32, [], name="x")
b = tf.placeholder_with_default(0.5, [], name="bias")
y = 2.0 * x + b
with tf.Session() as sess:
    runner = Runner(sess)
    print("%.2f" % runner.counted(y, feed_dict={x: 3.0}))
    print("%.2f %.2f" % tuple(runner.counted([y, b], {x: 4.0, b: 1.5})), runner.count)
    print("%.2f %.2f" % (runner.plain(b), runner.first([y, b], {x: 1.0}) + runner.first([b])))
"""


def test_functions_that_do_more_are_called(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(KEPT, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"dynamic"}
    text = outcome.contents["main.py"].decode()
    assert "compat.run(*args, **kwargs)" in text and "compat.run(*what, **more)" in text
    assert said_by(text, tmp_path) == run_legacy(KEPT)
