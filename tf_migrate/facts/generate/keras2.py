"""Writes what `compat.keras2` offers: `python -m tf_migrate.facts.generate.keras2` beside the newest TensorFlow.

One row a module: its path, the public module whose names it has too (or nothing), and its own names.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "keras2.tsv"


def rows() -> list[tuple[str, str, list[str]]]:
    """The table's rows, by path."""
    import compat.keras2 as keras2
    from compat.keras2.paths import ENGINE, INNER

    root = keras2.__name__
    modules = {
        name[len(root) + 1 :]: module
        for name, module in sys.modules.items()
        if name.startswith(f"{root}.") and getattr(module, "__path__", None) == []
    }
    modules[""] = keras2._root
    found = []
    for path, module in sorted(modules.items()):
        like = INNER.get(path, "engine" if path in ENGINE and path != "engine" else "")
        inherited = vars(modules[like]) if like else {}
        own = [name for name, value in vars(module).items() if _is_own(name, value) and name not in inherited]
        found.append((path, like, sorted(own)))
    return found


def _is_own(name: str, value: object) -> bool:
    if name.startswith("_") or isinstance(value, types.ModuleType):
        return False
    place = getattr(value, "__module__", None)
    return place is None or str(place).startswith(("tf_keras", "compat."))


def text() -> str:
    """The whole table."""
    lines = ["path\tlike\tnames", *("\t".join((path, like, " ".join(names))) for path, like, names in rows())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
