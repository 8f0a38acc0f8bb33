"""The three questions asked of git. Without git, or outside a repository, each answer is empty."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path


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
    listing = _git(folder, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
    return sorted(folder / os.fsdecode(name) for name in listing.split(b"\0") if name)


def uncommitted(paths: Sequence[Path]) -> list[str]:
    """The paths with changes that git has no copy of, as `git status --porcelain` names them."""
    found: list[str] = []
    for path in paths:
        folder = path if path.is_dir() else path.parent
        if repository_top(folder) is None:
            continue
        entries = iter(_git(folder, "status", "--porcelain", "-z", "--", str(path)).split(b"\0"))
        for entry in entries:
            if entry:
                found.append(os.fsdecode(entry[3:]))
            if entry[:1] in b"RC" and entry[:1]:
                next(entries, None)  # a rename is followed by the name it had
    return list(dict.fromkeys(found))


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        result = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError:  # no git on this machine
        return b""
    return result.stdout if result.returncode == 0 else b""
