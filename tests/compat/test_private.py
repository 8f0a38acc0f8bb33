"""What TensorFlow does not export is imported in one place, and this TensorFlow has all of it that is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from tests.conftest import ROOT

_COMPAT = ROOT / "compat"
_FILES = sorted(path for path in _COMPAT.rglob("*.py") if path != _COMPAT / "private.py")


def _imported(tree: ast.AST) -> Iterator[tuple[str, ast.alias]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = "." * getattr(node, "level", 0) + (getattr(node, "module", None) or "")
            yield from ((module, alias) for alias in node.names)


def _read(path: Path) -> set[tuple[str, str]]:
    """The private modules of a file by name, each with the attributes that the file reads of it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        alias.asname or alias.name: alias.name for module, alias in _imported(tree) if module.lstrip(".") == "private"
    }
    return {
        (names[node.value.id], node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names
    }


def test_nothing_else_imports_what_tensorflow_does_not_export() -> None:
    found = {
        str(path.relative_to(_COMPAT)): name
        for path in _FILES
        for module, alias in _imported(ast.parse(path.read_text(encoding="utf-8")))
        if "tensorflow.python" in (name := f"{module}.{alias.name}")
    }
    assert found == {}


def test_this_tensorflow_has_what_is_read() -> None:
    from compat import private

    used = set[tuple[str, str]]().union(*map(_read, _FILES))
    assert len(used) > 60
    found = vars(private).items()
    modules = {name for name, each in found if isinstance(each, ModuleType) and name.isidentifier()}
    assert [
        f"{name}.{attribute}"
        for name, attribute in sorted(used)
        if name in modules and not hasattr(getattr(private, name), attribute)
    ] == []
    assert modules == {name for name, _ in used if name in modules}
