"""Functions of `tf.keras` that the table calls the same give what they gave in TF 1.15.5."""

from __future__ import annotations

import json
import operator
from pathlib import Path

import numpy as np
import pytest

from tf_migrate import facts

GOLDEN = Path(__file__).parents[1] / "goldens" / "keras_values.json"
TRUE = np.eye(3, dtype="float32")[[0, 2]]
MADE = np.array([[0.7, 0.2, 0.1], [0.05, 0.9, 0.05]], "float32")
LINE = np.linspace(-4, 4, 6, dtype="float32")


def _differing() -> tuple[list[str], int]:
    """The symbols whose values are others, and how many were looked at."""
    tf = pytest.importorskip("tensorflow")
    changed, seen = [], 0
    for symbol, values in json.loads(GOLDEN.read_text(encoding="utf-8")).items():
        row = facts.lookup(symbol)
        if row is None or row.action not in ("same", "rename"):
            continue
        given = (LINE,) if symbol.startswith("tf.keras.activations.") else (TRUE, MADE)
        function = operator.attrgetter((row.target or symbol).removeprefix("tf."))(tf)
        seen += 1
        made = np.ravel(function(*map(tf.constant, given)))
        if made.shape != np.shape(values) or not np.allclose(made, values, rtol=1e-4, atol=1e-6):
            changed.append(symbol)
    return changed, seen


def test_the_table_says_same_of_what_gives_the_same() -> None:
    changed, seen = _differing()
    assert changed == []
    assert seen > 25
