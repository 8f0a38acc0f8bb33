"""Lists the shims that the facts table promises and `compat` does not export yet.

    python -m tf_migrate.facts.missing [USAGE.tsv]

USAGE.tsv (symbol, count) sorts the list by how often real code uses the symbols.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tf_migrate.facts import lookup, owner, symbols
from tf_migrate.shims import installed


@dataclass(frozen=True)
class Missing:
    """One promise not kept: the symbol, the shim that its row names, and how often the symbol is used."""

    symbol: str
    target: str
    uses: int


def missing(usage: Counter[str] | None = None) -> list[Missing]:
    """The shims that are not there, most used first."""
    uses = usage or Counter()
    facts = [fact for fact in map(lookup, symbols()) if fact is not None and fact.action == "shim"]
    absent = [fact for fact in facts if fact.kind != "module" and not installed().has(fact.target)]
    found = [Missing(fact.symbol, fact.target, uses[fact.symbol]) for fact in absent]
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
        print(f"{item.uses:6d}  {item.symbol} -> {item.target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
