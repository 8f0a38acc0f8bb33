"""What the rewriting makes of the original: which code took the place of each run."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.files.source import SourceError, parse, read
from tf_migrate.options import Options
from tf_migrate.report.model import Site

Position = tuple[int, int]  # line and column, both counted from 1


@dataclass(frozen=True)
class Line:
    """Sites whose calls share lines, in the order in which Python makes these calls.

    Attributes:
      first: the first of the lines.
      last: the last one.
      sites: of several sites, all.
    """

    first: int
    last: int
    sites: tuple[Site, ...]


@dataclass(frozen=True)
class Analysis:
    """The places that run a session, by path and line of the original.

    Attributes:
      sites: those that do more than initialize.
      ends: (file, line and column at which a call of it begins) -> those at which it ends.
      functions: names of the functions that took the place of runs, by file.
      dropped: (file, line) of the calls that are statements: nobody takes what they give.
    """

    sites: tuple[Site, ...]
    ends: Mapping[tuple[str, int, int], Position]
    functions: Mapping[str, tuple[str, ...]]
    dropped: frozenset[tuple[str, int]] = frozenset()

    def site(self, path: str, line: int, call: int = 0, function: str | None = None) -> Site | None:
        """The site whose call a line is part of; None where there is none.

        Of several it is the one that is made as the `call`-th, counted from 0. Where it is known that a call of
        `function` took its place, and there another's did, the only one of which that is true.
        """
        sites = self._sites(path, line)
        counted = sites[call] if call < len(sites) else None
        if len(sites) == 1 or function is None or (counted is not None and counted.function == function):
            return counted
        named = [site for site in sites if site.function == function]
        return named[0] if len(named) == 1 else None

    def name(self, path: str, line: int, call: int = 0) -> str:
        """What reports call a run: its file and line, and which of several on this line it is."""
        told = sum(not self.is_plain(site) for site in self._sites(path, line))
        return f"{path}:{line} #{call + 1}" if told > 1 else f"{path}:{line}"

    def is_plain(self, site: Site) -> bool:
        """Whether plain code took the place of its runs: nothing tells of these."""
        return site.path in self.functions and site.tier == "native" and site.function is None

    @cached_property
    def lines(self) -> dict[str, list[Line]]:
        """The lines on which there are sites, by file."""
        found: dict[str, list[Line]] = {}
        for site in sorted(self.sites, key=lambda site: (site.path, site.line)):
            lines, last = found.setdefault(site.path, []), self._end(site)[0]
            if lines and site.line <= lines[-1].last:
                before = lines.pop()
                sites = sorted((*before.sites, site), key=self._end)  # what is inside of a call ends before it
                lines.append(Line(before.first, max(before.last, last), tuple(sites)))
            else:
                lines.append(Line(site.line, last, (site,)))
        return found

    def told_apart(self) -> dict[str, list[tuple[int, int, list[bool]]]]:
        """First and last line -> for each call whether it is plain code now, by file; where it matters which it is."""
        return {
            path: [
                (shared.first, shared.last, [self.is_plain(site) for site in shared.sites])
                for shared in lines
                if len(shared.sites) > 1 or self.is_plain(shared.sites[0])
            ]
            for path, lines in self.lines.items()
        }

    def _sites(self, path: str, line: int) -> tuple[Site, ...]:
        return next((shared.sites for shared in self.lines.get(path, ()) if shared.first <= line <= shared.last), ())

    def _end(self, site: Site) -> Position:
        start = (site.line, site.column)
        return self.ends.get((site.path, *start), start)

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
    texts = {path: text for path in {file.name for file in tree.code} if (text := _text(migrated / path)) is not None}
    paths = {site.path for site in sites}
    mixed = {path for path in paths if len({site.tier for site in sites if site.path == path}) > 1}
    with_sessions = {path for path in paths if _makes_sessions(migrated / path)}
    bridged = with_sessions - mixed
    native = [path for path in paths - bridged if _is_native(path, sites, texts)]
    kept = with_sessions.difference(native)
    sites = [replace(site, tier="bridge", form=None) if _is_kept(site, kept) else site for site in sites]
    made: dict[str, set[str]] = {path: set() for path in native}
    for site in sites:
        for path in _defining(site, texts) if site.path in native and site.tier == "native" else ():
            made.setdefault(path, set()).add(site.function or "")
    functions = {path: tuple(sorted(names)) for path, names in made.items()}
    ends: dict[tuple[str, int, int], Position] = {}
    dropped: set[tuple[str, int]] = set()
    for path in {site.path for site in sites}:
        for start, end, is_statement in _calls(tree.base / path):
            key = (path, *start)
            ends[key] = max(end, ends.get(key, start))
            if is_statement:
                dropped.update((path, line) for line in range(start[0], end[0] + 1))
    return Analysis(tuple(sites), ends, functions, frozenset(dropped))


def _calls(path: Path) -> Iterator[tuple[Position, Position, bool]]:
    """Where each call in a file of code or a notebook begins and ends, as reports count; whether it is a statement."""
    source = read(path.name, path.read_bytes())
    tree = parse(source)
    statements = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            start, end = ((offset, source.line_of(offset)) for offset in source.span(node))
            yield (
                source.place(start[1], start[0] - source.line_starts[start[1] - 1] + 1),
                source.place(end[1], end[0] - source.line_starts[end[1] - 1]),
                node in statements,
            )


def _is_native(path: str, sites: list[Site], texts: Mapping[str, str]) -> bool:
    """Whether the migrated tree holds the functions that the rewriting would make of a file today."""
    inside = [site for site in sites if site.path == path and site.tier == "native"]
    if not inside or path not in texts:
        return False
    return all(_defining(site, texts) for site in inside if site.function)


def _defining(site: Site, texts: Mapping[str, str]) -> list[str]:
    """The files that may define the function which took a run's place: its own, or those of what it has imported."""
    if site.function is None:
        return []
    name = site.function.rpartition(".")[2]
    definition = f"{name} = " if site.form == "steps" else f"def {name}("
    found = [path for path, text in texts.items() if definition in text]
    return [site.path] if site.path in found else sorted(found)


def _text(file: Path) -> str | None:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None


def _is_kept(site: Site, bridged: Container[str]) -> bool:
    """Whether the migrated file runs a session where the rewriting would make functions of the sites today."""
    return site.tier == "native" and site.path in bridged


def _makes_sessions(file: Path) -> bool:
    """Whether a migrated file of code or a notebook makes sessions of any kind; one that cannot be read might."""
    try:
        tree = parse(read(file.name, file.read_bytes()))
    except (OSError, SourceError):
        return file.is_file()
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    names = (func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "") for func in calls)
    return any(name.endswith("Session") for name in names)
