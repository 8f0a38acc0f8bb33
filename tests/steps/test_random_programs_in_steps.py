"""Random programs in steps, with layers and without: none prints anything else than in TensorFlow 1.15.5."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.steps.many_programs import OPEN, in_tensorflow_1, numbers, outcomes, verdict


@pytest.mark.usefixtures("legacy_python")
@pytest.mark.parametrize("first", range(0, 240, 40))
def test_no_program_in_steps_prints_anything_else(first: int) -> None:
    found = dict(outcomes(range(first, first + 40)))
    assert {seed: became for seed, became in found.items() if became.endswith(("different", "failed"))} == {}
    kinds = Counter(found.values())
    assert kinds["written: same"] > 5 and kinds["recorded: same"] > 5, kinds


def test_what_tensorflow_1_leaves_open_is_no_difference_and_all_else_is() -> None:
    truths = ["run0 1.0 run1 2.0", "run0 1.0 run1 3.0"]
    assert verdict("run0 1.0 run1 2.0", truths[:1]) == "same"
    assert verdict("run0 1.0 run1 3.0", truths) == "same in one of 2"
    assert verdict("run0 1.0 run1 2.5", ["run0 1.0 run1 987654.0"]) == "same, but for what is left open"
    assert verdict("run0 1.1 run1 2.0", ["run0 1.0 run1 987654.0"]) == "different"
    assert verdict("run0 1.0 run1 2.5", truths) == "different"
    assert verdict("run0 1.0", truths) == "different"
    assert verdict("run0 inf run1 nan", ["run0 987654.0 run1 nan"]) == "same, but for what is left open"
    assert verdict("run0 1e+20 run1 nan", ["run0 1e+30 run1 nan"]) == "different"
    assert verdict("run0 1.0 run1 nan", truths) == "different"


ORDERS = """
import numpy as np
import tensorflow as tf

w = tf.Variable(1.0)
v = tf.Variable(5.0)
doubled, copied, update = w * 2.0, tf.identity(w), tf.assign_add(w, 3.0)
kept = tf.assign(v, doubled)
gated = tf.assign_sub(w, copied * 0.5)
with tf.control_dependencies([update]):
    behind = w * 10.0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for fetches in ([doubled], [doubled, w, copied, update], [behind, update], [gated, copied], [kept, update], [v]):
        print([float(each) for each in sess.run(fetches)])
    sess.run(v.initializer)
    print(sess.run([v, w]))
    summary, _ = sess.run([tf.summary.scalar("doubled", doubled), update])
    print(tf.Summary.FromString(summary).value[0].simple_value)
"""


@pytest.mark.usefixtures("legacy_python")
def test_originals_say_what_their_runs_leave_open() -> None:
    lines = [
        [2.0],
        [OPEN, 4.0, 4.0, 4.0],
        [70.0, 7.0],
        [3.5, 3.5],
        [OPEN, 6.5],
        [OPEN],
        [5.0, 6.5],
        [OPEN],
    ]
    (told,) = in_tensorflow_1([ORDERS])
    assert told is not None
    assert numbers(told) == [number for line in lines for number in line]
