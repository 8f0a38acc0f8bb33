"""What can be reached in a graph of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def closure(graph: Mapping[str, set[str]], starts: Iterable[str]) -> frozenset[str]:
    """All that can be reached, the starts included.

    >>> sorted(closure({"a": {"b"}, "b": {"c"}, "d": {"a"}}, ["a"]))
    ['a', 'b', 'c']
    """
    found = set(starts)
    pending = list(found)
    while pending:
        for reached in graph.get(pending.pop(), ()):
            if reached not in found:
                found.add(reached)
                pending.append(reached)
    return frozenset(found)
