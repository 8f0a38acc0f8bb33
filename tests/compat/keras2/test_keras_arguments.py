"""Arguments of constructors and keys of histories do what they did in TF 1.15.5; the table says where Keras 3 does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import keras2
from tests.goldens.keras_argument_cases import plain, uses
from tf_migrate import facts

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "goldens" / "keras_arguments.json").read_text())


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(_same, found, wanted))
    if isinstance(wanted, float):
        return isinstance(found, int | float) and bool(np.isclose(found, wanted, rtol=1e-4, atol=1e-5))
    return bool(found == wanted)


def _value(use: Any, keras: Any) -> Any:
    return json.loads(json.dumps(plain(use(keras))))


@pytest.mark.filterwarnings("ignore")  # What Keras says of old arguments is not asked here.
@pytest.mark.parametrize("owner", ["callbacks.EarlyStopping", "callbacks.ReduceLROnPlateau", "callbacks.History"])
def test_they_do_what_they_did(owner: str) -> None:
    _compare(f"tf.keras.{owner}")


@pytest.mark.usefixtures("at_length")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", ["layers", "optimizers", "callbacks"])
def test_all_do_what_they_did(module: str) -> None:
    _compare(f"tf.keras.{module}")


def _compare(owner: str) -> None:
    different, made = [], {symbol: use for symbol, use in uses().items() if symbol.startswith(owner)}
    for symbol, use in made.items():
        with compat.Graph().as_default():
            if not _same(_value(use, keras2), GOLDEN[symbol]):
                different.append(symbol)
        keras2.backend.set_session(None)
    assert made and different == []


@pytest.mark.usefixtures("at_length")
@pytest.mark.filterwarnings("ignore")
def test_the_table_says_same_of_what_keras_3_does_too() -> None:
    said, found = {}, {}
    for symbol, use in uses().items():
        if symbol.endswith("(lr)"):
            continue  # It is rewritten: the class's row has the edit.
        row = facts.lookup(symbol)
        said[symbol] = "none" if row is None or row.symbol != symbol else row.action
        try:
            value = _value(use, tf.keras)
        except (AttributeError, TypeError, ValueError):
            value = None
        found[symbol] = "same" if _same(value, GOLDEN[symbol]) else "manual"
    assert said == found
