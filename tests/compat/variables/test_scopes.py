"""Scopes, names, collections and errors are TF 1.15.5's: eagerly, in each trace of a function, under the bridge."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
import tensorflow as tf

import compat
from tests import goldens
from tests.goldens import scope_cases
from tests.goldens.replay_rnn import TF1

# TF1's variables had reference types, which TF2 does not have.
KEPT = (pathlib.Path(next(iter(goldens.__path__))) / "scopes.json").read_text().replace("float32_ref", "float32")
EXPECTED = json.loads(KEPT)
each_case = pytest.mark.parametrize("case", scope_cases.CASES, ids=lambda case: case.__name__)


def _plain(result: Any) -> Any:
    return json.loads(json.dumps(result))


@each_case
def test_eagerly(case: Any) -> None:
    with compat.VariableStore():
        assert _plain(case(TF1)) == EXPECTED[case.__name__]


@each_case
def test_in_every_trace(case: Any) -> None:
    store = compat.VariableStore()
    results = []

    def step(x: tf.Tensor) -> tf.Tensor:
        with store:
            results.append(_plain(case(TF1)))
        return x

    for dtype in (tf.float32, tf.float64):
        tf.function(step, autograph=False)(tf.zeros([], dtype))
    assert len(results) >= 2
    assert all(result == EXPECTED[case.__name__] for result in results)


@each_case
def test_under_the_bridge(case: Any) -> None:
    with compat.Graph().as_default():
        assert _plain(case(TF1)) == EXPECTED[case.__name__]
