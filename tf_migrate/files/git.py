"""What is asked of git: which files it tracks, and whether it has a copy of each file as it stands."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tf_migrate.options import UsageError

_PATHS_A_CALL = 500  # command lines have an end


class GitError(Exception):
    """Git is not there, or did not answer."""


def repository_top(folder: Path) -> Path | None:
    """The top of the work tree that holds `folder`; None outside a repository."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate
    return None


def tracked_though_ignored(folder: Path) -> list[Path]:
    """Files of `folder` that git tracks although `.gitignore` names them: git does not ignore those."""
    if repository_top(folder) is None:
        return []
    try:
        names = _ask(folder, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
    except GitError:
        return []
    return sorted(folder / name for name in names)


def unsaved(paths: Iterable[Path], files: Iterable[Path]) -> list[Path]:
    """Files that git could not bring back: uncommitted changes in `paths`, and untracked ones of `files`.

    Links are followed, since what they lead to is what would be written. Outside a repository there is nothing to
    compare with. Raises `UsageError` where there is a repository but git cannot be asked.
    """
    targets = {file.resolve() for file in files}
    found: set[Path] = set()
    try:
        for top, inside in _by_repository({*targets, *(path.resolve() for path in paths)}):
            untracked = targets.intersection(inside)
            for start in range(0, len(inside), _PATHS_A_CALL):
                asked = [str(path) for path in inside[start : start + _PATHS_A_CALL]]
                # Entries are `XY name`; of a rename, git would give the old name as an entry of its own.
                changed = _ask(top, "status", "--porcelain", "-z", "--no-renames", "-uno", "--", *asked)
                found |= {top / entry[3:] for entry in changed}
                untracked -= {top / name for name in _ask(top, "ls-files", "-z", "--", *asked)}
            found |= untracked
    except GitError as error:
        raise UsageError(
            f"cannot tell whether git has a copy of what would be overwritten ({error}); "
            "mend that, write a copy with --output DIR, or pass --allow-dirty"
        ) from None
    return sorted(found)


def _by_repository(paths: Iterable[Path]) -> Iterable[tuple[Path, list[Path]]]:
    grouped: dict[Path, list[Path]] = {}
    for path in sorted(paths):
        top = repository_top(path if path.is_dir() else path.parent)
        if top is not None:
            grouped.setdefault(top, []).append(path)
    return grouped.items()


def _ask(folder: Path, *arguments: str) -> list[str]:
    try:
        result = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from None
    if result.returncode != 0:
        raise GitError(os.fsdecode(result.stderr).strip().partition("\n")[0])
    return [os.fsdecode(name) for name in result.stdout.split(b"\0") if name]
