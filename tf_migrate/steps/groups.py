"""Which modules of a tree are offered to the planner, and which of its plans are written together or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from tf_migrate.names.exports import Index
from tf_migrate.steps.plan import ModulePlan


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


def groups(plans: Mapping[str, ModulePlan], index: Index) -> Iterator[list[str]]:
    """The modules that plans change, those together that depend on one another."""
    changed = {name: index.imported_by(name) for name, plan in plans.items() if not plan.is_empty}
    tied: list[frozenset[str]] = []
    for name, reached in changed.items():
        own = reached & changed.keys() | {name}
        joined = [group for group in tied if not own.isdisjoint(group)]
        tied = [*(group for group in tied if group not in joined), own.union(*joined)]
    yield from (sorted(group) for group in tied)


def beside(plans: Mapping[str, ModulePlan], written: Collection[str], index: Index) -> Iterator[str]:
    """The modules that plans leave as they are, but for what symbols become, and that serve written modules alone."""
    changed = {name for name, plan in plans.items() if not plan.is_empty}
    for name in plans:
        served = changed & (index.imported_by(name) | index.importing(name))
        if name not in changed and served and served <= set(written):
            yield name
