"""The results in words, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from tf_migrate.parity.result import Comparison, Result

_SHOWN = 10


def lines(result: Result, *, verbose: bool = False) -> Iterator[str]:
    """One line that says it all, then what differs; with `verbose` every place."""
    yield f"{result.program} on {result.device}: {result.verdict.kind}: {result.verdict.message}"
    if result.verdict.next_step:
        yield f"  next: {result.verdict.next_step}"
    if result.bisection is not None:
        yield f"  {result.bisection}"
    if result.gpu is not None:
        yield f"  on {result.gpu}"
    yield f"  original in {result.legacy}; {_tiers(result)}; runs {result.runs[0]} and {result.runs[1]}"
    worst = result.worst
    if worst is not None:
        yield f"  largest difference: {_described(worst)}"
    yield from _listed(list(result.structure))
    yield from _listed([_described(item) for item in result.failures])
    yield from (f"  note: {note}" for note in result.notes)
    if verbose:
        for place in result.places:
            after = f" -> {place.function}" if place.function else ""
            far = "not compared" if place.worst is None else f"at most {place.worst.absolute:.3g}"
            counted = f"{place.runs} run{'s' * (place.runs != 1)}, {place.compared} compared, {far}"
            yield f"  {place.name}{after} ({place.tier}): {counted}"


def _tiers(result: Result) -> str:
    counted = [f"{count} {tier}" for tier, count in sorted(result.tiers.items())]
    return f"run sites: {', '.join(counted)}" if counted else "no run sites"


def _listed(items: list[str]) -> Iterator[str]:
    yield from (f"  differs: {item}" for item in items[:_SHOWN])
    if len(items) > _SHOWN:
        yield f"  … and {len(items) - _SHOWN} more"


def _described(item: Comparison) -> str:
    run = f", run {item.step + 1}" if item.step is not None and item.kind != "printed" else ""
    where = f" at {list(item.index)}" if item.index else ""
    ulps = f", {item.ulps:.0f} ULP" if item.ulps is not None else ""
    problem = f" -- {item.problem}" if item.problem else ""
    far = f"{item.absolute:.3g}{where} (relative {item.relative:.2g}{ulps}; {item.bound})"
    return f"{item.kind} {item.name}{run}: {far}{problem}"
