"""The table of the names that TensorFlow 1.15.5 gives what a symbol makes, measured from it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple

from tf_migrate import facts

_PATH = Path(__file__).with_name("op_names.tsv")


class OpNames(NamedTuple):
    """The names that a call takes in its name scope, and those of what it gives."""

    main: str
    """The name that `name=` replaces."""
    others: tuple[str, ...]
    results: tuple[str, ...]
    """Names of ops, where `{}` stands for the main one as it became."""
    many: bool
    """Whether it gives a list or tuple."""
    gradient: bool
    """Whether a gradient goes through it."""


@functools.cache
def _rows() -> dict[str, OpNames]:
    found = {}
    for line in _PATH.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            symbol, main, others, results, many, gradient, _ = line.split("\t")
            found[symbol] = OpNames(
                main,
                tuple(others.split(",")) if others else (),
                tuple(results.split(",")) if results else (),
                many == "many",
                gradient != "stopped",
            )
    return found


@functools.cache
def op_names(symbol: str) -> OpNames | None:
    """The names that a symbol takes; None where they are not known, or depend on more than its row can say."""
    rows = _rows()
    if symbol in rows:
        return rows[symbol]
    short = f"tf.{symbol.rpartition('.')[2]}"
    if short not in rows or facts.lookup(symbol) is None:
        return None
    one, other = facts.lookup(symbol), facts.lookup(short)
    return rows[short] if one is not None and other is not None and one.target == other.target != "" else None


@functools.cache
def defaults() -> frozenset[str]:
    """All names that TensorFlow gives by itself, in small letters: a name of the program's own may meet them."""
    return frozenset(name.lower() for row in _rows().values() for name in (row.main, *row.others))
