"""Runs of a session whose name nothing binds: they raise, and keep nothing else on the bridge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

METHOD = """\
import tensorflow as tf


class Speaker(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.table = tf.get_variable("table", [2], initializer=tf.ones_initializer())
        self.out = self.x * tf.reduce_sum(self.table)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def speak(self, x, speaker=None):
        feed = {self.x: x}
        if type(speaker) == dict:
            rows = sess.run(self.table)
            feed[self.table] = [rows[each] for each in speaker]
        return self.sess.run(self.out, feed_dict=feed)


speaker = Speaker()
print(speaker.speak([1.0, 2.0]).tolist())
try:
    speaker.speak([1.0], {0: 1.0})
except NameError as error:
    print(error)
print(speaker.speak([3.0]).tolist())
"""

FUNCTION = """\
import tensorflow as tf

v = tf.Variable(2.0)


def train(turns):
    up = tf.assign_add(v, 1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(turns):
            print(sess.run(up))


def evaluate():
    return session.run(v)


train(2)
try:
    evaluate()
except NameError:
    print("no session")
"""


@pytest.mark.parametrize("program", [METHOD, FUNCTION], ids=["method", "function"])
def test_runs_of_a_name_that_nothing_binds(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    sites = [site for site in outcome.report.sites if not site.initializer_only]
    assert sorted(site.tier for site in sites) == ["manual", "native"]
    reasons = [reason.code for site in outcome.report.sites for reason in site.reasons]
    assert reasons == ["session-unbound"]
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
