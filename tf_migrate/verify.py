"""What is checked of every rewritten file before anything of it is written."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

from tf_migrate.names import Names
from tf_migrate.report.model import Finding, Site
from tf_migrate.source import Source, SourceError, parse, read


class VerificationError(Exception):
    """A rewritten file that is not what it has to be; the file stays as it was."""


def parses(source: Source, text: str) -> None:
    """Raises VerificationError when the rewritten text is no Python, or does not survive its own encoding."""
    try:
        raw = source.encode(text)
    except UnicodeEncodeError as error:
        raise VerificationError(f"the result cannot be written as {source.encoding}: {error.reason}") from None
    try:
        again = read(source.path, raw)
        parse(again)
    except SourceError as error:
        raise VerificationError(f"the result does not parse ({error.reason}, line {error.line})") from None
    if again.text != text:
        raise VerificationError("the result reads back as another text")


def accounts_for(names: Names, findings: Iterable[Finding], sites: Iterable[Site], unchanged: int) -> None:
    """Raises VerificationError unless every use and every site is told exactly once."""
    told = Counter((found.line, found.column, found.symbol) for found in findings if found.symbol is not None)
    twice = [place for place, count in told.items() if count > 1]
    if twice:
        line, column, symbol = twice[0]
        raise VerificationError(f"`{symbol}` at {line}:{column} is reported {told[twice[0]]} times")
    places = Counter((site.line, site.column, site.kind) for site in sites)
    if places and max(places.values()) > 1:
        raise VerificationError("a place that runs a session is reported twice")
    uses = sum(1 for use in names.uses if not names.module.is_skipped(use.root))
    imports = sum(1 for node, _ in names.module.imports for _ in node.names)
    if not uses - imports <= len(told) + unchanged:
        raise VerificationError(f"{uses} uses of TensorFlow, but only {len(told) + unchanged} accounted for")


def same_meaning(first: str, second: str) -> bool:
    """Whether two texts are one program up to layout."""
    return ast.dump(ast.parse(first)) == ast.dump(ast.parse(second))
