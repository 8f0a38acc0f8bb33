"""What a test uses, read from its source: its helpers, its fixtures and what these use, down to what runs TensorFlow.

Nothing is imported. A name is followed to where a module defines it, and an import to the module that it names: among
the tests, and in those parts of the product that start programs or read checkpoints. The rest of the product never
imports TensorFlow.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tf_migrate.syntax.own_nodes import every_node

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
TENSORFLOW = ("tensorflow", "keras", "compat")
"""Importing these imports TensorFlow."""
_RUN_PROGRAMS = {
    ("runpy", "run_path"),
    ("runpy", "run_module"),
    ("tests.warm", "Popen"),
    ("tf_migrate.parity.process", "run"),
}
"""They run programs that import it."""
_PARTS = ("tf_migrate.parity", "tf_migrate.checkpoint", "tf_migrate.freeze", "tf_migrate.facts.generate", "samples")
_SEARCHED = (TESTS, TESTS / "goldens")


@dataclass
class _Module:
    """What a module's top level binds: by definitions, and by imports of a module or of a name in one."""

    defined: dict[str, list[ast.AST]] = field(default_factory=dict)
    imported: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def take(self, statements: list[ast.stmt], path: Path) -> None:
        for statement in statements:
            match statement:
                case ast.Import() | ast.ImportFrom():
                    for name, found in _imports(statement, path):
                        self.imported.setdefault(name, []).append(found)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    self.defined.setdefault(statement.name, []).append(statement)
                case ast.If() if "TYPE_CHECKING" in ast.dump(statement.test):
                    continue
                case ast.If() | ast.For() | ast.While() | ast.With() | ast.Try():
                    for part in ("body", "orelse", "finalbody"):
                        self.take(getattr(statement, part, []), path)
                    for handler in getattr(statement, "handlers", []):
                        self.take(handler.body, path)
                case _:
                    for node in every_node(statement):
                        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                            self.defined.setdefault(node.id, []).append(statement)
                        elif (module := _imported_by_text(node)) is not None:
                            self.imported.setdefault(module, []).append((module, ""))


@functools.cache
def _module(path: Path) -> _Module:
    found = _Module()
    found.take(ast.parse(path.read_text(encoding="utf-8")).body, path)
    return found


def _imports(statement: ast.Import | ast.ImportFrom, path: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names that it binds, each with a module and a name in it, which is empty for the module itself."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0], (alias.name, "")
        return
    module = statement.module or ""
    for alias in statement.names:
        inner = f"{module}.{alias.name}"
        yield alias.asname or alias.name, (inner, "") if _file(inner, path.parent) else (module, alias.name)


def _imported_by_text(node: ast.AST) -> str | None:
    """The module that a call of `import_module` or `importorskip` names."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="import_module" | "importorskip"), args=[ast.Constant(value=str(name)), *_]
        ):
            return name
    return None


@functools.cache
def _file(module: str, folder: Path) -> Path | None:
    """The file of a module of the tests, or of a part of the product that is followed."""
    head, *rest = module.split(".")
    if head == "tests":
        places = [TESTS]
    elif module.startswith(_PARTS):
        places, rest = [ROOT], module.split(".")
    else:
        places, rest = [folder, *_SEARCHED], module.split(".")
    for place in places:
        path = place.joinpath(*rest)
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if rest and file.is_file():
                return file
    return None


@functools.cache
def _places_that_run_programs() -> set[tuple[Path | None, str]]:
    return {(_file(module, TESTS), name) for module, name in _RUN_PROGRAMS}


def imports_tensorflow(path: Path) -> bool:
    """Whether importing a test module imports TensorFlow."""
    return _imports_tensorflow(path, set())


def _imports_tensorflow(path: Path, seen: set[Path]) -> bool:
    if path in seen:
        return False
    seen.add(path)
    for imports in _module(path).imported.values():
        for module, _ in imports:
            if module.partition(".")[0] in TENSORFLOW:
                return True
            file = _file(module, path.parent)
            if file is not None and file.is_relative_to(TESTS) and _imports_tensorflow(file, seen):
                return True
    return False


@functools.cache
def runs_tensorflow(path: Path, name: str) -> bool:
    """Whether what a module defines by this name uses anything that imports TensorFlow or runs a program."""
    seen: set[tuple[Path, str]] = set()
    if _runs_tensorflow(path, name, seen):
        return True
    _without.update(seen)
    return False


_without: set[tuple[Path, str]] = set()
"""What has been followed to its end, and runs none."""


def _runs_tensorflow(path: Path, name: str, seen: set[tuple[Path, str]]) -> bool:
    if (path, name) in _places_that_run_programs():
        return True
    if (path, name) in seen or (path, name) in _without:
        return False
    seen.add((path, name))
    module = _module(path)
    if any(_used(found, path, seen) for found in module.imported.get(name, ())):
        return True
    return any(_mentions(node, path, seen) for node in module.defined.get(name, ()))


@dataclass
class _Words:
    """The names in a definition, attributes of names, and what it imports itself."""

    names: set[str] = field(default_factory=set)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    imported: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


@functools.cache
def _words(node: ast.AST, path: Path) -> _Words:
    found = _Words()
    for inner in every_node(node):
        match inner:
            case ast.Name(id=name):
                found.names.add(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                found.attributes.add((name, attribute))
            case ast.Import() | ast.ImportFrom():
                for name, origin in _imports(inner, path):
                    found.imported.setdefault(name, []).append(origin)
            case ast.Call() if (text := _imported_by_text(inner)) is not None:
                found.imported.setdefault(text, []).append((text, ""))
    return found


def _mentions(node: ast.AST, path: Path, seen: set[tuple[Path, str]]) -> bool:
    """Whether a definition names, or itself imports, what imports TensorFlow."""
    module, words = _module(path), _words(node, path)
    names, local = words.names, words.imported
    bound = {name: [*local.get(name, ()), *module.imported.get(name, ())] for name in names | set(local)}
    if any(found[0].partition(".")[0] in TENSORFLOW for imports in bound.values() for found in imports):
        return True
    if any(_used(found, path, seen) for imports in bound.values() for found in imports if found[1]):
        return True
    if any(
        _used((found[0], attribute), path, seen)
        for name, attribute in words.attributes
        for found in bound.get(name, ())
        if not found[1]
    ):
        return True
    return any(_runs_tensorflow(path, name, seen) for name in names & module.defined.keys())


def _used(found: tuple[str, str], path: Path, seen: set[tuple[Path, str]]) -> bool:
    """Whether a name of a module, used in another, runs TensorFlow."""
    if found in _RUN_PROGRAMS or found[0].partition(".")[0] in TENSORFLOW:
        return True
    file = _file(found[0], path.parent)
    return file is not None and bool(found[1]) and _runs_tensorflow(file, found[1], seen)
