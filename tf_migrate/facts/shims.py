"""Which shims exist, told by reading ``compat``'s files and never by importing them.

The shim for ``tf.A.b`` is ``compat.A.b``; it exists when ``compat/A`` offers ``b``: as an explicit re-export in a
package, or as a public definition in a plain module.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2] / "compat"


@dataclass(frozen=True)
class Shims:
    """The names that the package of shims offers; ``folder`` is the package's own folder."""

    folder: Path
    _namespaces: dict[Path, dict[str, Path | None]] = field(default_factory=dict, compare=False, repr=False)

    def has(self, path: str) -> bool:
        """Whether ``compat.A.b`` (written with or without the leading ``compat.``) can be read at run time."""
        return self._find(path)[0]

    def of(self, path: str) -> str | None:
        """The shim that a dotted path reads from: ``compat.train.Saver`` of ``compat.train.Saver.restore``."""
        found: str | None = None
        parts = path.split(".")
        for length in range(2, len(parts) + 1):
            if not self.has(".".join(parts[:length])):
                break
            found = ".".join(parts[:length])
        return found

    def has_module(self, path: str) -> bool:
        """Whether ``compat.A`` is a module, so that ``from compat.A import b`` works."""
        found, module = self._find(path)
        return found and module is not None

    def _find(self, path: str) -> tuple[bool, Path | None]:
        module: Path | None = self.folder / "__init__.py"
        for part in path.removeprefix("compat.").split("."):
            if module is None:
                return False, None
            namespace = self._namespace(module)
            if part not in namespace:
                return False, None
            module = namespace[part]
        return True, module

    def _namespace(self, file: Path) -> dict[str, Path | None]:
        """Names that a module offers, each with the file of the module that it is, if it is one."""
        if file not in self._namespaces:
            self._namespaces[file] = _names_in(file) if file.is_file() else {}
        return self._namespaces[file]


@functools.cache
def installed() -> Shims:
    """The shims that stand next to ``tf_migrate``."""
    return Shims(_PACKAGE)


def shim_path(symbol: str) -> str:
    """The path of the shim that stands for a canonical symbol: ``tf.layers.dense`` -> ``compat.layers.dense``."""
    return "compat." + symbol.partition(".")[2]


@functools.cache
def _names_in(file: Path) -> dict[str, Path | None]:
    names: dict[str, Path | None] = {}
    for node in _statements(ast.parse(file.read_bytes()).body):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.asname == alias.name or (alias.asname and not alias.asname.startswith("_")):
                    names[alias.asname] = _submodule(file, node, alias.name)
        elif isinstance(node, ast.Import):
            names.update({alias.asname: None for alias in node.names if alias.asname == alias.name})
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names[node.name] = None
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update({target.id: None for target in targets if isinstance(target, ast.Name)})
    return {name: module for name, module in names.items() if not name.startswith("_") or name.startswith("__")}


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            found += _statements([*node.body, *node.orelse])
        else:
            found.append(node)
    return found


def _submodule(file: Path, node: ast.ImportFrom, name: str) -> Path | None:
    """The file of ``name`` where ``from <node> import name`` brings in a module of the package."""
    if not node.level:
        return None
    folder = file.parents[node.level - 1]
    for part in (node.module or "").split("."):
        folder = folder / part if part else folder
    for candidate in (folder / name / "__init__.py", folder / f"{name}.py"):
        if candidate.is_file():
            return candidate
    if (reexport := folder / "__init__.py").is_file() and reexport != file:
        return _names_in(reexport).get(name)
    return None
