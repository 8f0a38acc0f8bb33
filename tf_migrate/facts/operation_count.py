"""Behind what the count of operations is another than TensorFlow 1's.

TensorFlow 1 took that number as the second seed of random operations which have the graph's seed alone. Graphs of
compat count as it did (`compat.bridge.operation_count`), but for what stands in `operation_count.txt`: there numbers
drawn behind it are others. A row with a `keyword` holds where a call gives that argument, unless it is given as one of
the `exact` texts (`*` is any constant). A row that leads `through` another symbol is only what shows in our programs.
"""

from __future__ import annotations

import ast
import functools
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from tf_migrate import facts


class Row(NamedTuple):
    """One row of the table."""

    symbol: str
    keyword: str
    exact: tuple[str, ...]
    through: str


@functools.cache
def rows() -> tuple[Row, ...]:
    """All rows."""
    lines = Path(__file__).with_name("operation_count.txt").read_text(encoding="utf-8").splitlines()[1:]
    fields = (line.split("\t") for line in lines)
    return tuple(Row(symbol, keyword, tuple(exact.split()), through) for symbol, keyword, exact, through in fields)


@functools.cache
def _whole() -> frozenset[str]:
    symbols = [row.symbol for row in rows() if not row.keyword and not row.through]
    return frozenset([*symbols, *map(_target, symbols)])


@functools.cache
def _target(symbol: str) -> str:
    """What a symbol becomes: names of one thing become the same."""
    fact = facts.lookup(symbol)
    return symbol if fact is None or fact.symbol != symbol else fact.target or symbol


def is_another(symbol: str, call: ast.Call) -> bool:
    """Whether the count is another behind a call of a symbol."""
    if symbol in _whole() or _target(symbol) in _whole():
        return True
    return any(
        row.keyword and fnmatchcase(symbol, row.symbol) and not _is_exact(row, _given(symbol, call, row.keyword))
        for row in rows()
    )


def _given(symbol: str, call: ast.Call, name: str) -> ast.expr | None:
    """What a call gives for an argument."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    fact = facts.lookup(symbol)
    names = () if fact is None else fact.tf1
    place = names.index(name) if name in names else len(call.args)
    return call.args[place] if place < len(call.args) else None


def _is_exact(row: Row, given: ast.expr | None) -> bool:
    if given is None or ("*" in row.exact and isinstance(given, ast.Constant)):
        return True
    return ast.unparse(given).replace(" ", "") in row.exact
