"""Updates of moving averages that wait for a training step, as they did in a graph of TF 1.x."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tensorflow as tf

import compat

BATCH = [[2.0], [4.0]]


def _layer(x: Any, training: Any, name: str = "norm") -> Any:
    return compat.layers.batch_normalization(x, momentum=0.5, training=training, name=name)


def _of_contrib(x: Any, training: Any, name: str = "norm") -> Any:
    return compat.contrib.layers.batch_norm(x, decay=0.5, is_training=training, scope=name)


def _fused(x: Any, training: Any, name: str = "norm") -> Any:
    return _layer(tf.reshape(x, [2, 1, 1, 1]), training, name)


@pytest.fixture
def store() -> compat.VariableStore:
    return compat.VariableStore(defer_updates=True)


def _mean(store: compat.VariableStore, name: str = "norm") -> float:
    variable = store.find(f"{name}/moving_mean")
    assert variable is not None
    return float(variable.numpy()[0])


@pytest.mark.parametrize("normalize", [_layer, _of_contrib, _fused])
def test_nothing_moves_unless_it_is_asked_for(store: compat.VariableStore, normalize: Callable[..., Any]) -> None:
    @tf.function
    def compute(x: Any, training: Any) -> Any:
        with store:
            return normalize(x, training)

    @tf.function
    def step(x: Any, training: Any) -> None:
        with store:
            normalize(x, training)
            updates = compat.get_collection(compat.GraphKeys.UPDATE_OPS)
        compat.run_updates(updates)

    compute(tf.constant(BATCH), tf.constant(True))
    assert _mean(store) == 0.0
    step(tf.constant(BATCH), tf.constant(True))
    assert _mean(store) == 1.5
    step(tf.constant(BATCH), tf.constant(False))
    assert _mean(store) == 1.5


def test_updates_of_one_scope(store: compat.VariableStore) -> None:
    @tf.function
    def step(x: Any) -> None:
        with store:
            for scope in ("first", "second", "first"):
                with compat.variable_scope(scope, reuse=compat.AUTO_REUSE):
                    _layer(x, True)
            updates = compat.get_collection(compat.GraphKeys.UPDATE_OPS, scope="first")
        compat.run_updates(updates)

    step(tf.constant(BATCH))
    # Both calls in the scope moved it: 3 is half-way to 3 twice.
    assert _mean(store, "first/norm") == 2.25
    assert _mean(store, "second/norm") == 0.0


def test_other_stores_update_at_once() -> None:
    with compat.VariableStore() as store:
        _layer(tf.constant(BATCH), True)
        assert _mean(store) == 1.5
        compat.run_updates(compat.get_collection(compat.GraphKeys.UPDATE_OPS))
    assert _mean(store) == 1.5
