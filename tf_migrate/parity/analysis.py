"""What the rewriting makes of the original: which code took the place of each run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.parity.notebooks import calls_in
from tf_migrate.report.model import Site


@dataclass(frozen=True)
class Analysis:
    """The places that run a session, by path and line of the original.

    Attributes:
      sites: those that do more than initialize.
      ends: (file, line of a site) -> the last line of its call; what runs there may be said to be at any of them.
      functions: names of the functions that took the place of runs, by file.
    """

    sites: tuple[Site, ...]
    ends: Mapping[tuple[str, int], int]
    functions: Mapping[str, tuple[str, ...]]

    def site(self, path: str, line: int, function: str | None = None) -> Site | None:
        """The site whose call a line is part of, of several the one that became a call of `function`.

        None where there is none, or still more than one.
        """
        found = [site for site in self.sites if site.path == path and line in self._lines(site)]
        if len(found) > 1:
            found = [site for site in found if function is not None and site.function == function]
        return found[0] if len(found) == 1 else None

    def eager_lines(self) -> dict[str, list[int]]:
        """Lines of runs whose place plain code took, by file: nothing tells of these."""
        lines: dict[str, list[int]] = {}
        for site in self.sites:
            if site.path in self.functions and site.function is None:
                lines.setdefault(site.path, []).extend(self._lines(site))
        return lines

    def _lines(self, site: Site) -> range:
        return range(site.line, self.ends.get((site.path, site.line), site.line) + 1)

    @property
    def tiers(self) -> dict[str, int]:
        """How many sites each tier has."""
        counts: dict[str, int] = {}
        for site in self.sites:
            counts[site.tier] = counts.get(site.tier, 0) + 1
        return counts


def analyse(legacy: Path, migrated: Path) -> Analysis:
    """Rewrites the original once more in memory, and sees which of its functions the migrated tree holds."""
    options = Options(paths=(legacy,))
    tree = discover(options)
    report = pipeline.run(tree.code, options).report
    sites = [site for site in report.sites if not site.initializer_only]
    native = [path for path in {site.path for site in sites} if _is_native(path, sites, migrated)]
    functions: dict[str, tuple[str, ...]] = {}
    for path in native:
        inside = [site for site in sites if site.path == path]
        functions[path] = tuple(sorted({site.function for site in inside if site.function}))
    ends: dict[tuple[str, int], int] = {}
    for path in {site.path for site in sites}:
        for first, last in calls_in(tree.base / path):
            ends[path, first] = max(last, ends.get((path, first), 0))
    return Analysis(tuple(sites), ends, functions)


def _is_native(path: str, sites: list[Site], migrated: Path) -> bool:
    """Whether the migrated file holds the functions that the rewriting would make of it today."""
    inside = [site for site in sites if site.path == path]
    file = migrated / path
    if any(site.tier != "native" for site in inside) or not file.is_file():
        return False
    text = file.read_text(encoding="utf-8", errors="replace")
    names = {site.function for site in inside if site.function}
    return all(f"def {name}(" in text for name in names) and "Session(" not in text
