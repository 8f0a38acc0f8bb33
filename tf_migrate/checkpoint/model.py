"""What a checkpoint holds, and how two of them compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Entry:
    """One tensor of a checkpoint.

    Attributes:
        name: the variable's name; of an object-based checkpoint the one that it had when it was saved.
        key: the name under which the file has it; the same as `name` in a name-based checkpoint.
        dtype: the name of its dtype.
        shape: its shape.
    """

    name: str
    key: str
    dtype: str
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.dtype}{list(self.shape)}"


@dataclass(frozen=True)
class Checkpoint:
    """The entries of one checkpoint.

    Attributes:
        path: the path without suffix.
        object_based: whether `tf.train.Checkpoint` wrote it.
        entries: the tensors, by name.
        hidden: keys of the file that are no variables (the object graph, the counter of saves).
    """

    path: str
    object_based: bool
    entries: tuple[Entry, ...]
    hidden: tuple[str, ...] = ()

    def by_name(self) -> dict[str, list[Entry]]:
        """The entries of each name; several where variables of one name were saved."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(entry.name, []).append(entry)
        return found


@dataclass(frozen=True)
class Match:
    """Which entry of one checkpoint fits which of another.

    Attributes:
        pairs: entries that fit.
        different: entries of one name with another shape or dtype.
        left_over: entries of the source that the target does not have.
        missing: entries of the target that the source does not have.
        ambiguous: names that several variables share, on either side.
    """

    pairs: tuple[tuple[Entry, Entry], ...]
    different: tuple[tuple[Entry, Entry], ...]
    left_over: tuple[Entry, ...]
    missing: tuple[Entry, ...]
    ambiguous: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether each entry of either side has its like on the other."""
        return not (self.different or self.left_over or self.missing or self.ambiguous)


def match(source: Checkpoint, target: Checkpoint, renames: Mapping[str, str]) -> Match:
    """Pairs the entries of two checkpoints by name.

    Args:
        source: where values come from.
        target: where they go.
        renames: names of the source to those of the target, where they differ. A target may be named by its key too.
    """
    targets = target.by_name()
    keys = {entry.key: entry for entry in target.entries}
    pairs: list[tuple[Entry, Entry]] = []
    different: list[tuple[Entry, Entry]] = []
    left_over: list[Entry] = []
    ambiguous: set[str] = set()
    taken: set[str] = set()
    for name, found in source.by_name().items():
        wanted = renames.get(name, name)
        candidates = [keys[wanted]] if wanted in keys else targets.get(wanted, [])
        if not candidates:
            left_over.extend(found)
        elif len(found) > 1 or len(candidates) > 1 or candidates[0].key in taken:
            ambiguous.add(wanted)
            taken.update(entry.key for entry in candidates)
        else:
            pair = found[0], candidates[0]
            taken.add(candidates[0].key)
            fits = (pair[0].shape, pair[0].dtype) == (pair[1].shape, pair[1].dtype)
            (pairs if fits else different).append(pair)
    missing = tuple(entry for entry in target.entries if entry.key not in taken)
    return Match(tuple(pairs), tuple(different), tuple(left_over), missing, tuple(sorted(ambiguous)))


def lines(found: Match, source: str, target: str) -> Sequence[str]:
    """The match in words, what does not fit first."""
    said = [f"{name}: several variables have this name; tell them apart by their keys" for name in found.ambiguous]
    said += [f"{a.name}: {_form(a)} in {source}, {_form(b)} in {target}" for a, b in found.different]
    said += [f"{entry}: missing in {source}" for entry in found.missing]
    said += [f"{entry}: left over in {source}" for entry in found.left_over]
    return [*said, f"{len(found.pairs)} of {_count(found)} variables match"]


def _form(entry: Entry) -> str:
    return f"{entry.dtype}{list(entry.shape)}"


def _count(found: Match) -> int:
    return sum(map(len, (found.pairs, found.different, found.left_over, found.missing, found.ambiguous)))
