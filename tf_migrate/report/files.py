"""`--report FILE`: the format follows from the suffix."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tf_migrate.options import UsageError
from tf_migrate.report.model import Report

SUFFIXES = (".json", ".sarif", ".html", ".md")


def check_report_file(path: Path) -> None:
    """Raise `UsageError` before any work where a report could not be written afterwards."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"--report {path}: the suffix tells the format; use one of {', '.join(SUFFIXES)}")
    if path.is_dir():
        raise UsageError(f"--report {path}: is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--report {path}: the folder {path.parent} is not there; make it first")


def render(report: Report, suffix: str, prefix: str, titles: Mapping[str, str]) -> str:
    """The report in the format of a suffix."""
    if suffix == ".sarif":
        from tf_migrate.report import sarif

        return sarif.render(report, prefix, titles)
    if suffix == ".html":
        from tf_migrate.report import page

        return page.render(report, prefix)
    if suffix == ".md":
        from tf_migrate.report import markdown

        return markdown.render(report, prefix)
    from tf_migrate.report import as_json

    return as_json.render(report, prefix)
