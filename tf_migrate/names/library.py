"""The syntax trees of a tree's modules, for analyses that look into more modules than the one they are about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tf_migrate.files.source import SourceError, read
from tf_migrate.syntax.module import Module, is_skipped_file, load


class Library:
    """Reads modules when they are asked for, each once."""

    def __init__(self, files: Mapping[str, tuple[str, Path]]) -> None:
        """`files` has the name and the place of the file of each module."""
        self.files = files
        self._read: dict[str, Module | None] = {}

    def __reduce__(self) -> tuple[type[Library], tuple[Mapping[str, tuple[str, Path]]]]:
        # Other processes read for themselves what they need.
        return Library, (self.files,)

    def module(self, name: str) -> Module | None:
        """A module by its dotted name; None where there is none, it cannot be read, or it must stay as it is."""
        if name not in self._read:
            self._read[name] = self._load(name)
        return self._read[name]

    def text(self, name: str) -> bytes:
        """The bytes of a module's file, which is not kept; none where it cannot be read."""
        try:
            return self.files[name][1].read_bytes()
        except (KeyError, OSError):
            return b""

    def _load(self, name: str) -> Module | None:
        if name not in self.files:
            return None
        file, path = self.files[name]
        try:
            source = read(file, path.read_bytes())
            return None if is_skipped_file(source.text) else load(source)
        except (OSError, SourceError):
            return None
