"""Every layer against TF 1.15.5: output, gradients, losses, names, moving averages."""

from __future__ import annotations

from typing import Any

from goldens import layer_cases, replay_layers


@replay_layers.parametrize(layer_cases)
def test_layer_equals_tf1(case: Any, mode: str) -> None:
    replay_layers.check(layer_cases, case, mode)
