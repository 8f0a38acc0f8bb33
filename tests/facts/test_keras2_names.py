"""The table of what `compat.keras2` offers is that of the installed `tf_keras`, as far as TF 1.15 had the names."""

from __future__ import annotations

import importlib

from tf_migrate import facts
from tf_migrate.facts import keras2


def test_every_name_is_there() -> None:
    root = importlib.import_module("compat.keras2")
    for path, names in keras2._modules().items():
        module = importlib.import_module(f"{root.__name__}.{path}") if path else root
        missing = [name for name in names if not hasattr(module, name)]
        assert not missing, (path, missing)


def test_nearly_all_of_tf1s_names_are_offered() -> None:
    """What is not was looked at, one by one: see `_NOT_OFFERED`."""
    rows = [symbol.removeprefix("tf.keras.") for symbol in facts.symbols() if symbol.startswith("tf.keras.")]
    absent = [path for path in rows if not path.endswith("*") and not keras2.offers(path)]
    assert absent == []
    assert keras2.offers("wrappers") and not keras2.offers("wrappers.scikit_learn")
    assert keras2.next_step("wrappers.scikit_learn.KerasClassifier").endswith("package scikeras")
