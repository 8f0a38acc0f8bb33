"""Charts as inline SVG: lines over steps, and the distribution of differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 12, 32
Series = Sequence[tuple[float, float]]


def line_chart(title: str, series: Sequence[tuple[str, Series]], *, logarithmic: bool = False) -> str:
    """Named series of (x, y) in one chart; on a logarithmic axis, values of zero stand at its foot."""
    points = [(x, _height(y, logarithmic)) for _, line in series for x, y in line]
    points = [(x, y) for x, y in points if math.isfinite(y)]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    if low == high:
        low, high = low - 0.5, high + 0.5
    parts = [_axes(title, (left, right), (low, high), logarithmic)]
    for number, (name, line) in enumerate(series):
        places = [
            f"{_across(x, left, right):.1f},{_up(_height(y, logarithmic), low, high):.1f}"
            for x, y in line
            if math.isfinite(_height(y, logarithmic))
        ]
        parts.append(
            f'<polyline class="line line{number}" points="{" ".join(places)}"><title>{escape(name)}</title></polyline>'
        )
    return _svg(title, parts) + _legend([name for name, _ in series])


def bar_chart(title: str, bars: Sequence[tuple[str, int]]) -> str:
    """Counts by label."""
    if not bars:
        return ""
    high = max(count for _, count in bars) or 1
    width = (_WIDTH - _LEFT - _RIGHT) / len(bars)
    parts = []
    for number, (label, count) in enumerate(bars):
        x, y = _LEFT + number * width, _up(count, 0, high)
        parts.append(
            f'<rect class="bar" x="{x + 2:.1f}" y="{y:.1f}" width="{max(width - 4, 1):.1f}" '
            f'height="{_HEIGHT - _BOTTOM - y:.1f}"><title>{escape(label)}: {count}</title></rect>'
            f'<text class="tick" x="{x + width / 2:.1f}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(label)}</text>'
            f'<text class="tick" x="{x + width / 2:.1f}" y="{y - 3:.1f}" text-anchor="middle">{count or ""}</text>'
        )
    return _svg(title, parts)


def histogram(differences: Sequence[float]) -> list[tuple[str, int]]:
    """How many differences are zero, and of each power of ten."""
    counts: dict[int | None, int] = {}
    for value in differences:
        power = None if value == 0 else math.floor(math.log10(value)) if math.isfinite(value) else 99
        counts[power] = counts.get(power, 0) + 1
    powers = sorted(power for power in counts if power is not None)
    bars = [("0", counts[None])] if None in counts else []
    return [*bars, *(("∞" if power == 99 else f"1e{power}", counts[power]) for power in powers)]


def _height(value: float, logarithmic: bool) -> float:
    if not logarithmic or not math.isfinite(value):
        return value
    return math.log10(max(abs(value), 1e-12))


def _across(x: float, left: float, right: float) -> float:
    return _LEFT + (x - left) / ((right - left) or 1) * (_WIDTH - _LEFT - _RIGHT)


def _up(y: float, low: float, high: float) -> float:
    return _HEIGHT - _BOTTOM - (y - low) / ((high - low) or 1) * (_HEIGHT - _TOP - _BOTTOM)


def _axes(title: str, across: tuple[float, float], up: tuple[float, float], logarithmic: bool) -> str:
    foot = _HEIGHT - _BOTTOM
    ticks = [f'<path class="axis" d="M{_LEFT} {_TOP}V{foot}H{_WIDTH - _RIGHT}"/>']
    for share in (0.0, 0.5, 1.0):
        y = up[0] + share * (up[1] - up[0])
        label = f"{10**y:.1e}" if logarithmic else f"{y:.4g}"
        ticks.append(f'<text class="tick" x="{_LEFT - 6}" y="{_up(y, *up) + 4:.1f}" text-anchor="end">{label}</text>')
        x = across[0] + share * (across[1] - across[0])
        place = f'x="{_across(x, *across):.1f}" y="{foot + 16}"'
        anchor = "end" if share == 1.0 else "middle"  # a long number would not fit
        ticks.append(f'<text class="tick" {place} text-anchor="{anchor}">{x + 1:.0f}</text>')
    ticks.append(f'<text class="tick" x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 2}" text-anchor="end">run</text>')
    return "".join(ticks)


def _svg(title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _legend(names: Sequence[str]) -> str:
    items = [f'<span class="key key{number}">{escape(name)}</span>' for number, name in enumerate(names)]
    return f'<p class="legend">{" ".join(items)}</p>'
