"""Values of one checkpoint in the form of another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tf_migrate.checkpoint.files import read, values_of, write
from tf_migrate.checkpoint.model import Checkpoint, Entry, Match, match
from tf_migrate.options import UsageError


def convert(
    source_path: Path,
    target_path: Path,
    *,
    like: Path | None = None,
    renames: Mapping[str, str] | None = None,
    drop: re.Pattern[str] | None = None,
    keep_missing: bool = False,
    skip_left_over: bool = False,
) -> tuple[Match, bool]:
    """Writes `target_path` with the values of `source_path`.

    Args:
        source_path: the checkpoint to read.
        target_path: the checkpoint to write.
        like: a checkpoint whose form (keys, shapes, object graph) the new one takes. Without it, the new one is
            name-based, with the source's variables.
        renames: names of the source to those of the target.
        drop: variables of the source whose names match this regular expression are not carried over.
        keep_missing: where the source lacks a variable, take the value that `like` has.
        skip_left_over: let go of variables that `like` does not have.

    Returns:
        How the two match, and whether the checkpoint was written. On a mismatch nothing is.

    Raises:
        UsageError: a checkpoint cannot be read or written, or `renames` speak of a variable that is not there.
    """
    source, reader = read(source_path)
    unknown = sorted(set(renames or ()) - {entry.name for entry in source.entries})
    if unknown:
        raise UsageError(f"--rename {unknown[0]}=…: {source_path} has no variable of this name")
    kept = tuple(entry for entry in source.entries if drop is None or not drop.search(entry.name))
    source = replace(source, entries=kept)
    renames = renames or {}
    if like is None:
        target, template = _named(source, renames), None
    else:
        target, template = read(like)
    found = match(source, target, renames)
    tolerated = replace(
        found,
        missing=() if keep_missing else found.missing,
        left_over=() if skip_left_over else found.left_over,
    )
    if not tolerated.whole:
        return found, False
    taken = values_of(source, reader, (old.key for old, _ in found.pairs))
    values = {new.key: taken[old.key] for old, new in found.pairs}
    if template is not None:
        values |= values_of(target, template, [entry.key for entry in found.missing] + list(target.hidden))
    write(target_path, values)
    return found, True


def _named(source: Checkpoint, renames: Mapping[str, str]) -> Checkpoint:
    """The name-based checkpoint of the same variables; what only objects need (counters) has no place in it."""
    entries = []
    for entry in source.entries:
        name = renames.get(entry.name, entry.name)
        entries.append(Entry(name, name, entry.dtype, entry.shape))
    return Checkpoint("", False, tuple(entries))
