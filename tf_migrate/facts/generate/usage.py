"""Rewrites whole trees of real code in memory and counts what the result names that TensorFlow 2 does not have.

    python -m tf_migrate.facts.generate.usage TREE...

Runs with TensorFlow 2, which answers whether a name exists. Names are found by the imports of each file alone, in
another way than the tool finds them, so that what it overlooks is seen here. Two lists are printed: names that do not
exist although no finding tells of them, with their places in the result, and symbols left to a person, most used first.
"""

from __future__ import annotations

import ast
import functools
import importlib
import os
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile, discover
from tf_migrate.files.source import SourceError, read
from tf_migrate.names.origins import canonical
from tf_migrate.options import Options
from tf_migrate.report.model import Report

PACKAGES = ("tensorflow.", "compat.")


@dataclass
class Tally:
    """What was counted over all trees."""

    untold: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    manual: Counter[str] = field(default_factory=Counter)
    symbols: Counter[str] = field(default_factory=Counter)

    def add(self, report: Report) -> None:
        """Count the symbols of one report."""
        self.symbols.update(asdict(report.summary.symbols))
        self.manual.update(found.symbol for found in report.findings if found.action == "manual" and found.symbol)


@dataclass(frozen=True)
class Named:
    """A dotted path in a file, and whether it is assigned to there."""

    path: str
    line: int
    assigned: bool = False


@functools.cache
def exists(path: str) -> bool:
    """Whether a dotted path leads to something; what an instance has is not looked into."""
    parts = path.split(".")
    value: object = importlib.import_module(parts[0])
    for position, part in enumerate(parts[1:], start=2):
        if not isinstance(value, ModuleType | type):
            return True
        try:
            value = getattr(value, part)
        except AttributeError:
            if not isinstance(value, ModuleType):
                return False
            try:
                value = importlib.import_module(".".join(parts[:position]))
            except ImportError:
                return False
    return True


def named(tree: ast.Module) -> Iterator[Named]:
    """Every dotted path that a file imports, reads or assigns to, spelled from its import on."""
    roots: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.name if alias.asname else alias.name.partition(".")[0]
                roots[alias.asname or bound].add(bound)
                yield Named(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                path = node.module if alias.name == "*" else f"{node.module}.{alias.name}"
                roots[alias.asname or alias.name].add(path)
                yield Named(path, node.lineno)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            root, attributes = chain(node)
            for path in roots.get(root, ()):
                yield Named(".".join([path, *attributes]), node.lineno, isinstance(node.ctx, ast.Store))


def chain(node: ast.expr) -> tuple[str, list[str]]:
    """The name that a dotted expression begins with (empty where it begins with anything else), and its attributes."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    return (node.id, attributes) if isinstance(node, ast.Name) else ("", attributes)


def is_told(path: str, told: set[str]) -> bool:
    """Whether a finding leaves to a person what a path names, or something around it."""
    last = path.rpartition(".")[2]
    if path.startswith("compat."):  # a module became the shim's, and a person was told of what it lacks
        return any(symbol.rpartition(".")[2] == last for symbol in told)
    names = {canonical(path), canonical("tf" + path.removeprefix("tensorflow"))}
    return any(f"{name}.".startswith(f"{symbol}.") for name in names for symbol in told)


def count(root: Path, tally: Tally) -> None:
    """Rewrite one tree in memory and count. What the tree assigns to a module of TensorFlow is its own name."""
    options = Options((root,), jobs=os.cpu_count() or 1)
    found = discover(options)
    outcome = pipeline.run(found.code, options)
    tally.add(outcome.report)
    told: dict[str, set[str]] = defaultdict(set)
    for finding in outcome.report.findings:
        if finding.action == "manual" and finding.symbol:
            told[finding.path].add(finding.symbol)
    failed = {result.path for result in outcome.report.failed}
    names = {
        file: [name for name in read_names(file, outcome.contents) if name.path.startswith(PACKAGES)]
        for file in found.code
        if file.name not in failed
    }
    assigned = {name.path for all_of_file in names.values() for name in all_of_file if name.assigned}
    for file, all_of_file in names.items():
        for name in all_of_file:
            its_own = any(f"{name.path}.".startswith(f"{other}.") for other in assigned)
            if not its_own and not exists(name.path) and not is_told(name.path, told[file.name]):
                tally.untold[name.path].append(f"{file.path}:{name.line}")


def read_names(file: TreeFile, contents: Mapping[str, bytes]) -> list[Named]:
    """What a file names after the rewrite; a file that is no Python of today is told of by the report."""
    try:
        raw = contents[file.name] if file.name in contents else file.path.read_bytes()
        return list(named(ast.parse(read(file.name, raw).text)))
    except (SourceError, SyntaxError):
        return []


def show(tally: Tally) -> None:
    """Print both lists."""
    uses = sum(tally.symbols.values())
    print(f"uses of TensorFlow's symbols: {uses}", dict(tally.symbols))
    untold = sorted(tally.untold.items(), key=lambda item: (-len(item[1]), item[0]))
    print(f"names that do not exist after the rewrite and without a finding: {sum(len(at) for _, at in untold)}")
    for path, places in untold:
        print(f"{len(places):6d}  {path}  {', '.join(places[:3])}")
    left = sum(tally.manual.values())
    print(f"left to a person: {left} of {uses} ({100 * left / max(uses, 1):.2f} %)")
    for symbol, times in tally.manual.most_common():
        print(f"{times:6d}  {symbol}")


def main(*roots: str) -> int:
    """Count over the trees; the exit status is 1 where a missing name is not told of."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    warnings.simplefilter("ignore")
    tally = Tally()
    for root in roots:
        count(Path(root), tally)
    show(tally)
    return 1 if tally.untold else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
