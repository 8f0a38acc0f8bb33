"""The results as one HTML page that needs nothing else: status, run sites side by side, charts, a table to search."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from importlib import resources

from tf_migrate import __version__
from tf_migrate.parity.reports.charts import bar_chart, histogram, line_chart
from tf_migrate.parity.result import Comparison, Place, Result

_MOST_ROWS = 2000
_MOST_CHARTS = 6


def render(results: tuple[Result, ...]) -> str:
    """The page; it shows at most 2,000 comparisons of each program, those that fail first."""
    files = resources.files(__package__)
    style, script = ((files / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    body = "\n".join(_result(result, number) for number, result in enumerate(results))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Parity: {escape(_status(results))}</title><style>{style}</style></head><body>\n"
        f'<header><h1>Parity</h1><p class="version">tf-migrate {__version__}</p>'
        '<button id="theme" type="button" aria-pressed="false">Dark</button></header>\n'
        f"<main>{_overview(results)}{body}</main>\n<script>{script}</script></body></html>\n"
    )


def _status(results: tuple[Result, ...]) -> str:
    good = sum(result.verdict.good for result in results)
    return f"{good} of {len(results)}"


def _overview(results: tuple[Result, ...]) -> str:
    rows = []
    for number, result in enumerate(results):
        worst = result.worst
        far = "" if worst is None else f"{worst.absolute:.3g}"
        rows.append(
            f'<tr><td><a href="#result{number}">{escape(result.program)}</a></td><td>{escape(result.where)}</td>'
            f"<td>{escape(result.legacy)}</td><td>{_badge(result)}</td><td class=number>{result.values:,}</td>"
            f"<td class=number>{far}</td></tr>"
        )
    heads = "".join(
        f"<th scope=col>{name}</th>"
        for name in ("program", "device", "original in", "verdict", "values", "largest difference")
    )
    table = f'<table class="overview"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="wide" tabindex="0">{table}</div>'


def _heads(names: tuple[str, ...]) -> str:
    return "".join(f"<th scope=col>{name}</th>" for name in names)


def _badge(result: Result) -> str:
    return f'<span class="badge {"good" if result.verdict.good else "bad"}">{escape(result.verdict.kind)}</span>'


def _result(result: Result, number: int) -> str:
    next_step = f'<p class="next">next: {escape(result.verdict.next_step)}</p>' if result.verdict.next_step else ""
    items = "".join(f"<li>{escape(text)}</li>" for text in result.structure)
    notes = "".join(f"<li>{escape(text)}</li>" for text in result.notes)
    tiers = ", ".join(f"{count} {tier}" for tier, count in sorted(result.tiers.items())) or "none"
    return (
        f'<section id="result{number}" aria-labelledby="title{number}">'
        f'<h2 id="title{number}">{escape(result.program)} <small>on {result.device}</small> {_badge(result)}</h2>'
        f"<p>{escape(result.verdict.message)}</p>{next_step}"
        + (f"<p><strong>{escape(str(result.bisection))}</strong></p>" if result.bisection else "")
        + f'<p class="facts">run sites: {tiers}; runs: {result.runs[0]} and {result.runs[1]}; '
        f"seconds: {result.seconds[0]:.1f} and {result.seconds[1]:.1f}</p>"
        + (f"<h3>Structure</h3><ul class=bad>{items}</ul>" if items else "")
        + (f"<h3>Notes</h3><ul>{notes}</ul>" if notes else "")
        + _charts(result)
        + _places(result)
        + _comparisons(result, number)
        + "</section>"
    )


def _charts(result: Result) -> str:
    wrong = {item.name for item in result.failures}
    series = sorted(result.losses.items(), key=lambda item: item[0] not in wrong)
    charts = [
        line_chart(
            f"{name}: both programs",
            [("original", [(s, a) for s, a, _ in points]), ("migrated", [(s, b) for s, _, b in points])],
        )
        for name, points in series[:_MOST_CHARTS]
    ]
    steps: dict[int, float] = defaultdict(float)
    for item in result.comparisons:
        if item.step is not None and item.kind == "run":
            steps[item.step] = max(steps[item.step], item.absolute)
    errors = [(float(step), value) for step, value in sorted(steps.items())]
    if len(errors) > 1:
        charts.append(line_chart("largest difference over runs", [("largest difference", errors)], logarithmic=True))
    computed = [item.absolute for item in result.comparisons if item.kind != "printed"]
    charts.append(bar_chart("how many comparisons have a largest difference of", histogram(computed)))
    figures = "".join(
        f"<figure>{chart}<figcaption>{_caption(chart)}</figcaption></figure>" for chart in charts if chart
    )
    return f'<h3>Charts</h3><div class="charts">{figures}</div>' if figures else ""


def _caption(chart: str) -> str:
    return chart.partition("<title>")[2].partition("</title>")[0]


def _places(result: Result) -> str:
    if not result.places:
        return ""
    return "<h3>Run sites</h3>" + "".join(map(_place, result.places))


def _place(place: Place) -> str:
    bad = place.worst is not None and place.worst.problem is not None
    far = "not compared" if place.worst is None else f"at most {place.worst.absolute:.3g}"
    after = f" → <code>{escape(place.function)}</code>" if place.function else ""
    sources = f"<pre>{_marked(place.source)}</pre>"
    if place.migrated_source:
        sources += f"<pre>{_marked(place.migrated_source)}</pre>"
    return (
        f'<details class="site"{" open" if bad else ""}><summary><code>{escape(place.name)}</code>{after} '
        f'<span class="tier">{escape(place.tier)}</span> {place.runs} runs, {place.compared} compared, '
        f'<span class="{"bad" if bad else ""}">{far}</span></summary><div class="sources">{sources}</div></details>'
    )


def _marked(source: str) -> str:
    lines = (f"<mark>{escape(line)}</mark>" if line.startswith(">") else escape(line) for line in source.splitlines())
    return "\n".join(lines)


def _comparisons(result: Result, number: int) -> str:
    if not result.comparisons:
        return ""
    ordered = sorted(result.comparisons, key=lambda item: item.problem is None)
    rows = "".join(map(_row, ordered[:_MOST_ROWS]))
    cut = f"<p>{len(ordered) - _MOST_ROWS} more are in the JSON report.</p>" if len(ordered) > _MOST_ROWS else ""
    names = ("what", "name", "run", "values", "largest difference", "relative", "ULP", "index", "allowed", "verdict")
    heads = _heads(names)
    return (
        '<h3>Comparisons</h3><div class="filter">'
        f'<label>Search <input type="search" data-table="table{number}"></label>'
        f'<label><input type="checkbox" data-failures="table{number}"> only what differs</label>'
        f'<output data-count="table{number}"></output></div>'
        f'<div class="scroll" tabindex="0"><table id="table{number}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{cut}"
    )


def _row(item: Comparison) -> str:
    cells = (
        escape(item.kind),
        f"<code>{escape(item.name)}</code>",
        "" if item.step is None else str(item.step + 1),
        f"{item.values:,}",
        f"{item.absolute:.3g}",
        f"{item.relative:.2g}",
        "" if item.ulps is None else f"{item.ulps:.0f}",
        str(list(item.index)) if item.index else "",
        escape(item.bound),
        escape(item.problem or "agrees"),
    )
    return f'<tr class="{"bad" if item.problem else "good"}">' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
