"""The programs of a tree, and the map of each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tf_migrate.files.discover import Tree, discover
from tf_migrate.files.source import SourceError, read
from tf_migrate.names.exports import Index
from tf_migrate.options import Options, UsageError
from tf_migrate.pipeline import read_tree
from tf_migrate.report.model import FileResult
from tf_migrate.steps.executions import is_entry
from tf_migrate.syntax.module import load, module_name
from tf_migrate.trace.program_map import ProgramMap, map_program


@dataclass(frozen=True)
class Maps:
    """The maps of the programs that were asked for, and the files that could not be read."""

    programs: tuple[ProgramMap, ...]
    failed: tuple[FileResult, ...]


def map_tree(path: Path, entry: str | None) -> Maps:
    """Maps one program of a tree, or each: those that build a graph or run a session.

    A path to a file is that program, in the tree of its folder. Raises `UsageError` for a path that is missing, for an
    entry that is not in the tree, and where no program is found.
    """
    if path.is_file():
        if entry is not None:
            raise UsageError(f"{path}: this is a file; name the folder of the tree to choose a program by --entry")
        path, entry = path.parent, path.name
    options = Options(paths=(path,))
    tree = discover(options)
    index, failed = read_tree(tree.code, options)
    broken = (*tree.set_aside, *failed)
    if entry is not None:
        name = _entry(tree, entry)
        unread = [each for each in broken if each.path == name] or _unparsed(tree, name)
        if unread:
            return Maps((), tuple(unread))
        return Maps((map_program(index, module_name(name)[0]),), _failures(broken))
    found = [map_program(index, name) for name in _entries(tree, index)]
    programs = tuple(each for each in found if each.lines or each.maybe or each.runs or each.variables)
    if not programs and not _failures(broken):
        raise UsageError(f"{path}: no program here builds a graph or runs a session; name one by --entry PROGRAM")
    return Maps(programs, _failures(broken))


def _unparsed(tree: Tree, name: str) -> list[FileResult]:
    """The failure of a program that cannot be parsed and says nothing of TensorFlow by which the tree would know it."""
    file = next(file for file in tree.code if file.name == name)
    try:
        load(read(name, file.path.read_bytes()))
    except SourceError as error:
        return [FileResult(name, "failed", f"line {error.line}: {error.reason}; {error.next_step}")]
    return []


def _failures(results: Iterable[FileResult]) -> tuple[FileResult, ...]:
    return tuple(sorted((each for each in results if each.status == "failed"), key=lambda each: each.path))


def _entry(tree: Tree, entry: str) -> str:
    """The name of a program in the tree."""
    names = [file.name for file in (*tree.code,)]
    names += [each.path for each in tree.set_aside]
    asked = Path(entry)
    if asked.is_absolute() and asked.is_relative_to(tree.base):
        asked = asked.relative_to(tree.base)
    wanted = asked.as_posix()
    if wanted in names:
        return wanted
    near = difflib.get_close_matches(wanted, names, n=3)
    near += [name for name in names if name.endswith(f"/{wanted}") and name not in near]
    hint = f"; did you mean {' or '.join(near)}?" if near else "; name it as it is called from that folder"
    raise UsageError(f"--entry {entry}: no such program in {tree.base}{hint}")


def _entries(tree: Tree, index: Index) -> list[str]:
    found = []
    for file in tree.code:
        name = module_name(file.name)[0]
        module = index.tree(name)
        if module is not None and is_entry(module, index):
            found.append(name)
    return found
