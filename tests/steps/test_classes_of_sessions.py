"""Programs that ask whether a session is one: it is, where nothing else is given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

ASSERTED = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.weights = {"w": tf.Variable([2.0]), "b": tf.Variable([1.0])}
        self.out = self.x * self.weights["w"] + self.weights["b"]

    def saved(self, sess):
        assert isinstance(sess, tf.Session)
        rows = {}
        for name, var in sorted(self.weights.items()):
            rows[name] = sess.run(var)
        return rows


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(net.out, {net.x: [1.0, 2.0]}).tolist())
    print(sorted((name, row.tolist()) for name, row in net.saved(sess).items()))
"""

TESTED = """\
import tensorflow as tf

v = tf.Variable(3.0)


def value(session, tensor):
    if not isinstance(session, tf.Session):
        raise TypeError("no session")
    kind = "session" if isinstance(session, tf.Session) else "other"
    return kind, session.run(tensor)


sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(value(sess, v * 2.0))
"""

# An interactive session is none of that class.
INTERACTIVE = TESTED.replace("tf.Session()", "tf.InteractiveSession()")


@pytest.mark.parametrize("program", [ASSERTED, TESTED], ids=["asserted", "tested"])
def test_what_a_session_is(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites if not site.initializer_only} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)


def test_sessions_of_other_classes_stay(tmp_path: Path) -> None:
    outcome = migrated(INTERACTIVE, tmp_path)
    assert {site.tier for site in outcome.report.sites if not site.initializer_only} == {"bridge"}
