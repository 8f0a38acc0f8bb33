"""Each symbol means one thing to the native tier."""

from __future__ import annotations

from collections import Counter

from tf_migrate.stages import calls


def test_no_symbol_is_of_two_families() -> None:
    counts = Counter(symbol for symbols, _ in calls._FAMILIES for symbol in set(symbols))
    assert [symbol for symbol, count in counts.items() if count > 1] == []
    assert len(counts) > 600
