"""The report for a terminal: grouped by file, one `path:line:column` a line, complete without colour."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import click

from tf_migrate.report.entries import Entry, by_file, counted, entries, plain_reason
from tf_migrate.report.model import Report
from tf_migrate.report.statistics import tally

_COLOURS = {
    "manual": "yellow",
    "dynamic": "cyan",
    "bridge": "cyan",
    "shimmed": "cyan",
    "native": "green",
    "rewritten": "green",
}


Detail = Literal["failures", "work", "kinds", "places"]
"""How much to list: failures alone, what is left to a person, each kind of change once a file, or every place."""


def render(report: Report, prefix: str, detail: Detail, *, only_check: bool) -> str:
    """The report as text with ANSI colours (which `click.echo` takes out where nobody wants them).

    Failed and skipped files are always there, the counts unless failures alone are wanted: then a run without any is
    silent. `only_check` puts the summary into the conditional.
    """
    blocks = [_file_block(prefix + path, lines, detail) for path, lines in by_file(_listed(report, detail))]
    aside = [result for result in report.files if result.reason and result.status in ("failed", "skipped")]
    if aside:
        blocks.append(
            "\n".join(f"{prefix}{result.path}: {_status(result.status)}: {result.reason}" for result in aside)
        )
    if detail in ("kinds", "places") and report.shims:
        blocks.append(_shims_in_use(report))
    if detail != "failures":
        blocks.append(summary(report, only_check=only_check))
    reasons = Counter(plain_reason(site) for site in report.sites if site.tier == "bridge" and site.reason)
    if detail == "work" and reasons:
        blocks.append(_why_on_the_bridge(reasons))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _listed(report: Report, detail: Detail) -> tuple[Entry, ...]:
    if detail == "failures":
        return ()
    return tuple(entry for entry in entries(report) if detail != "work" or _asks_for_work(entry))


def _asks_for_work(entry: Entry) -> bool:
    return entry.outcome == "manual" or entry.severity != "info"


def summary(report: Report, *, only_check: bool) -> str:
    """Three lines of counts."""
    counts = report.summary
    statuses = {status: sum(1 for result in report.files if result.status == status) for status in _STATUSES}
    would = "would change" if only_check else "changed"
    files = [f"{statuses['changed']} {would}", f"{statuses['unchanged']} unchanged"]
    files += [f"{statuses[status]} {status}" for status in ("failed", "skipped") if statuses[status]]
    sites, symbols = counts.sites, counts.symbols
    return "\n".join(
        (
            f"{_number(counts.files, 'file')}: {', '.join(files)} ({counts.lines:,} lines, {counts.seconds:.1f} s)",
            f"{_number(len(report.sites), 'session run')}: {counted(sites)}",
            f"{_number(symbols.rewritten + symbols.shimmed + symbols.manual, 'TF1 symbol use')}: "
            f"{symbols.rewritten} rewritten, {symbols.shimmed} shimmed, {symbols.manual} manual; "
            f"{symbols.unchanged:,} mean the same in TensorFlow 2",
        )
    )


def statistics(report: Report) -> str:
    """How often each rule and reason occurs, the most frequent first."""
    rows = tally(report)
    if not rows:
        return "nothing to count\n"
    width = len(str(rows[0].count))
    return "".join(f"{row.count:>{width}}  {row.rule}  {row.outcome:<9}  {row.reason}\n" for row in rows)


def _why_on_the_bridge(reasons: Counter[str]) -> str:
    width = len(str(max(reasons.values())))
    lines = [f"  {count:>{width}}  {reason}" for reason, count in reasons.most_common(_REASONS_SHOWN)]
    hidden = len(reasons) - len(lines)
    more = [f"  and {_number(hidden, 'other reason')}"] if hidden else []
    return "\n".join(["Why session runs stay on the bridge (--verbose lists the places):", *lines, *more])


def _shims_in_use(report: Report) -> str:
    width, count_width = max(len(use.shim) for use in report.shims), len(str(report.shims[0].uses))
    lines = [f"  {use.uses:>{count_width}}  {use.shim:<{width}}  {use.instead}" for use in report.shims]
    return "\n".join(["Shims in use, and what would replace them:", *lines])


def _file_block(path: str, lines: tuple[Entry, ...], detail: Detail) -> str:
    shown = [click.style(path, bold=True)]
    places = Counter(_kind(entry) for entry in lines)
    for entry in lines:
        more = ""
        if detail == "kinds" and not _asks_for_work(entry):
            count = places.pop(_kind(entry), 0)
            if count == 0:
                continue  # told at its first place
            more = f" ({count} places)" if count > 1 else ""
        outcome = click.style(entry.outcome, fg=_COLOURS[entry.outcome])
        shown.append(f"  {path}:{entry.line}:{entry.column}: {entry.rule} {outcome}: {entry.message}{more}")
        if entry.next_step and not (entry.outcome == "bridge" and detail == "kinds"):
            shown.append(f"      next: {entry.next_step}")
    return "\n".join(shown)


def _kind(entry: Entry) -> tuple[str, ...]:
    return (entry.rule, entry.outcome, entry.message)


def _status(status: str) -> str:
    return click.style(status, fg="red" if status == "failed" else None)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_REASONS_SHOWN = 5
_STATUSES = ("changed", "unchanged", "failed", "skipped")
