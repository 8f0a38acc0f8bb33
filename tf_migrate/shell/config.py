"""`[tool.tf-migrate]` in `pyproject.toml`: every option of the command line by its long name."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tf_migrate.options import UsageError

# `tomllib` came with Python 3.11; by name, so that type checking needs neither of the two installed.
_toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

TABLE = "tf-migrate"


class _Place:
    """Where a setting stands, for messages and for relative paths."""

    def __init__(self, file: Path, key: str) -> None:
        self.file = file
        self.key = key

    def wrong(self, expected: str, value: object) -> UsageError:
        return UsageError(f"{self.file}: [tool.{TABLE}] {self.key} must be {expected}, not {value!r}")

    def path(self, value: str) -> Path:
        return Path(os.path.normpath(self.file.parent / value))


def read(first_path: Path) -> dict[str, Any]:
    """The settings that hold for a path, by option name with `_` (`compat_module`); empty without a configuration.

    They stand in the nearest `pyproject.toml` at or above the path that has the table; relative paths in it count
    from its folder. Raises `UsageError` for a file that is no TOML, an unknown key, or a value of another type.
    """
    start = Path(os.path.abspath(first_path))
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        table = _table(file) if file.is_file() else None
        if table is not None:
            return {key.replace("-", "_"): _checked(_Place(file, key), value) for key, value in table.items()}
    return {}


def _table(file: Path) -> Mapping[str, Any] | None:
    try:
        content = _toml.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be read: {error}") from None
    table = content.get("tool", {}).get(TABLE)
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{file}: [tool.{TABLE}] must be a table")
    return table


def _checked(place: _Place, value: object) -> object:
    check = _CHECKS.get(place.key)
    if check is None:
        near = difflib.get_close_matches(place.key.replace("_", "-"), _CHECKS, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(sorted(_CHECKS))}"
        raise UsageError(f"{place.file}: [tool.{TABLE}] has an unknown key {place.key}; {hint}")
    return check(place, value)


def _text(place: _Place, value: object) -> str:
    if not isinstance(value, str):
        raise place.wrong("a string", value)
    return value


def _texts(place: _Place, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise place.wrong("a list of strings", value)
    return tuple(value)


def _flag(place: _Place, value: object) -> bool:
    if not isinstance(value, bool):
        raise place.wrong("true or false", value)
    return value


def _count(place: _Place, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise place.wrong("a number of at least 1", value)
    return value


def _path(place: _Place, value: object) -> Path:
    return place.path(_text(place, value))


def _paths(place: _Place, value: object) -> tuple[Path, ...]:
    return tuple(place.path(item) for item in _texts(place, value))


def _one_of(*names: str) -> Callable[[_Place, object], str]:
    def check(place: _Place, value: object) -> str:
        if value not in names:
            raise place.wrong(f"one of {', '.join(names)}", value)
        return str(value)

    return check


_CHECKS: Mapping[str, Callable[[_Place, object], object]] = {
    "tier": _one_of("native", "bridge"),
    "select": _texts,
    "ignore": _texts,
    "jobs": _count,
    "exclude": _texts,
    "root": _path,
    "report": _paths,
    "output-format": _one_of("text", "github", "json", "sarif"),
    "compat-module": _text,
    "vendor": _flag,
    "output": _path,
    "diff": _flag,
    "allow-dirty": _flag,
    "statistics": _flag,
    "quiet": _flag,
    "verbose": _flag,
}
