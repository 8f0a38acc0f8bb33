"""The results as Markdown, for a pull request."""

from __future__ import annotations

from tf_migrate.parity.result import Comparison, Result

_SHOWN = 20


def render(results: tuple[Result, ...]) -> str:
    """A table of all programs, then what differs in each."""
    text = ["## Parity", "", "| program | device | original in | verdict | values | largest difference |"]
    text.append("| --- | --- | --- | --- | ---: | ---: |")
    for result in results:
        worst = result.worst
        far = "" if worst is None else f"{worst.absolute:.3g}"
        verdict = f"**{result.verdict.kind}**" if not result.verdict.good else result.verdict.kind
        cells = (result.program, result.where, result.legacy, verdict, str(result.values), far)
        text.append(f"| {' | '.join(map(_cell, cells))} |")
    for result in results:
        if not result.verdict.good:
            text += _failed(result)
        elif result.notes:
            text += ["", f"{_cell(result.program)}: {_cell('; '.join(result.notes))}"]
    return "\n".join(text) + "\n"


def _failed(result: Result) -> list[str]:
    text = ["", f"### {_cell(result.program)} on {result.device}", "", _cell(result.verdict.message)]
    text += ["", _cell(str(result.bisection))] if result.bisection is not None else []
    text += ["", *(f"* {_cell(item)}" for item in result.structure)] if result.structure else []
    failures = result.failures
    if failures:
        text += [
            "",
            "| what | run | largest difference | index | allowed | |",
            "| --- | ---: | ---: | --- | --- | --- |",
        ]
        text += [_row(item) for item in failures[:_SHOWN]]
        text += [f"| … {len(failures) - _SHOWN} more | | | | | |"] if len(failures) > _SHOWN else []
    return text


def _row(item: Comparison) -> str:
    step = "" if item.step is None else str(item.step + 1)
    cells = (
        f"{item.kind} {item.name}",
        step,
        f"{item.absolute:.3g}",
        str(list(item.index)),
        item.bound,
        item.problem or "",
    )
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
