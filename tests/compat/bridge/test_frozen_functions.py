"""Branches and loops that read variables, frozen: what they compute is read by compat, and by real TF 1.15.5."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras2 import backend, layers

BRANCHES = [[[-9.0, -10.0]], [[19.0, 24.0]]]
NORMALIZED = [[[3.0, 4.0], [5.0, 6.0]], [[-2.0, -2.0], [2.0, 2.0]]]
"""What TF 1.15.5 computes without the flag and with it."""


def _branches_and_a_loop() -> None:
    x = compat.placeholder(tf.float32, [None, 2], name="x")
    flag = compat.placeholder_with_default(False, [], name="flag")
    w = compat.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
    b = compat.Variable([5.0, 6.0], name="b")
    table = compat.Variable(np.eye(4, 2, dtype="float32"), name="table")
    y = compat.cond(flag, lambda: tf.matmul(x, w), lambda: x + b + compat.gather(table, [1]))

    def body(i: Any, value: Any) -> tuple[Any, Any]:
        return i + 1, compat.cond(flag, lambda: value + b, lambda: value - b)

    tf.identity(compat.while_loop(lambda i, value: i < 3, body, [0, y])[1], name="out")


def _normalization_by_a_placeholder() -> None:
    x = compat.placeholder(tf.float32, [None, 2], name="x")
    flag = compat.placeholder_with_default(False, [], name="flag")
    normalization = layers.BatchNormalization(epsilon=0.0, gamma_initializer="ones", name="bn")
    tf.identity(2.0 * normalization(x - 1.0, training=flag) + 1.0 - tf.cast(flag, tf.float32), name="out")


CASES: dict[str, tuple[Callable[[], None], Any, list[Any]]] = {
    "branches and a loop": (_branches_and_a_loop, [[1.0, 1.0]], BRANCHES),
    "a normalization": (_normalization_by_a_placeholder, [[2.0, 2.5], [3.0, 3.5]], NORMALIZED),
}
_TF1 = """
import json, sys, tensorflow as tf
graph_def = tf.GraphDef.FromString(open(sys.argv[1], "rb").read())
x, flag, out = tf.import_graph_def(graph_def, return_elements=["x:0", "flag:0", "out:0"], name="")
with tf.Session() as session:
    print(json.dumps([session.run(out, {x: json.loads(sys.argv[2]), flag: value}).tolist() for value in (False, True)]))
"""


def _frozen(build: Callable[[], None]) -> Any:
    graph = compat.Graph()
    with graph.as_default(), compat.Session() as session:
        backend.set_session(session)
        build()
        session.run(compat.global_variables_initializer())
        return compat.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["out"])


@pytest.mark.parametrize("case", CASES)
def test_a_bridge_imports_what_was_frozen(case: str) -> None:
    build, data, expected = CASES[case]
    with compat.Graph().as_default(), compat.Session() as session:
        x, flag, out = tf.import_graph_def(_frozen(build), return_elements=["x:0", "flag:0", "out:0"], name="")
        found = [session.run(out, {x: data, flag: value}) for value in (False, True)]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_tf1_reads_what_was_frozen(case: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    build, data, expected = CASES[case]
    path = tmp_path / "frozen.pb"
    path.write_bytes(_frozen(build).SerializeToString())
    found = json.loads(run_legacy(_TF1, str(path), json.dumps(data)).splitlines()[-1])
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_a_branch_that_updates_is_refused() -> None:
    def build() -> None:
        flag = compat.placeholder_with_default(False, [], name="flag")
        count = compat.Variable(1.0, name="count")
        tf.identity(compat.cond(flag, lambda: compat.assign_add(count, 1.0), lambda: count + 0.0), name="out")

    with pytest.raises(ValueError, match=r"cannot freeze .*AssignAddVariableOp"):
        _frozen(build)
