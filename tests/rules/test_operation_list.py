"""Programs that show or count all operations of a graph, which are others in TensorFlow 2."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine import migrated
from tests.native.native import printed, rewritten

HEAD = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [2], name="x")
w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
y = tf.add(x, w, name="y")
up = tf.assign_add(w, x)
sess = tf.Session()
graph = tf.get_default_graph()
"""


@pytest.mark.parametrize(
    "line",
    [
        "for op in graph.get_operations():\n    print(op.name, op.type)",
        "for i, op in enumerate(sess.graph.get_operations()):\n    print('%d %s' % (i, op.name))",
        "print(len(graph.get_operations()))",
        "print([node.name for node in graph.as_graph_def().node])",
        "names = sorted(n.name for n in sess.graph_def.node)\nprint(names)",
        "types = {op.name: op.type for op in tf.get_default_graph().get_operations()}",
    ],
)
def test_lists_of_all_operations_are_told(line: str) -> None:
    (finding,) = [each for each in migrated(f"{HEAD}{line}\n{line}\n").findings if each.rule == "TFM153"]
    assert (finding.line, finding.severity) == (9, "warning")


@pytest.mark.parametrize(
    "line",
    [
        "print([op.name for op in graph.get_operations() if op.type == 'Placeholder'])",
        "for op in graph.get_operations():\n    if op.name == 'y':\n        print(op.name)",
        "ops = graph.get_operations()",
        "has = any(op.name == 'y' for op in graph.get_operations())",
        "print(graph.get_operation_by_name('y').name)",
        "for node in [1, 2]:\n    print(node)",
    ],
)
def test_what_chooses_is_not(line: str) -> None:
    assert not [each for each in migrated(f"{HEAD}{line}\n").findings if each.rule == "TFM153"]


def test_what_is_told_is_what_differs(run_legacy: Callable[..., str]) -> None:
    code = f"{HEAD}print([op.name for op in graph.get_operations() if op.name in ('x', 'y')])\n"
    assert run_legacy(code) == printed(rewritten(code).text)
    code = f"{HEAD}print(*[op.name for op in graph.get_operations()])\n"
    assert "w/read" in run_legacy(code).split()
    assert "w/read" not in printed(rewritten(code).text).split()
