"""Small programs of `tf.contrib` under the bridge, against TF 1.15.5."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.goldens import contrib_program_cases as cases
from tests.goldens.replay_rnn import TF1

EXPECTED = json.loads(Path(cases.__file__).with_name("contrib.json").read_text(encoding="utf-8"))


def _same(found: Any, expected: Any, where: str) -> None:
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected), where
        for key in expected:
            _same(found[key], expected[key], f"{where}/{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for position, (one, other) in enumerate(zip(found, expected, strict=True)):
            _same(one, other, f"{where}/{position}")
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=1.3e-6, atol=1e-5, err_msg=where)
    else:
        assert found == expected, where


@pytest.mark.parametrize("name", list(cases.CASES))
def test_program(name: str, graph: Any, tmp_path: Path) -> None:
    found = json.loads(json.dumps(cases.CASES[name](TF1, str(tmp_path))))
    _same(found, EXPECTED[name], name)
