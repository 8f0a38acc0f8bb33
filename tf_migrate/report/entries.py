"""Sites and findings as one kind of line, for the formats that list both in the order of the text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate.report.model import TIERS, Finding, Report, Severity, Site, SiteCounts

SITE_RULE = "TFM201"
"""The rule of a site that names none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a report. `outcome` is an action of a finding or a tier of a site, `subject` what it is about."""

    path: str
    line: int
    column: int
    rule: str
    outcome: str
    severity: Severity
    subject: str
    message: str
    next_step: str | None

    @property
    def sentence(self) -> str:
        """Message and next step in one line."""
        return f"{self.message}; next: {self.next_step}" if self.next_step else self.message


def entries(report: Report) -> tuple[Entry, ...]:
    """All sites and findings, in the order of the text."""
    lines = itertools.chain(map(_of_site, report.sites), map(of_finding, report.findings))
    return tuple(sorted(lines, key=lambda entry: (entry.path, entry.line, entry.column, entry.rule)))


def by_file(lines: tuple[Entry, ...]) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """The entries of each file that has some."""
    for path, group in itertools.groupby(lines, key=lambda entry: entry.path):
        yield path, tuple(group)


def plain_reason(site: Site) -> str:
    """Why a site is what it is, without the place that its graph was decided by, so that equal reasons count as one."""
    return site.reasons[0].message if site.reasons else site.kind


def counts_by_tier(sites: SiteCounts) -> list[str]:
    """How many sites each tier has; dynamic ones are named where there are some."""
    counts = {tier: getattr(sites, tier) for tier in TIERS}
    return [f"{count} {tier}" for tier, count in counts.items() if count or tier != "dynamic"]


def counted(sites: SiteCounts) -> str:
    """The same in one line."""
    return ", ".join(counts_by_tier(sites))


def _of_site(site: Site) -> Entry:
    message = f"{site.kind} {_TIER_WORDS[site.tier]}"
    if site.initializer_only and site.tier == "native":
        message = f"{site.kind} of initializers goes: variables have their values from the start"
    if site.forced_by:
        message += f" because of {site.forced_by}" + (
            f" (alone it would be {site.alone})" if site.alone != site.tier else ""
        )
    if site.reason:
        message += f": {plain_reason(site) if site.forced_by else site.reason}"
    severity: Severity = "warning" if site.tier == "manual" else "info"
    rule = site.rule or SITE_RULE
    subject = site.kind if site.function is None else f"{site.kind} in {site.function}"
    return Entry(site.path, site.line, site.column, rule, site.tier, severity, subject, message, site.next_step)


def of_finding(found: Finding) -> Entry:
    """A finding as an entry; one that is left to a person names its symbol."""
    said = found.action != "manual" or found.symbol is None or found.symbol in found.message
    message = found.message if said else f"`{found.symbol}`: {found.message}"
    return Entry(
        found.path,
        found.line,
        found.column,
        found.rule,
        found.action,
        found.severity,
        found.symbol or "",
        message,
        found.next_step,
    )


_TIER_WORDS = {
    "native": "becomes a function",
    "dynamic": "becomes a call of `compat.run`",
    "bridge": "stays on the bridge",
    "manual": "is left as it is",
}
