"""The report as one HTML page that needs nothing else."""

from __future__ import annotations

from html import escape

from tf_migrate import __version__
from tf_migrate.report.entries import Entry, by_file, counted, entries
from tf_migrate.report.model import Report

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1b1f24; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td { text-align: left; padding: .3rem .6rem; vertical-align: top; }
tr + tr td { border-top: 1px solid #d8dee4; } td:first-child, code { font-family: ui-monospace, monospace; }
.counts td:first-child { font-family: inherit; font-weight: 600; } .next { color: #57606a; }
.manual, .failed { color: #9a3412; font-weight: 600; } .dynamic, .bridge, .shimmed { color: #1d4ed8; }
.native, .rewritten { color: #15803d; }
@media (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #e6edf3; } tr + tr td { border-color: #30363d; } .next { color: #9198a1; }
  .manual, .failed { color: #fdba74; } .dynamic, .bridge, .shimmed { color: #93c5fd; }
  .native, .rewritten { color: #86efac; }
}
"""


def render(report: Report, prefix: str) -> str:
    """The report as a page: counts, failed files, what is left to a person, then everything by file."""
    lines = entries(report)
    manual = tuple(entry for entry in lines if entry.outcome == "manual")
    body = [f"<h1>tf-migrate {__version__}</h1>", _counts(report)]
    if report.failed:
        rows = (
            f"<tr><td>{escape(prefix + r.path)}</td><td class=failed>{escape(r.reason or '')}</td></tr>"
            for r in report.failed
        )
        body.append(f"<h2>Failed</h2><table>{''.join(rows)}</table>")
    if manual:
        body.append(f"<h2>Left to a person</h2>{_table(manual, prefix)}")
    body += [f"<h2><code>{escape(prefix + path)}</code></h2>{_table(group, None)}" for path, group in by_file(lines)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>tf-migrate</title>'
        f"<style>{_STYLE}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _counts(report: Report) -> str:
    summary = report.summary
    sites, symbols = summary.sites, summary.symbols
    changed = sum(result.status == "changed" for result in report.files)
    rows = (
        ("files", f"{summary.files}: {changed} changed, {len(report.failed)} failed; {summary.lines:,} lines"),
        ("session runs", counted(sites)),
        ("TF1 symbol uses", f"{symbols.rewritten} rewritten, {symbols.shimmed} shimmed, {symbols.manual} manual"),
    )
    return (
        "<table class=counts>" + "".join(f"<tr><td>{name}</td><td>{text}</td></tr>" for name, text in rows) + "</table>"
    )


def _table(lines: tuple[Entry, ...], prefix: str | None) -> str:
    return "<table>" + "".join(_row(entry, prefix) for entry in lines) + "</table>"


def _row(entry: Entry, prefix: str | None) -> str:
    place = f"{entry.line}:{entry.column}" if prefix is None else f"{prefix}{entry.path}:{entry.line}:{entry.column}"
    next_step = f"<div class=next>next: {escape(entry.next_step)}</div>" if entry.next_step else ""
    return (
        f"<tr><td>{escape(place)}</td><td>{escape(entry.rule)}</td><td class={entry.outcome}>{entry.outcome}</td>"
        f"<td>{escape(entry.message)}{next_step}</td></tr>\n"
    )
