"""Every layer against TF 1.15.5: output, gradients, losses, names, moving averages."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from tests.goldens import layer_cases, replay_layers


@replay_layers.parametrize(layer_cases)
def test_layer_equals_tf1(case: Any, mode: str) -> None:
    replay_layers.check(layer_cases, case, mode)


@replay_layers.parametrize_precisions(layer_cases)
def test_precision_equals_tf1(case: Any, dtype: str, request: pytest.FixtureRequest) -> None:
    if dtype == "float16":
        request.getfixturevalue("cpu")  # How far it may be off was measured there.
    replay_layers.check_precision(layer_cases, case, dtype)


@pytest.mark.parametrize("case", layer_cases.CASES, ids=lambda case: case.__name__)
def test_variables_are_saved_and_loaded_by_name(case: Any, tmp_path: pathlib.Path) -> None:
    replay_layers.check_saved(layer_cases, case, str(tmp_path / "model"))
