"""Paths -> the files to read, in a stable order.

Code is what ends in `.py`, `.pyw` or `.ipynb`, and a file without a suffix whose first line names Python.
Left out are caches, version-control folders and virtual environments, what `.gitignore` (nested ones too) and
`--exclude` name, and links to a place inside the tree, which is visited anyway. A file that git tracks is
never ignored.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pathspec import GitIgnoreSpec

from tf_migrate.files.git import tracked_though_ignored
from tf_migrate.files.ignores import Ignores
from tf_migrate.files.pin_files import is_pin_file
from tf_migrate.options import Options, UsageError
from tf_migrate.report.model import FileResult

CODE_SUFFIXES = (".py", ".pyw", ".ipynb")
LEFT_OUT_FOLDERS = frozenset(
    (
        *("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints"),
        *(".git", ".hg", ".svn", ".bzr"),
        *(".tox", ".nox", ".venv", ".eggs", "node_modules"),
    )
)
VENDORED_MARK = "VENDORED"
"""The file in a folder of vendored shims that tells it from code of the tree."""
_Item = TypeVar("_Item")
_PYTHON_SHEBANG = re.compile(rb"#!.*\bpython[\d.]*\b")


@dataclass(frozen=True, slots=True)
class TreeFile:
    """One file: where it is, and its name in the report (relative to the tree, with `/`).

    `edit` is false for a file that the analysis may only read (`--root`).
    """

    path: Path
    name: str
    edit: bool = True


@dataclass(frozen=True, slots=True)
class Tree:
    """What was found. `base` is the folder that the names are relative to.

    `pins` are files that may pin TensorFlow; `set_aside` is what could not or must not be read, and why.
    """

    base: Path
    code: tuple[TreeFile, ...]
    pins: tuple[TreeFile, ...]
    set_aside: tuple[FileResult, ...]


def discover(options: Options) -> Tree:
    """Find the files of `options.paths`, and those of `options.root` around them.

    Raises `UsageError` for a path that is missing, leads in a circle, or lies outside the root.
    """
    paths = [_existing(path) for path in options.paths]
    base = _base(paths, options.root)
    named = _Search(base, options.exclude, edit=True)
    for path in paths:
        named.take(path)
    around = _Search(base, options.exclude, edit=False)
    if options.root is not None:
        around.take(base)
    return Tree(
        base,
        _in_order({**around.code, **named.code}),
        _in_order({**around.pins, **named.pins}),
        _in_order(named.set_aside),  # what cannot be read elsewhere is nobody's failure here
    )


def is_left_out(folder: Path) -> bool:
    """Whether a folder holds nothing of the program: a cache, version control, a virtual environment."""
    return (
        folder.name in LEFT_OUT_FOLDERS
        or (folder / "pyvenv.cfg").exists()
        or (folder / "conda-meta" / "history").exists()
    )


def display_name(path: str) -> str:
    """A file name as text that every output can encode; bytes that are no UTF-8 become `\\xNN`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace").replace(os.sep, "/")


def _existing(path: Path) -> Path:
    absolute = Path(os.path.abspath(path))
    try:
        absolute.stat()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file or folder{_near(absolute)}") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name the real file or folder") from None
    return absolute


def _near(path: Path) -> str:
    if path.is_symlink():
        return f": it links to {os.readlink(path)}, which is not there"
    try:
        near = difflib.get_close_matches(path.name, os.listdir(path.parent), n=3)
    except OSError:
        return ""
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _base(paths: Sequence[Path], root: Path | None) -> Path:
    if root is None:
        return Path(os.path.commonpath([path if path.is_dir() else path.parent for path in paths]))
    base = _existing(root)
    if not base.is_dir():
        raise UsageError(f"--root {root}: not a folder")
    for path in paths:
        if not path.is_relative_to(base):
            raise UsageError(f"{path}: lies outside --root {root}; name a root that holds it")
    return base


def _in_order(by_name: Mapping[str, _Item]) -> tuple[_Item, ...]:
    return tuple(by_name[name] for name in sorted(by_name))


class _Search:
    """Collects files by name, so that one reached twice is taken once."""

    def __init__(self, base: Path, exclude: Sequence[str], *, edit: bool) -> None:
        self.base = base
        self.edit = edit
        self.real_base = base.resolve()
        self.exclude = GitIgnoreSpec.from_lines(exclude) if exclude else None
        self.code: dict[str, TreeFile] = {}
        self.pins: dict[str, TreeFile] = {}
        self.set_aside: dict[str, FileResult] = {}

    def take(self, path: Path) -> None:
        """Take a path that the user named: a file whatever `.gitignore` says, a folder by its rules."""
        if not path.is_dir():
            if self._is_excluded(path, is_folder=False):
                self._skip(path, "left out by --exclude")
            else:
                self._classify(path, is_code=not is_pin_file(path))
            return
        for found in self._walk(path, Ignores.above(path)):
            self._classify(found)
        for tracked in tracked_though_ignored(path):
            if tracked.is_file() and not self._is_excluded(tracked, is_folder=False):
                self._classify(tracked)

    def _walk(self, folder: Path, ignores: Ignores) -> Iterator[Path]:
        ignores = ignores.within(folder)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self._fail(folder, f"this folder cannot be listed ({error.strerror}); make it readable (chmod u+rx)")
            return
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if self._is_excluded(path, is_folder) or ignores.match(path, is_folder):
                continue
            if entry.is_symlink():
                if self._is_wanted_link(path):
                    yield path
            elif not is_folder:
                yield path
            elif not is_left_out(path) and not (path / VENDORED_MARK).exists():
                yield from self._walk(path, ignores)

    def _is_wanted_link(self, link: Path) -> bool:
        """Whether to read a link: to a file outside the tree. What is inside is read under its own name."""
        try:
            target = link.resolve(strict=True)
        except (OSError, RuntimeError):  # up to Python 3.12 a circle raises RuntimeError
            # Emacs marks a file that is being edited by such a link: `.#name`.
            if link.suffix in CODE_SUFFIXES and not link.name.startswith(".#"):
                self._fail(link, f"the link leads nowhere (to {os.readlink(link)}); mend or remove it")
            elif not link.suffix:
                self._skip(link, f"the link leads nowhere (to {os.readlink(link)}); mend or remove it")
            return False
        if target.is_relative_to(self.real_base):
            return False
        if target.is_dir():
            self._skip(link, f"links to a folder outside the tree; name {target} too to have it migrated")
            return False
        return True

    def _classify(self, path: Path, *, is_code: bool = False) -> None:
        if is_pin_file(path):
            self._add(self.pins, path)
        if is_code or path.suffix in CODE_SUFFIXES or self._is_script(path):
            self._add(self.code, path)

    def _is_script(self, path: Path) -> bool:
        if path.suffix or not path.is_file():
            return False
        try:
            with path.open("rb") as file:
                return _PYTHON_SHEBANG.match(file.readline(200)) is not None
        except OSError:
            return False  # it may be anything: only what is known to be code is reported as unreadable

    def _add(self, files: dict[str, TreeFile], path: Path) -> None:
        if not stat.S_ISREG(path.stat().st_mode):
            self._fail(path, "not a regular file; remove it, or leave it out with --exclude")
            return
        name = self._name(path)
        files[name] = TreeFile(path, name, self.edit)

    def _is_excluded(self, path: Path, is_folder: bool) -> bool:
        """Patterns count from the tree's folder and from the current one: a user may think in either."""
        if self.exclude is None:
            return False
        end = "/" if is_folder else ""
        names = (os.path.relpath(path, self.base), os.path.relpath(path))
        return any(self.exclude.match_file(name + end) for name in names)

    def _skip(self, path: Path, reason: str) -> None:
        self.set_aside[self._name(path)] = FileResult(self._name(path), "skipped", reason)

    def _fail(self, path: Path, reason: str) -> None:
        self.set_aside[self._name(path)] = FileResult(self._name(path), "failed", reason)

    def _name(self, path: Path) -> str:
        return display_name(os.path.relpath(path, self.base))
