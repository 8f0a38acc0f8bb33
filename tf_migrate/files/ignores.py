"""`.gitignore` files: those above a folder up to the top of its repository, and the nested ones below."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from tf_migrate.files.git import repository_top


@dataclass(frozen=True, slots=True)
class Ignores:
    """The `.gitignore` files in force in one folder, each with its own folder, the outermost first."""

    levels: tuple[tuple[Path, GitIgnoreSpec], ...] = ()

    @classmethod
    def above(cls, folder: Path) -> Ignores:
        """The rules that the folders around `folder` set; none outside a git repository."""
        top = repository_top(folder)
        if top is None:
            return cls()
        found = _level(top, top / ".git" / "info" / "exclude")
        for parent in reversed([parent for parent in folder.parents if parent.is_relative_to(top)]):
            found += _level(parent, parent / ".gitignore")
        ignores = cls(found)
        # A folder that the user names is wanted, even where git ignores it.
        return cls() if ignores.match(folder, is_folder=True) else ignores

    def within(self, folder: Path) -> Ignores:
        """The rules in force inside `folder`."""
        added = _level(folder, folder / ".gitignore")
        return Ignores(self.levels + added) if added else self

    def match(self, path: Path, is_folder: bool) -> bool:
        """Whether `path` is ignored: the innermost file that says anything about it decides."""
        end = "/" if is_folder else ""
        for folder, spec in reversed(self.levels):
            verdict = spec.check_file(path.relative_to(folder).as_posix() + end).include
            if verdict is not None:
                return verdict
        return False


def _level(folder: Path, file: Path) -> tuple[tuple[Path, GitIgnoreSpec], ...]:
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ()
    return ((folder, GitIgnoreSpec.from_lines(lines)),)
