"""What is asked of git: which files it tracks, and whether it has a copy of each file as it stands."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tf_migrate.options import UsageError


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


def unsaved(paths: Iterable[Path], code: Iterable[Path]) -> list[Path]:
    """Files that git could not bring back: uncommitted changes below `paths`, and untracked ones of `code`.

    Outside a repository there is nothing to compare with, and the answer is empty. Raises `UsageError` where
    there is a repository but git cannot be asked.
    """
    found: set[Path] = set()
    untracked = set(code)
    try:
        for path in paths:
            folder = path if path.is_dir() else path.parent
            top = repository_top(folder)
            if top is None:
                untracked = {file for file in untracked if not file.is_relative_to(folder)}
                continue
            # Entries are `XY name`; of a rename, git gives the old name as an entry of its own.
            for entry in _ask(folder, "status", "--porcelain", "-z", "--no-renames", "-uno", "--", str(path)):
                found.add(top / entry[3:])
            untracked -= {folder / name for name in _ask(folder, "ls-files", "-z", "--", str(path))}
    except GitError as error:
        raise UsageError(
            f"cannot tell whether git has a copy of what would be overwritten ({error}); "
            "mend that, write a copy with --output DIR, or pass --allow-dirty"
        ) from None
    return sorted(found | untracked)


def _ask(folder: Path, *arguments: str) -> list[str]:
    try:
        result = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from None
    if result.returncode != 0:
        raise GitError(os.fsdecode(result.stderr).strip().partition("\n")[0])
    return [os.fsdecode(name) for name in result.stdout.split(b"\0") if name]
