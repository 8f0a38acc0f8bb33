"""Checks of the devices that were asked for are told of, and become checks of a run where that is asked for."""

from __future__ import annotations

import pytest

from tests.engine import migrated
from tests.native.native import printed, rewritten
from tf_migrate import rules
from tf_migrate.report.model import Finding

HEAD = """\
import tensorflow as tf
graph = tf.get_default_graph()
x = tf.placeholder(tf.float32, [])
y = -x
sess = tf.Session(graph=graph)
"""
LIST = '[n for n in graph.as_graph_def().node if "CPU" in n.device]'


def told(code: str) -> list[Finding]:
    return [finding for finding in migrated(HEAD + code).findings if finding.rule == "TFM123"]


def asked(code: str) -> str:
    """What the lines become where the rule is selected."""
    return migrated(HEAD + code, select=("TFM",)).text.partition("graph=graph)\n")[2]


@pytest.mark.parametrize(
    ("code", "line", "device"),
    [
        (f"bad = {LIST}\nassert not bad\n", 6, "CPU"),
        (f"assert not {LIST}, 'bad'\n", 6, "CPU"),
        ('bad = [n.name for n in sess.graph_def.node if n.device == "/device:CPU:0"]\n', 6, "CPU:0"),
        ('print(any("GPU" not in n.device for n in graph.as_graph_def().node))\n', 6, "GPU"),
        ('bad = [o for o in graph.get_operations() if o.device.endswith("cpu:0")]\n', 6, "CPU:0"),
        ('bad = [o for o in graph.get_operations() if "cpu" in o.device.lower()]\n', 6, "CPU"),
        ('d = graph.as_graph_def()\nbad = {n.name for n in d.node if "CPU" in n.device}\n', 7, "CPU"),
        ('nodes = graph.as_graph_def().node\nfor n in nodes:\n    if "CPU" in n.device:\n        print(n)\n', 7, "CPU"),
    ],
)
def test_searches_of_a_graph_are_told_of(code: str, line: int, device: str) -> None:
    (finding,) = told(code)
    assert (finding.line, finding.severity) == (line, "warning")
    assert f'compat.assert_placement(lambda: sess.run(...), no="{device}")' in (finding.next_step or "")


@pytest.mark.parametrize(
    "code",
    [
        "print([n.device for n in graph.as_graph_def().node])\n",
        "print([n for n in graph.as_graph_def().node if n.device])\n",
        'print([n for n in graph.as_graph_def().node if "CPU" in n.name])\n',
        'print([d for d in sess.list_devices() if "CPU" in d.device])\n',
        'print("CPU" in y.device)\n',
        f"bad = {LIST}  # tf-migrate: skip\n",
    ],
)
def test_silent(code: str) -> None:
    assert not told(code)


def test_nothing_changes_unasked() -> None:
    rule = rules.get("TFM123")
    assert rule is not None
    text = migrated(rule.before).text
    assert "assert_placement" not in text
    assert "assert not on_cpu" in text


def test_the_bare_assertion() -> None:
    after = asked(f"assert not {LIST}\nz = sess.run(\n  fetches=y, feed_dict={{x: 1.0}},\n)\n")
    assert after == 'z = compat.assert_placement(sess.run,\n  fetches=y, feed_dict={x: 1.0}, no="CPU",\n)\n'


def test_what_is_asked_for_runs_and_finds_what_the_old_check_could_not() -> None:
    rule = rules.get("TFM123")
    assert rule is not None
    printed(rewritten(rule.before).text)
    with pytest.raises(AssertionError, match=r"ran on CPU:\n  \w+ \(Relu\) on /device:CPU:0"):
        printed(rule.after)


@pytest.mark.parametrize(
    "code",
    [
        f"bad = {LIST}\nassert not bad\nfor _ in range(3):\n    sess.run(y, {{x: 1.0}})\n",
        f"bad = {LIST}\nassert not bad\nsess.run(y, {{x: 1.0}})\nsess.run(y, {{x: 2.0}})\n",
        f"bad = {LIST}\nassert not bad\nprint(bad)\nsess.run(y, {{x: 1.0}})\n",
        f"bad = {LIST}\nif bad:\n    raise ValueError\nsess.run(y, {{x: 1.0}})\n",
        f"sess.run(y, {{x: 1.0}})\nassert not {LIST}\n",
        f"assert not {LIST}\ndef later():\n    return sess.run(y, {{x: 1.0}})\n",
        f"assert not {LIST}\nsess.run(*(y, {{x: 1.0}}))\n",
    ],
)
def test_left_where_no_one_run_follows(code: str) -> None:
    assert "assert_placement" not in asked(code)
    assert LIST in asked(code)
