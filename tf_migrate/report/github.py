"""Workflow commands of GitHub Actions: each place becomes an annotation of the pull request."""

from __future__ import annotations

from tf_migrate.report.entries import Entry, entries
from tf_migrate.report.model import Report

_LEVELS = {"info": "notice", "warning": "warning", "error": "error"}


def render(report: Report, prefix: str) -> str:
    """One command a line; the worst first, since GitHub shows only ten of each level."""
    commands = [
        _command("error", prefix + result.path, "TFM000", result.reason or "failed", line=None)
        for result in report.failed
    ]
    ordered = sorted(entries(report), key=lambda entry: ("error", "warning", "info").index(entry.severity))
    commands += [_of_entry(entry, prefix) for entry in ordered]
    return "".join(command + "\n" for command in commands)


def _of_entry(entry: Entry, prefix: str) -> str:
    place = (entry.line, entry.column)
    return _command(_LEVELS[entry.severity], prefix + entry.path, entry.rule, entry.sentence, line=place)


def _command(level: str, path: str, title: str, message: str, *, line: tuple[int, int] | None) -> str:
    properties = {"file": path}
    if line is not None:
        properties |= {"line": str(line[0]), "col": str(line[1])}
    properties["title"] = f"tf-migrate {title}"
    listed = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{level} {listed}::{_escape(message)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
