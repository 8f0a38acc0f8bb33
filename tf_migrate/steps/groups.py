"""Which modules of a tree are offered to the planner, and which others stand around those that are written."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tf_migrate.names.exports import Index


def offered(bridged: Iterable[str], editable: Collection[str], index: Index) -> list[str]:
    """The modules of all programs that have a module of some run on the bridge, by name."""
    found: set[str] = set()
    waiting = list(bridged)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [*index.imports(name), *index.importers(name)]
    return sorted(found.intersection(editable))


def around(written: Collection[str], index: Index) -> set[str]:
    """The other modules of the programs of written ones."""
    found: set[str] = set()
    for name in written:
        found |= index.importing(name) | index.imported_by(name)
    return found.difference(written)
