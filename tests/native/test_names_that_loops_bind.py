"""Loops of the graph that bind a name again: what it was before means something the first time round only."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

SCRIPT = """\
import tensorflow as tf

v = tf.Variable(2.0)
w = tf.Variable(3.0)
{loop}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(v))
    print(sess.run(w))
"""
# What TensorFlow 1.15.5 prints for each.
NATIVE = {
    "itself": ("for i in range(3):\n    v = v * 2.0\n", "16.0\n3.0\n"),
    "by another name": ("for i in range(2):\n    u = v * w\n    v = u\n", "18.0\n3.0\n"),
    "read before": ("w = w * v\nfor i in range(2):\n    v = v * v\n", "16.0\n6.0\n"),
    "two names in turn": ("for i in range(3):\n    v = v + w\n    w = w * v\n", "320.0\n96000.0\n"),
    "a loop in a loop": ("for i in range(2):\n    for k in range(2):\n        v = v * w\n", "162.0\n3.0\n"),
    "under the comment of the loop": ("# Three times.\nfor i in range(3):\n    v = v * 2.0\n", "16.0\n3.0\n"),
    "not even once": ("for i in range(0):\n    v = v * 2.0\n", "2.0\n3.0\n"),
}


@pytest.mark.parametrize(("loop", "output"), NATIVE.values(), ids=NATIVE.keys())
def test_a_variable_that_a_loop_begins_with(loop: str, output: str) -> None:
    result = made_native(SCRIPT.format(loop=loop))
    assert "v = v_variable\n" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == output


REFUSED = {
    "in place": ("for i in range(3):\n    v *= 2.0\n", "`v` would be needed where it is not known"),
    "a loop of a condition": (
        "if w is None:\n    for i in range(3):\n        v = v * 2.0\n",
        "`v` is a part of the graph on some paths and another value on others",
    ),
    "a function that sees the variable": (
        "def seen():\n    return v * 1.0\nbefore = seen()\nfor i in range(3):\n    v = v * 2.0\nw = before\n",
        "`v` has another value here than when the graph was built",
    ),
}


@pytest.mark.parametrize(("loop", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(loop: str, reason: str) -> None:
    text = SCRIPT.format(loop=loop)
    assert tier_of(text) == "bridge"
    assert (deciding_site(text).reason or "").startswith(reason)
