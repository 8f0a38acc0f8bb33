"""A `VariableStore` in the replicas of one process: TF 1.15.5's towers, names and numbers, and what is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from tests.compat.train.own_process import ROOT, result_of

WANT = json.loads((ROOT / "tests/goldens/towers.json").read_text())
LOSS = "Mean/ExponentialMovingAverage"


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What two replicas gave; a process takes its devices once, before it uses the first."""
    return result_of("tests.compat.train.mirrored_program")


def test_each_replica_has_the_losses_of_its_tower(found: dict[str, Any]) -> None:
    np.testing.assert_allclose(found["losses"], WANT["losses"], rtol=1e-6)


def test_variables_slots_and_averages_have_tf1s_names_and_values(found: dict[str, Any]) -> None:
    assert set(found["held"]) == {*WANT["names"], LOSS}
    for name, value in zip(WANT["names"], WANT["values"], strict=True):
        np.testing.assert_allclose(found["held"][name], value, rtol=1e-6, atol=1e-7, err_msg=name)


def test_an_average_of_what_each_replica_computes_is_that_of_their_mean(found: dict[str, Any]) -> None:
    want = 0.0
    for step, loss in enumerate(np.mean(WANT["losses"], axis=1)):
        decay = min(0.5, (1 + step) / (10 + step))
        want = decay * want + (1 - decay) * loss
    np.testing.assert_allclose(found["held"][LOSS], want, rtol=1e-6)


def test_a_saver_restores_all_copies(found: dict[str, Any]) -> None:
    assert found["changed"]
    assert found["restored"] == found["held"]


def test_outside_of_the_replicas_all_copies_are_assigned_and_initialized(found: dict[str, Any]) -> None:
    assert found["assigned"] == 40
    assert found["initial"]["global_step"] == 0
    np.testing.assert_array_equal(found["initial"]["hidden/Momentum"], np.zeros([3, 4]))


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("outside", "NotImplementedError: .* strategy.run"),
        ("no store", "ValueError: .*Enter it in the function that strategy.run calls"),
        ("rows", "ValueError: out:0 has a copy in each replica"),
        ("assign", "ValueError: .*global_step:0.*aggregation=tf.VariableAggregation.MEAN"),
    ],
)
def test_copies_that_would_differ_are_refused(found: dict[str, Any], case: str, says: str) -> None:
    assert re.search(says, found["refused"][case])
