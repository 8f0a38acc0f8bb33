"""The report's parts: exactly the fields of the JSON report, schema version 1.

Every `path` is relative to the tree given, with `/` between its parts; `line` and `column` are 1-based and
point into the original file. A part that is left to a person says why and what to do next: that is checked
here, once, so that no format has to cope with a `manual` entry without either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

SCHEMA_VERSION = 1

FileStatus = Literal["changed", "unchanged", "failed", "skipped"]
SiteKind = Literal["Session.run", "Tensor.eval", "Operation.run", "make_callable", "MonitoredSession.run"]
Tier = Literal["native", "dynamic", "bridge", "manual"]
NativeForm = Literal["sliced", "steps"]
Action = Literal["rewritten", "shimmed", "manual"]
Severity = Literal["info", "warning", "error"]

TIERS: tuple[Tier, ...] = ("native", "dynamic", "bridge", "manual")
ACTIONS: tuple[Action, ...] = ("rewritten", "shimmed", "manual")


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one file; `reason` is set where it failed or was skipped."""

    path: str
    status: FileStatus
    reason: str | None = None

    def __post_init__(self) -> None:
        if self.status == "failed" and not self.reason:
            raise ValueError(f"{self.path}: a failed file needs a reason")


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that keeps a graph from a higher tier.

    `code` is stable and says which kind of thing it is; `names` are those of the program that it is about; `line` is
    None where it is about the whole file. `message` does not tell the place, `text` does.
    """

    code: str
    path: str
    line: int | None
    names: tuple[str, ...]
    message: str
    next_step: str

    @property
    def text(self) -> str:
        """The message and the place."""
        return self.message if self.line is None else f"{self.message} ({self.path}:{self.line})"


@dataclass(frozen=True, slots=True)
class Site:
    """One place that runs a session.

    `tier` is what it became, `alone` what it could have become by itself, `forced_by` ("path:line") the site
    of the same graph that decided otherwise; `reasons` are all that keep it from a higher tier, the one that decided
    first; `form` is that of native code. `function` is the function that took the run's place (None where plain
    code did); for a run that stays, the one around it. `fetched` are the positions of the fetches that the code in the
    run's place gives back, None for all of them; `elements` the parameters that it gives the next of its data, where
    the graph took that itself.
    """

    path: str
    line: int
    column: int
    kind: SiteKind
    tier: Tier
    alone: Tier
    forced_by: str | None = None
    initializer_only: bool = False
    function: str | None = None
    rule: str | None = None
    reasons: tuple[Reason, ...] = ()
    form: NativeForm | None = None
    fetched: tuple[int, ...] | None = None
    elements: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.tier == "manual" and not (self.reason and self.next_step):
            raise ValueError(f"{self.path}:{self.line}: a manual site needs a reason and a next step")
        if self.tier == "native" and self.form is None:
            raise ValueError(f"{self.path}:{self.line}: a native site needs its form")

    @property
    def reason(self) -> str | None:
        """The text of the first reason."""
        return self.reasons[0].text if self.reasons else None

    @property
    def next_step(self) -> str | None:
        """What a person can do about the first reason."""
        return self.reasons[0].next_step if self.reasons else None


@dataclass(frozen=True, slots=True)
class Finding:
    """One use of a TF 1.x symbol, or (`symbol` is None) another thing to tell, such as a pin."""

    path: str
    line: int
    column: int
    rule: str
    symbol: str | None
    action: Action
    severity: Severity
    message: str
    next_step: str | None = None

    def __post_init__(self) -> None:
        if self.action == "manual" and not (self.message and self.next_step):
            raise ValueError(f"{self.path}:{self.line}: a manual finding needs a message and a next step")

    @property
    def reason(self) -> str | None:
        """Why it is left to a person: the message of a manual finding, else None."""
        return self.message if self.action == "manual" else None


@dataclass(frozen=True, slots=True)
class ShimUse:
    """A shim that the code reads at `uses` places, and what a person would write instead."""

    shim: str
    uses: int
    instead: str


@dataclass(frozen=True, slots=True)
class SiteCounts:
    native: int = 0
    dynamic: int = 0
    bridge: int = 0
    manual: int = 0


@dataclass(frozen=True, slots=True)
class SymbolCounts:
    rewritten: int = 0
    shimmed: int = 0
    unchanged: int = 0
    manual: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of one run. `seconds` is wall-clock time."""

    files: int = 0
    lines: int = 0
    seconds: float = 0.0
    sites: SiteCounts = field(default_factory=SiteCounts)
    symbols: SymbolCounts = field(default_factory=SymbolCounts)


def _place(part: Site | Finding) -> tuple[str, int, int, str]:
    return (part.path, part.line, part.column, part.rule or "")


@dataclass(frozen=True, slots=True)
class Report:
    """The whole result of one run; build it with `Report.of`, which sorts the parts and counts them."""

    files: tuple[FileResult, ...]
    sites: tuple[Site, ...]
    findings: tuple[Finding, ...]
    shims: tuple[ShimUse, ...]
    summary: Summary

    @classmethod
    def of(
        cls,
        files: Iterable[FileResult],
        sites: Iterable[Site] = (),
        findings: Iterable[Finding] = (),
        shims: Iterable[ShimUse] = (),
        *,
        lines: int = 0,
        seconds: float = 0.0,
        unchanged_symbols: int = 0,
    ) -> Report:
        """Put the parts in order of place and count them.

        `lines` are those of all files read, `unchanged_symbols` the uses of TensorFlow symbols that mean
        the same in TensorFlow 2: no part of the report lists those.
        """
        all_files = tuple(sorted(files, key=lambda part: part.path))
        all_sites = tuple(sorted(sites, key=_place))
        all_findings = tuple(sorted(findings, key=_place))
        tiers = Counter(site.tier for site in all_sites)
        actions = Counter(found.action for found in all_findings if found.symbol is not None)
        summary = Summary(
            files=len(all_files),
            lines=lines,
            seconds=seconds,
            sites=SiteCounts(**{tier: tiers[tier] for tier in TIERS}),
            symbols=SymbolCounts(**{action: actions[action] for action in ACTIONS}, unchanged=unchanged_symbols),
        )
        all_shims = tuple(sorted(shims, key=lambda use: (-use.uses, use.shim)))
        return cls(all_files, all_sites, all_findings, all_shims, summary)

    @property
    def failed(self) -> tuple[FileResult, ...]:
        """The files that could not be read, parsed, verified or written."""
        return tuple(result for result in self.files if result.status == "failed")

    @property
    def leaves_work(self) -> bool:
        """Whether something is left to a person."""
        return any(site.tier == "manual" for site in self.sites) or any(
            found.action == "manual" for found in self.findings
        )

    @property
    def would_change(self) -> bool:
        """Whether some file differs from what it was."""
        return any(result.status == "changed" for result in self.files)
