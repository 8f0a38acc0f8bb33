"""`compat.train.Towers` on two devices of a process: the losses, names and values of TF 1.15.5's towers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import compat
from tests.compat.train.own_process import ROOT, result_of

WANT = json.loads((ROOT / "tests/goldens/towers.json").read_text())


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What two towers gave; a process takes its devices once, before it uses the first."""
    return result_of("tests.compat.train.mirrored_towers")


def test_a_step_has_the_losses_names_and_values_of_tf1(found: dict[str, Any]) -> None:
    assert found["numbers"] == [0, 1]
    np.testing.assert_allclose(found["losses"], WANT["losses"], rtol=1e-6)
    assert set(found["variables"]) == set(WANT["names"])
    for name, value in zip(WANT["names"], WANT["values"], strict=True):
        np.testing.assert_allclose(found["variables"][name], value, rtol=1e-6, atol=1e-7, err_msg=name)


def test_further_towers_have_variables_of_their_own(found: dict[str, Any]) -> None:
    assert found["again"] == [2.0, 6.0, 1.0]


def test_a_rewritten_script_prints_the_losses_of_tf1(found: dict[str, Any]) -> None:
    ours, theirs = found["printed"].split(), (ROOT / "tests/native/towers/output.txt").read_text().split()
    assert ours[-1] == theirs[-1] == "done"
    np.testing.assert_allclose([float(loss) for loss in ours[:-1]], [float(loss) for loss in theirs[:-1]], atol=2e-5)


def test_a_rewritten_script_that_looks_at_single_towers_prints_what_tf1_did(found: dict[str, Any]) -> None:
    theirs = (ROOT / "tests/native/towers/values_output.txt").read_text().split()
    ours = [float(value) for value in found["values"].split()]
    np.testing.assert_allclose(ours, [float(value) for value in theirs], atol=2e-5)


def test_towers_that_come_too_late_are_refused_with_what_to_do(found: dict[str, Any]) -> None:
    assert "for 3 towers" in found["late"]
    assert "before TensorFlow computes anything" in found["late"]


def test_more_towers_than_gpus_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorflow.config.list_physical_devices", lambda kind: ["a GPU"] if kind == "GPU" else [])
    with pytest.raises(ValueError, match="2 towers and 1 GPUs"):
        compat.train.Towers(["/gpu:0", "/gpu:1"])
