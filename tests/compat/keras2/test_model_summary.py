"""Summaries of models are drawn as TF 1.15.5 drew them."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

import compat
from compat import keras2
from tests.goldens.keras_summary_cases import cases

_GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "goldens" / "keras_summary.json").read_text())


@pytest.mark.parametrize("mode", sorted(_GOLDEN))
def test_summaries_are_drawn_as_they_were(mode: str) -> None:
    with compat.Graph().as_default() if mode == "graph" else contextlib.nullcontext():
        found = cases(keras2)
    assert sorted(found) == sorted(_GOLDEN[mode])
    assert {case: lines for case, lines in found.items() if lines != _GOLDEN[mode][case]} == {}


def test_what_tensorflow_1_did_not_know_is_drawn_as_it_is_now(capsys: pytest.CaptureFixture[str]) -> None:
    inner = keras2.models.Sequential([keras2.layers.Dense(2, input_shape=(3,), name="inside")])
    keras2.models.Sequential([inner]).summary(expand_nested=True)
    assert "inside" in capsys.readouterr().out
