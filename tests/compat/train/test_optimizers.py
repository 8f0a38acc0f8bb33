"""Every optimizer against TF 1.15.5: 50 steps, dense and sparse gradients with duplicates, a changing rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .optimizer_runs import GOLDENS, SETUPS, train_bridged, train_natively

BOUND = 4e-7
# Ftrl divides differences of large sums: TF2's pow and sqrt differ from TF1's in the last unit, and that is multiplied.
BOUNDS = {"ftrl": 2e-5, "ftrl_shrinkage": 2e-5}


def check(name: str, losses: list[float], values: dict[str, Any]) -> None:
    assert sorted(values) == sorted(GOLDENS[f"{name}|variables"])
    bound = BOUNDS.get(name, BOUND)
    for variable, value in values.items():
        golden = GOLDENS[f"{name}|value|{variable}"]
        assert value.dtype == golden.dtype
        scale = max(1.0, float(np.abs(golden).max()))
        np.testing.assert_allclose(value, golden, rtol=0, atol=bound * scale, err_msg=f"{name}: {variable}")
    np.testing.assert_allclose(losses, GOLDENS[f"{name}|losses"], rtol=0, atol=max(bound, 1e-6))


@pytest.mark.parametrize("name", SETUPS)
def test_eager(name: str) -> None:
    check(name, *train_natively(name, traced=False))


@pytest.mark.parametrize("name", SETUPS)
def test_traced(name: str) -> None:
    check(name, *train_natively(name, traced=True))


@pytest.mark.parametrize("name", SETUPS)
def test_bridged(name: str) -> None:
    losses, values, op_name = train_bridged(name)
    check(name, losses, values)
    assert op_name == str(GOLDENS[f"{name}|op"])
