"""What the rewriting makes of the original: which code took the place of each run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.report.model import Site


@dataclass(frozen=True)
class Analysis:
    """The places that run a session, by path and line of the original.

    Attributes:
      sites: those that do more than initialize.
      functions: names of the functions that took the place of runs, by file.
      eager_lines: lines of runs whose place plain code took, by file: nothing tells of these.
    """

    sites: tuple[Site, ...]
    functions: Mapping[str, tuple[str, ...]]
    eager_lines: Mapping[str, tuple[int, ...]]

    def site(self, path: str, line: int) -> Site | None:
        """The site at a line; None where there is none, or more than one."""
        found = [site for site in self.sites if (site.path, site.line) == (path, line)]
        return found[0] if len(found) == 1 else None

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
    eager: dict[str, tuple[int, ...]] = {}
    for path in native:
        inside = [site for site in sites if site.path == path]
        functions[path] = tuple(sorted({site.function for site in inside if site.function}))
        eager[path] = tuple(sorted({site.line for site in inside if site.function is None}))
    return Analysis(tuple(sites), functions, eager)


def _is_native(path: str, sites: list[Site], migrated: Path) -> bool:
    """Whether the migrated file holds the functions that the rewriting would make of it today."""
    inside = [site for site in sites if site.path == path]
    file = migrated / path
    if any(site.tier != "native" for site in inside) or not file.is_file():
        return False
    text = file.read_text(encoding="utf-8", errors="replace")
    names = {site.function for site in inside if site.function}
    return all(f"def {name}(" in text for name in names) and "Session(" not in text
