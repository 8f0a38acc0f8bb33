"""The rooms of the house: each imports only what stands below it, and no file imports itself by way of others.

Imports for types alone, and those inside functions, count as all others do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import tf_migrate

_PACKAGE = Path(tf_migrate.__file__).parent

# From the ground up; rooms of a line stand beside each other.
_FLOORS = (
    {"options", "exit_status", "workers", "facts"},
    {"report"},
    {"files"},
    {"syntax"},
    {"names"},
    {"eager", "numpy1"},
    {"changes", "rules"},
    {"verify"},
    {"interpreter"},
    {"semantics"},
    {"trace"},
    {"steps"},
    {"pipeline"},
    {"map", "parity", "checkpoint", "freeze", "shell"},
    {"cli"},
    {"__main__"},
)
# What serves the programs that the form of steps does not take: it may lean on every room, and no room on it.
_OLD_CORE = {"stages", "native", "planning", "programs", "plan", "rewrite"}
# The pipeline calls it, and one rule writes what it finds of towers.
_CALLERS = {"tf_migrate.pipeline", "tf_migrate.rules.tower_loop"}


def _modules(folder: Path) -> dict[str, Path]:
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _imported(name: str, path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules of the package that one of them imports anywhere."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join(filter(None, (*above, node.module)))
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                if inner in modules or base in modules:
                    yield inner if inner in modules else base


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    modules = {
        name: path for name, path in _modules(_PACKAGE).items() if not name.startswith("tf_migrate.facts.generate")
    }
    return {name: {*_imported(name, path, modules)} - {name} for name, path in modules.items()}


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_a_room_imports_only_what_stands_below_it(imports: dict[str, set[str]]) -> None:
    floors = {room: number for number, rooms in enumerate(_FLOORS) for room in rooms}
    upward = [
        f"{name} imports {other}"
        for name, others in imports.items()
        for other in others
        if _room(name) in floors and _room(other) in floors and floors[_room(other)] > floors[_room(name)]
    ]
    assert upward == []
    assert {_room(name) for name in imports} == {*floors, *_OLD_CORE, ""}


def test_nothing_new_leans_on_the_old_core(imports: dict[str, set[str]]) -> None:
    leaning = {
        name
        for name, others in imports.items()
        if _room(name) not in _OLD_CORE and any(_room(other) in _OLD_CORE for other in others)
    }
    assert leaning == _CALLERS


def test_no_file_imports_itself_by_way_of_others(imports: dict[str, set[str]]) -> None:
    new = {name: others for name, others in imports.items() if _room(name) not in _OLD_CORE}
    try:
        TopologicalSorter(new).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
