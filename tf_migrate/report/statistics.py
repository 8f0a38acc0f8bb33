"""How often each rule and reason occurs in a report."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from tf_migrate.report.entries import of_finding
from tf_migrate.report.model import Report, Site

_PLACE = re.compile(r" \([^()]*:\d+\)$")


@dataclass(frozen=True, slots=True)
class Row:
    """`count` places of the same rule, outcome and reason."""

    count: int
    rule: str
    outcome: str
    reason: str


def plain_reason(site: Site) -> str:
    """Why a site is what it is, without the place that its graph was decided by, so that equal reasons count as one."""
    return _PLACE.sub("", site.reason or site.kind)


def tally(report: Report) -> tuple[Row, ...]:
    """All places by rule and reason, the most frequent first."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for site in report.sites:
        counts[site.rule or "", site.tier, plain_reason(site)] += 1
    for found in report.findings:
        counts[found.rule, found.action, of_finding(found).message] += 1
    for result in report.failed:
        counts["", "failed", (result.reason or "").partition(";")[0]] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Row(count, *key) for key, count in ordered)
