"""Members of Keras's classes give what they gave in TF 1.15.5, and the table says which of them Keras 3 lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import keras2
from tests.goldens.keras_member_cases import cases, model_of, plain, uses
from tf_migrate import facts

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "goldens" / "keras_members.json").read_text())


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return sorted(found) == sorted(wanted) and all(_same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_same, found, wanted))
    return bool(np.isclose(found, wanted, rtol=1e-4, atol=1e-6)) if isinstance(wanted, float) else found == wanted


@pytest.mark.filterwarnings("ignore:`Model:UserWarning")
def test_members_give_what_they_gave() -> None:
    with compat.Graph().as_default():
        found = json.loads(json.dumps(cases(keras2)))
    keras2.backend.set_session(None)
    assert sorted(found) == sorted(GOLDEN)
    assert [symbol for symbol, wanted in GOLDEN.items() if not _same(found[symbol], wanted)] == []


@pytest.mark.filterwarnings("ignore:.*input_shape:UserWarning")
def test_the_table_says_same_of_what_keras_3_gives_too() -> None:
    said, found = {}, {}
    for name, use in uses(tf.keras).items():
        row = facts.lookup(f"tf.keras.{name}")
        said[name] = "none" if row is None or row.symbol != f"tf.keras.{name}" else row.action
        try:
            value = json.loads(json.dumps(plain(use(model_of(tf.keras)))))
        except AttributeError:
            found[name] = "manual"
        else:
            found[name] = "same" if _same(value, GOLDEN[f"tf.keras.{name}"]) else "manual"
    assert said == found
