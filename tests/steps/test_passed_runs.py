"""Runs that a constant passes by become steps as those that the program makes: what is left names no session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

NET = """\
import tensorflow as tf

DEBUG = False
EPOCHS = 0


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [])
        self.v = tf.get_variable("v", initializer=2.0)
        parts = [self.v * self.x]
        self.y = parts[-1]
        self.up = self.v.assign_add(1.0)


def main():
    net = Net()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        LINE
        print(sess.run([net.up, net.y], {net.x: 3.0})[0] > 2.0)


main()
"""
SERVED = """\
import tensorflow as tf

VERBOSE = None
x = tf.placeholder(tf.float32, [None])
w = tf.Variable([1.0, 2.0])
table = {"out": x * w}
merged = tf.reduce_sum(table["out"])
sess = tf.Session()
sess.run(tf.global_variables_initializer())


def serve(values, log=lambda text: text):
    LINE
    return sess.run(table["out"], {x: values})


print(serve([3.0, 4.0]).tolist())
"""


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (NET, "extra = sess.run(net.y, {net.x: 1.0}) if DEBUG else None"),
        (NET, "DEBUG and print(sess.run(net.y, {net.x: 1.0}))"),
        (NET, "extra = [sess.run(net.y, {net.x: i}) for i in range(3) if DEBUG]"),
        (NET, "rows = {i: sess.run(net.y, {net.x: i}) for i in range(EPOCHS)}"),
        (NET, "while DEBUG: print(sess.run(net.y, {net.x: 3.0}))"),
        (NET, "for i in range(EPOCHS): print(sess.run(net.y, {net.x: i}))"),
        (SERVED, "log(sess.run(merged, {x: values}) if VERBOSE else 'quiet')"),
        (SERVED, "assert not VERBOSE or sess.run(merged, {x: values}) > 0"),
        (SERVED, "log([sess.run(merged, {x: [value]}) for value in ()])"),
    ],
)
def test_they_are_steps(program: str, line: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    code = program.replace("LINE", line)
    outcome = migrated(code, tmp_path)
    sites = [site for site in outcome.report.sites if not site.initializer_only]
    assert len(sites) == 2 and {site.tier for site in sites} == {"native"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(code)
