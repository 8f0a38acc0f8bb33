"""What a function builds in one of its branches, and runs where it took that branch: its step is bound there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

DECODED = """\
import sys

import numpy as np
import tensorflow as tf


def score(rows, decode, turns):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [None], name="x")
        if decode:
            text = tf.placeholder(tf.string, [])
            numbers = tf.string_to_number(tf.string_split([text], ",").values)
        out = tf.reduce_sum(x * 2.0)
    sess = tf.Session(graph=graph)
    found = []
    for turn in range(turns):
        for row in rows:
            if decode:
                row = sess.run(numbers, {text: row})
            else:
                row = np.float32(row.split(","))
            found.append(sess.run(out, {x: row}))
    return found


print(score(["1,2", "3"], len(sys.argv) < 5, 2), score(["1,2", "3"], len(sys.argv) > 5, 1))
"""

WATCHED = """\
import sys

import tensorflow as tf

watch = len(sys.argv) < 9
v = tf.Variable(1.0)
up = tf.assign_add(v, 0.5)
if watch:
    level = tf.placeholder(tf.float32, [])
    away = tf.abs(v - level)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for turn in range(3):
        sess.run(up)
        if watch and turn > 0:
            print(turn, sess.run(away, {level: 2.0}))
"""

# The name means one thing or another: no branch has it alone.
EITHER = """\
import sys

import tensorflow as tf


def show(doubled, rows):
    x = tf.placeholder(tf.float32, [])
    y = x + 1.0
    if doubled:
        z = tf.placeholder(tf.float32, [])
        y = y * z
    with tf.Session() as sess:
        for row in rows:
            feed = {x: row, z: 2.0} if doubled else {x: row}
            print(sess.run(y, feed))


show(len(sys.argv) > 9, [1.0, 2.0])
show(len(sys.argv) < 9, [1.0, 2.0])
"""


@pytest.mark.parametrize(
    ("program", "tiers"),
    [(DECODED, {"native"}), (WATCHED, {"native"}), (EITHER, {"dynamic"})],
    ids=["decoded", "watched", "either"],
)
def test_parts_that_one_branch_builds(
    program: str, tiers: set[str], tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites if not site.initializer_only} == tiers
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
