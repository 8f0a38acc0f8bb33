"""Writes what `compat.keras2` offers: `python -m tf_migrate.facts.generate.keras2` beside the newest TensorFlow.

One row a module: its path, the public module whose names it has too (or nothing), and its own names.
"""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "keras2.txt"


def rows() -> list[tuple[str, str, list[str]]]:
    """The table's rows, by path."""
    keras2 = importlib.import_module("compat.keras2")
    paths = importlib.import_module("compat.keras2.paths")
    root = keras2.__name__
    modules = {
        name[len(root) + 1 :]: module
        for name, module in sys.modules.items()
        if name.startswith(f"{root}.") and getattr(module, "__path__", None) == []
    }
    modules[""] = keras2._root
    found = []
    for path, module in sorted(modules.items()):
        inner = path in paths.INNER or path in paths.ENGINE
        like = paths.INNER.get(path, "engine" if inner and path != "engine" else "")
        inherited = vars(modules[like]) if like else {}
        public = (name for name, value in vars(module).items() if _is_public(name, value))
        own = [name for name in public if name not in inherited and (not inner or _is_of_keras(getattr(module, name)))]
        found.append((path, like, sorted(own)))
    return found


def _is_public(name: str, value: object) -> bool:
    return not name.startswith("_") and not isinstance(value, types.ModuleType)


def _is_of_keras(value: object) -> bool:
    """Whether a name that a module of the sources has is Keras's own, not one that it imports."""
    place = getattr(value, "__module__", None)
    return place is None or str(place).startswith(("tf_keras", "compat."))


def text() -> str:
    """The whole table."""
    lines = ["path\tlike\tnames", *("\t".join((path, like, " ".join(names))) for path, like, names in rows())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
