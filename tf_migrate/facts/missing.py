"""Lists the names that are left to a person only because `compat` has no shim for them.

    python -m tf_migrate.facts.missing [USAGE.tsv]

USAGE.tsv (symbol, count) sorts the list by how often real code uses the symbols.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tf_migrate.facts import NO_SHIM, lookup, owner, symbols


@dataclass(frozen=True)
class Missing:
    """One name without its shim, and how often it is used."""

    symbol: str
    uses: int


def missing(usage: Counter[str] | None = None) -> list[Missing]:
    """The names without a shim, most used first."""
    uses = usage or Counter()
    facts = [fact for fact in map(lookup, symbols()) if fact is not None]
    found = [Missing(fact.symbol, uses[fact.symbol]) for fact in facts if fact.reason.startswith(NO_SHIM)]
    return sorted(found, key=lambda item: (-item.uses, item.symbol))


def read_usage(path: str) -> Counter[str]:
    """Uses by the symbol that has the row, so that `tf.GraphKeys.LOSSES` counts for `tf.GraphKeys`."""
    uses: Counter[str] = Counter()
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        symbol, count = line.split("\t")[:2]
        owned = owner(symbol)
        if owned is not None:
            uses[owned[0].symbol] += int(count)
    return uses


def main(usage: str | None = None) -> None:
    """Print the list."""
    for item in missing(read_usage(usage) if usage else None):
        print(f"{item.uses:6d}  {item.symbol}")


if __name__ == "__main__":
    main(*sys.argv[1:])
