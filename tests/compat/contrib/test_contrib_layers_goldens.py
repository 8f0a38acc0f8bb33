"""Every layer of contrib against TF 1.15.5: output, gradients, losses, names, moving averages."""

from __future__ import annotations

from typing import Any

from goldens import contrib_layer_cases, replay_layers


@replay_layers.parametrize(contrib_layer_cases)
def test_layer_equals_tf1(case: Any, mode: str) -> None:
    replay_layers.check(contrib_layer_cases, case, mode)
