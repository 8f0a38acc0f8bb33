"""How often each rule and reason occurs in a report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tf_migrate.report.entries import of_finding, plain_reason
from tf_migrate.report.model import Report


@dataclass(frozen=True, slots=True)
class Row:
    """`count` places of the same rule, outcome and reason."""

    count: int
    rule: str
    outcome: str
    reason: str


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
