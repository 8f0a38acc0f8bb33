"""The report as Markdown, for a pull request or a wiki page."""

from __future__ import annotations

import re

from tf_migrate.report.entries import by_file, counts_by_tier, entries
from tf_migrate.report.model import Report

_CELLS = 4
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")


def render(report: Report, prefix: str) -> str:
    """Counts first, then what is left to a person, then everything by file."""
    parts = ["# tf-migrate\n", _counts(report)]
    lines = entries(report)
    manual = [entry for entry in lines if entry.outcome == "manual"]
    if report.failed:
        parts.append(
            "## Failed\n\n" + "".join(f"- `{prefix}{r.path}`: {_escape(r.reason or '')}\n" for r in report.failed)
        )
    if manual:
        listed = (f"- [ ] `{prefix}{e.path}:{e.line}:{e.column}` {e.rule}: {_escape(e.sentence)}\n" for e in manual)
        parts.append("## Left to a person\n\n" + "".join(listed))
    for path, group in by_file(lines):
        rows = "".join(f"| {e.line}:{e.column} | {e.rule} | {e.outcome} | {_escape(e.sentence)} |\n" for e in group)
        parts.append(f"## `{prefix}{path}`\n\n| place | rule | outcome | what |\n| --- | --- | --- | --- |\n{rows}")
    return "\n".join(parts)


def _counts(report: Report) -> str:
    summary = report.summary
    symbols = summary.symbols
    tiers = counts_by_tier(summary.sites)
    tiers = [""] * (_CELLS - len(tiers)) + tiers
    return (
        "| | | | | |\n| --- | --- | --- | --- | --- |\n"
        f"| **files** | {summary.files} | {sum(r.status == 'changed' for r in report.files)} changed "
        f"| {len(report.failed)} failed | {summary.lines} lines |\n"
        f"| **session runs** | {' | '.join(tiers)} |\n"
        f"| **TF1 symbol uses** | | {symbols.rewritten} rewritten | {symbols.shimmed} shimmed "
        f"| {symbols.manual} manual |\n"
    )


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))
