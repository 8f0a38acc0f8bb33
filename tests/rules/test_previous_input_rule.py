"""The idiom of the previous input is told of, and becomes the layer where that is asked for and proved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine import migrated
from tests.native.native import printed, rewritten
from tf_migrate import rules
from tf_migrate.report.model import Finding

HEAD = """\
import numpy as np
import tensorflow as tf

before = tf.Variable(np.zeros([2], np.uint8), dtype=tf.uint8)
now = tf.placeholder_with_default(before, shape=[2], name="now")
change = now - before
moving = tf.Variable(np.zeros([2], np.uint8), dtype=tf.uint8)
save = tf.assign(moving, now)
shift = tf.assign(before, moving)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
LOOP = """\
for value in [42, 50, 55, 13]:
    fetches = {"change": change, "saved": save}
    got = dict(zip(fetches.keys(), sess.run(feed_dict={now: [value, 1]}, fetches=list(fetches.values()))))
    sess.run(shift)
    print(got["change"].tolist(), got["saved"].tolist())
"""


def told(code: str, select: tuple[str, ...] = ()) -> list[Finding]:
    return [finding for finding in migrated(code, select=select).findings if finding.rule == "TFM124"]


def asked(code: str) -> str:
    return migrated(code, select=("TFM",)).text


def test_is_told_of_and_left() -> None:
    (finding,) = told(HEAD + LOOP)
    assert (finding.line, finding.severity) == (5, "info")
    assert "`before` holds the input of the run before" in finding.message
    assert "before = compat.PreviousInput(...)(now)" in (finding.next_step or "")
    assert "PreviousInput" not in migrated(HEAD + LOOP).text


def test_the_plain_form_the_layer_and_tf1_agree(run_legacy: Callable[..., str]) -> None:
    expected = run_legacy(HEAD + LOOP)
    assert expected.splitlines()[1] == "[8, 0] [50, 1]"
    assert printed(rewritten(HEAD + LOOP).text) == expected
    after = asked(HEAD + LOOP)
    assert 'fetches = {"change": change, "saved": now}' in after
    assert "moving" not in after
    assert printed(after) == expected


def test_where_the_layer_is_asked_for_the_graph_stays() -> None:
    rule = rules.get("TFM124")
    assert rule is not None
    assert {site.tier for site in rewritten(rule.before).sites} == {"native"}
    result = migrated(rule.before, tier="native", select=("TFM",))
    assert result.text == rule.after
    assert "what TFM124 was asked for" in (result.sites[0].reason or "")


def test_the_example_runs(run_legacy: Callable[..., str]) -> None:
    rule = rules.get("TFM124")
    assert rule is not None
    assert printed(rule.after) == run_legacy(rule.before) == "42\n8\n5\n"
    assert printed(rewritten(rule.before).text) == "42\n8\n5\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    sess.run(shift)\n", "    print(sess.run(shift))\n"),  # what it gives is used
        ("    sess.run(shift)\n", "    if value > 50:\n        sess.run(shift)\n"),
        ("    sess.run(shift)\n", "    value += 1\n    sess.run(shift)\n"),
        ("    sess.run(shift)\n", "    sess.run([shift, change])\n"),
        ("    sess.run(shift)\n", "    sess.run(shift)\n    sess.run(change)\n"),  # one more run, not fed
        ("feed_dict={now: [value, 1]}, ", ""),
        ("fetches=list(fetches.values())", "fetches=[change]"),
        ("    got = dict", "    fetches.pop('saved')\n    got = dict"),
        ("sess = tf.Session()\n", "sess = tf.Session()\nsaver = tf.train.Saver()\n"),
        ("sess = tf.Session()\n", "sess = tf.Session()\nother = tf.Session()\n"),
        ("sess = tf.Session()\n", "sess = tf.Session()\nprint(len(tf.global_variables()))\n"),
        ("sess = tf.Session()\n", "reset = tf.assign(before, [0, 0])\nsess = tf.Session()\n"),
        ("sess = tf.Session()\n", "print(before.op.name)\nsess = tf.Session()\n"),
        ("change = now - before\n", "change = now - before\nbefore = change\n"),
        ("sess = tf.Session()\n", "print(moving)\nsess = tf.Session()\n"),
        ("for value in", "sess.run(tf.global_variables_initializer())\nfor value in"),
        ("for value in [42, 50, 55, 13]:\n", "for value in [1]:\n    sess.run(tf.global_variables_initializer())\n"),
        ("shape=[2]", "shape=None"),
        ("np.zeros([2], np.uint8), dtype=tf.uint8)\nnow", "tf.zeros([2], tf.uint8), dtype=tf.uint8)\nnow"),
        ("np.zeros([2], np.uint8), dtype=tf.uint8)\nnow", "np.zeros([2], np.uint8))\nnow"),
    ],
)
def test_stays_where_it_is_not_proved(old: str, new: str) -> None:
    code = HEAD + LOOP
    assert code.count(old) >= 1
    assert "PreviousInput" not in asked(code.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tf.placeholder_with_default(before,", "tf.placeholder_with_default(np.zeros([2], np.uint8),"),
        ("shift = tf.assign(before, moving)", "shift = tf.assign(moving, before)"),
        ("save = tf.assign(moving, now)", "save = tf.assign(moving, change)"),
        ('name="now")', 'name="now")  # tf-migrate: skip'),
    ],
)
def test_silent(old: str, new: str) -> None:
    assert not told((HEAD + LOOP).replace(old, new))
