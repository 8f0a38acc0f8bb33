"""What stays `tf.keras`'s own has the defaults that it had in TF 1.15.5: Keras changed some in silence."""

from __future__ import annotations

import ast
import inspect
import json
import operator
from pathlib import Path
from typing import Any

import pytest

from tf_migrate import facts

GOLDEN = Path(__file__).parents[1] / "goldens" / "keras_defaults.json"
# Other texts of the same: what None stands for, names of objects, sizes for all dimensions at once.
SAME = {
    "data_format": {("'channels_last'", "None")},
    "dilation_rate": {("(1, 1)", "1")},
    "strides": {("(1, 1)", "1")},
    "padding": {("(1, 1, 1)", "((1, 1), (1, 1), (1, 1))")},
    "reduction": {("'auto'", "'sum_over_batch_size'")},
    "alpha_initializer": {("'zeros'", "'Zeros'")},
    "sparse": {("False", "None")},
    "ragged": {("False", "None")},
}
# What changes no number that a model computes.
BESIDE = {"name", "log_dir", "profile_batch", "width"}


def same(word: str, old: str, new: str) -> bool:
    if old == new or word in BESIDE or (old, new) in SAME.get(word, ()):
        return True
    try:
        return bool(ast.literal_eval(old) == ast.literal_eval(new))
    except (SyntaxError, ValueError):
        return False


def parameters(symbol: str) -> dict[str, Any]:
    tf = pytest.importorskip("tensorflow")
    try:
        thing = operator.attrgetter(symbol.removeprefix("tf."))(tf)
        return dict(inspect.signature(thing.__init__ if inspect.isclass(thing) else thing).parameters)
    except (AttributeError, TypeError, ValueError):
        return {}


def test_defaults_are_those_of_tf1() -> None:
    changed, seen = [], 0
    for symbol, words in json.loads(GOLDEN.read_text(encoding="utf-8")).items():
        row = facts.lookup(symbol)
        if row is None or row.action != "same":
            continue
        ours = parameters(symbol)
        for word, old in words.items():
            if word not in ours or ours[word].default is inspect.Parameter.empty:
                continue  # a call without it is refused, and not another one
            seen += 1
            if not same(word, old, repr(ours[word].default)):
                changed.append((symbol, word, old, repr(ours[word].default)))
    assert changed == []
    assert seen > 500


def test_changed_defaults_are_told_apart() -> None:
    assert same("rate", "0", "0.0") and not same("recurrent_activation", "'hard_sigmoid'", "'sigmoid'")
    assert not same("reset_after", "False", "True") and not same("padding", "'valid'", "'same'")
