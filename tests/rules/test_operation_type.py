"""Types of operations that TensorFlow 2's graphs do not have are told where programs compare with them."""

from __future__ import annotations

import pytest

from tests.engine import migrated

PROGRAM = """\
import tensorflow as tf

v = tf.get_variable("v", [2])
graph = tf.get_default_graph()
found = {}
"""


@pytest.mark.parametrize(
    "asked",
    [
        "print([op.name for op in graph.get_operations() if op.type == 'VariableV2'])",
        "print(v.op.type in ('Variable', 'VarHandleOp'))",
        "names = [n.name for n in graph.as_graph_def().node if 'AssignAdd' == n.op]",
        "loops = sum(1 for op in graph.get_operations() if op.type != 'Enter')",
        "assert v.op.type.startswith('Variable')",
    ],
)
def test_types_that_are_gone(asked: str) -> None:
    findings = migrated(f"{PROGRAM}{asked}\n").findings
    (found,) = [each for each in findings if each.rule == "TFM143"]
    assert (found.line, found.action) == (6, "manual")


@pytest.mark.parametrize(
    "asked",
    [
        "print([op.name for op in graph.get_operations() if op.type == 'Placeholder'])",
        "print([op.name for op in graph.get_operations() if op.type in ('MatMul', 'Conv2D')])",
        "print(found.type == found, v.op.name == 'Variable')",
        "print(len([op for op in graph.get_operations() if op.type.startswith('AssignAdd')]))",
    ],
)
def test_types_that_stay(asked: str) -> None:
    assert not [each for each in migrated(f"{PROGRAM}{asked}\n").findings if each.rule == "TFM143"]
