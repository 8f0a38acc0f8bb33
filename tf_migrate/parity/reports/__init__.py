"""The reports of `tf-migrate parity`: one module a format, chosen by the file's suffix."""

from __future__ import annotations

from pathlib import Path

from tf_migrate.options import UsageError
from tf_migrate.parity.reports import as_json, junit, markdown, page
from tf_migrate.parity.result import Result

_FORMATS = {".json": as_json.render, ".xml": junit.render, ".md": markdown.render, ".html": page.render}


def check_suffix(path: Path) -> None:
    """Raises UsageError where a report's format is not known, or its folder does not exist."""
    if path.suffix not in _FORMATS:
        raise UsageError(f"{path}: a report ends in {', '.join(_FORMATS)}")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{path}: its folder does not exist; make it first")


def render(results: tuple[Result, ...], path: Path) -> str:
    """The report in the format of the file's suffix."""
    return _FORMATS[path.suffix](results)
