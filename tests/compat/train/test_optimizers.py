"""Every optimizer against TF 1.15.5: 50 steps, dense and sparse gradients with duplicates, a changing rate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from compat.train import gpu_kernels
from tests.goldens.half_precision import bound

from .optimizer_runs import GOLDENS, PRECISIONS, SETUPS, step_precisely, train_bridged, train_natively

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


def _kept(key: str) -> np.ndarray | None:
    return PRECISIONS[key] if key in PRECISIONS.files else None


def _precise() -> list[tuple[str, str]]:
    """The set-ups and types that TF 1.15.5 had kernels for."""
    kept = {tuple(key.split("|")[:2]) for key in PRECISIONS.files}
    return sorted((name, dtype) for name, dtype in kept if name in SETUPS)


@pytest.mark.parametrize(("name", "dtype"), _precise())
def test_precision_and_slots_through_a_checkpoint(name: str, dtype: str, tmp_path: Path) -> None:
    values = step_precisely(name, dtype, str(tmp_path / "model"))
    prefix = f"{name}|{dtype}|"
    expected = {key.removeprefix(prefix): PRECISIONS[key] for key in PRECISIONS.files if key.startswith(prefix)}
    assert sorted(values) == sorted(expected)
    for variable, value in values.items():
        wide = f"{name}|float64|{variable}"
        half = dtype == "float16"
        rtol, atol = (0.0, bound(expected[variable], _kept(wide))) if half else (1e-7, 1e-9)
        assert value.dtype == expected[variable].dtype
        np.testing.assert_allclose(value, expected[variable], rtol=rtol, atol=atol, err_msg=variable)


@pytest.mark.parametrize("name", SETUPS)
def test_bridged(name: str) -> None:
    losses, values, op_name = train_bridged(name)
    check(name, losses, values)
    assert op_name == str(GOLDENS[f"{name}|op"])


WITH_KERNELS_OF_A_CPU = (
    "adagrad_da",
    "momentum",
    "momentum_w",
    "nesterov",
    "proximal_gradient_descent",
    "rmsprop",
    "rmsprop_centered",
)


@pytest.mark.parametrize("name", WITH_KERNELS_OF_A_CPU)
def test_on_a_gpu_the_kernels_of_a_cpu_are_not_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here on the CPU, where what a GPU would compute is as good."""
    monkeypatch.setattr(gpu_kernels, "lies_on_a_gpu", lambda var: True)
    for kernel in gpu_kernels._ON_A_GPU:
        monkeypatch.delattr(f"tensorflow.raw_ops.{kernel}")
    check(name, *train_natively(name, traced=False))
    check(name, *train_natively(name, traced=True))
    losses, values, _ = train_bridged(name)
    check(name, losses, values)


def test_where_a_variable_lies_is_asked_of_the_variable() -> None:
    class Variable:
        device = "/job:localhost/replica:0/task:0/device:GPU:1"

    assert gpu_kernels.kernel_for(Variable(), "ResourceSparseApplyMomentum") is gpu_kernels._momentum
    Variable.device = ""
    there = gpu_kernels.kernel_for(Variable(), "ResourceSparseApplyMomentum")
    assert there is tf.raw_ops.ResourceSparseApplyMomentum
