"""Tests of users that become one function: the comments above placeholders, which become its parameters."""

from __future__ import annotations

from pathlib import Path

from tests.native.native import rewritten
from tests.native.test_cases import passes
from tests.native.test_traced_cases import module, tiers

FED = """\
    def testLine(self):
        # The points, any number of them.
        x = tf.placeholder(tf.float32, [None])
        line = Line(2.0)
        # Where they begin,
        # and only there.
        start = tf.placeholder(tf.float32, [])
        # Along the line.
        y = line(x + start)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y, {x: [1.0], start: 1.0}), [5.0])
"""


def test_comments_of_placeholders(tmp_path: Path) -> None:
    result = rewritten(module(FED))
    assert tiers(result) == ["native"]
    assert (
        """\
        store = compat.VariableStore()

        # The points, any number of them.
        # Where they begin,
        # and only there.
        @tf.function(
            input_signature=[
                tf.TensorSpec([None], tf.float32),
                tf.TensorSpec([], tf.float32),
            ],
            autograph=False,
        )
        def compute_y(x, start):
            with store:
                line = Line(2.0)
                # Along the line.
                y = line(x + start)
                return y
"""
        in result.text
    )
    passes(result.text, tmp_path, 1)


def test_a_comment_of_nothing() -> None:
    """A comment that belongs to no statement would be lost."""
    result = rewritten(
        module(FED.replace("            sess.run(tf.gl", "            # All.\n            sess.run(tf.gl"))
    )
    assert tiers(result) == ["bridge"]
    assert (result.sites[-1].reason or "").startswith("a comment belongs to no statement")
