"""Gradients of lookups are dense where TF 1.15.5 had them dense: momentum then moves rows that a batch leaves out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

Lookup = Callable[[Any, Any], Any]
BATCHES = ([0, 0], [1], [1])
# The rows of [1, 2, 3] after three steps of TF 1.15.5's MomentumOptimizer(0.1, 0.9) on the sum of the squares.
CASES: dict[str, tuple[Lookup, list[float]]] = {
    "scalar added": (lambda w, ids: tf.gather(w + 1.0, ids), [-1.168, 0.38, 3.0]),
    "subtracted": (lambda w, ids: tf.gather(tf.negative(w) - tf.ones([3, 1]), ids), [-1.168, 0.38, 3.0]),
    "added to itself": (lambda w, ids: compat.nn.embedding_lookup(w + w, ids), [-3.336, -1.36, 3.0]),
    "as it is": (lambda w, ids: tf.gather(tf.identity(w), ids), [0.6, 0.92, 3.0]),
    "another lookup in a sum": (
        lambda w, ids: tf.gather(w, ids) + 0.0 * tf.reduce_sum(tf.stop_gradient(tf.gather(w + 1.0, [2]))),
        [0.6, 0.92, 3.0],
    ),
}


def _table() -> Any:
    return compat.get_variable("w", [3, 1], initializer=compat.constant_initializer([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("case", list(CASES))
def test_under_the_bridge(case: str, graph: Any) -> None:
    lookup, expected = CASES[case]
    table, ids = _table(), compat.placeholder(tf.int32, [None])
    loss = tf.reduce_sum(lookup(table, ids) ** 2)
    step = compat.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        for batch in BATCHES:
            session.run(step, {ids: batch})
        np.testing.assert_allclose(session.run(table)[:, 0], expected, rtol=1e-6)


@pytest.mark.parametrize("taped", [False, True])
@pytest.mark.parametrize("case", list(CASES))
def test_in_a_function(case: str, taped: bool) -> None:
    lookup, expected = CASES[case]
    with compat.VariableStore():
        table = _table()
    optimizer = compat.train.MomentumOptimizer(0.1, 0.9)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def step(ids: tf.Tensor) -> None:
        if not taped:
            optimizer.minimize(lambda: tf.reduce_sum(lookup(table, ids) ** 2), var_list=[table])
            return
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(lookup(table, ids) ** 2)
        optimizer.apply_gradients([(tape.gradient(loss, table), table)])

    for batch in BATCHES:
        step(tf.constant(batch))
    np.testing.assert_allclose(table[:, 0], expected, rtol=1e-6)
