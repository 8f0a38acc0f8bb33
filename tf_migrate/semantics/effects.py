"""The table of what each symbol of TensorFlow 1 does to a graph."""

from __future__ import annotations

import functools
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from tf_migrate.facts import keras_name, public_name

_PATH = Path(__file__).with_name("effects.tsv")


class Effect(NamedTuple):
    """What a symbol does, and the detail that its row has."""

    name: str
    detail: str


_ANY = Effect("tensor", "")


@functools.cache
def _rows() -> tuple[dict[str, Effect], tuple[tuple[str, Effect], ...]]:
    whole: dict[str, Effect] = {}
    patterns: list[tuple[str, Effect]] = []
    for line in _PATH.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        symbol, name, detail = line.split("\t")
        if "*" in symbol:
            patterns.append((symbol, Effect(name, detail)))
        else:
            whole[symbol] = Effect(name, detail)
    return whole, tuple(sorted(patterns, key=lambda row: -len(row[0])))


@functools.cache
def effect(symbol: str) -> Effect:
    """The row that fits a symbol best; one that none is made for does what the symbol with the same shim does."""
    symbol = public_name(symbol) if ".python." in symbol else keras_name(symbol)
    found = _effect(symbol)
    return _effect(public_name(symbol)) if found == _ANY else found


def _effect(symbol: str) -> Effect:
    whole, patterns = _rows()
    if symbol in whole:
        return whole[symbol]
    return next((found for pattern, found in patterns if fnmatchcase(symbol, pattern)), _ANY)
