"""A run of a session that is closed raises in TensorFlow 1: such a program stays on the bridge, which raises too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

SCRIPT = """\
import tensorflow as tf

v = tf.Variable(2.0)
sess = tf.Session()
sess.run(v.initializer)
print(sess.run(v * 2.0))
sess.close()
print("closed")
try:
    print(sess.run(v))
except RuntimeError as error:
    print(error)
"""
SERVICE = """\
import tensorflow as tf


class Service(object):
    def __init__(self):
        self.x = tf.placeholder(tf.int32, [])
        self.out = self.x + 1
        self.session = tf.Session()

    def last(self, value):
        try:
            self.session.close()
            return self.out.eval({self.x: value}, session=self.session)
        except RuntimeError as error:
            return str(error)


service = Service()
print(service.session.run(service.out, {service.x: 1}))
print(service.last(2))
"""
LEFT = """\
import tensorflow as tf

v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
with tf.Session() as sess:
    sess.run(v.initializer)
    print(sess.run(v))
try:
    sess.run(v)
except RuntimeError as error:
    print(error)
"""
ENTERED = """\
import tensorflow as tf

v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
sess = tf.Session()
with sess:
    sess.run(v.initializer)
    print(sess.run(v))
try:
    print(sess.run(v + 1.0))
except RuntimeError as error:
    print(error)
"""
CASES = {
    "left": (LEFT, "0.0\nAttempted to use a closed Session.\n"),
    "entered": (ENTERED, "0.0\nAttempted to use a closed Session.\n"),
    "script": (SCRIPT, "4.0\nclosed\nAttempted to use a closed Session.\n"),
    "service": (SERVICE, "2\nAttempted to use a closed Session.\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_runs_in_it_raises(name: str, tmp_path: Path) -> None:
    code, expected = CASES[name]
    outcome = migrated(code, tmp_path)
    assert "is closed before it runs" in str([site.reasons for site in outcome.report.sites])
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == expected


@pytest.mark.parametrize(
    "line", ["sess = tf.Session()\nsess.run(v.initializer)", "sess.run = print", "def f(): sess.run(v)"]
)
def test_another_session_may_run(line: str, tmp_path: Path) -> None:
    code = SCRIPT.replace('print("closed")', line)
    code = code if "def" not in line else code[: code.index("try:")]
    outcome = migrated(code, tmp_path)
    assert "is closed before it runs" not in str([site.reasons for site in outcome.report.sites])
