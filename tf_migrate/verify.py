"""What is checked of every rewritten file before anything of it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tf_migrate import rules
from tf_migrate.facts import moved_name
from tf_migrate.files.source import Source, SourceError, read
from tf_migrate.report.model import Finding, Site


class VerificationError(Exception):
    """A rewritten file that is not what it has to be; the file stays as it was."""


def checked(source: Source, text: str) -> Source:
    """The file with its new text; raises VerificationError when that does not survive being written."""
    try:
        again = read(source.path, source.encode(text))
    except UnicodeEncodeError as error:
        raise VerificationError(f"the result cannot be written as {source.encoding}: {error.reason}") from None
    except SourceError as error:
        raise VerificationError(f"the result cannot be read back ({error.reason}, line {error.line})") from None
    if again.text != text:
        raise VerificationError("the result reads back as another text")
    return again


def told_once(findings: Iterable[Finding], sites: Iterable[Site]) -> None:
    """Raises VerificationError when a use of a symbol, or a place that runs a session, is reported twice."""
    uses = Counter((found.line, found.column, found.symbol) for found in findings if found.symbol is not None)
    places = Counter((site.line, site.column, site.kind) for site in sites)
    for (line, column, what), count in [*uses.items(), *places.items()]:
        if count > 1:
            raise VerificationError(f"`{what}` at {line}:{column} is reported {count} times")


def accounts_for(findings: Iterable[Finding], again: Iterable[Finding]) -> None:
    """Raises VerificationError when a second look (``again``) leaves to a person what the first one did not."""
    of_either = rules.of_either()  # what shows in TensorFlow 2 code may not have shown before
    told, left = (
        Counter(
            found.symbol and moved_name(found.symbol)
            for found in some
            if found.action == "manual" and found.rule not in of_either
        )
        for some in (findings, again)
    )
    for symbol, count in left.items():
        if count > told[symbol]:
            raise VerificationError(f"`{symbol}` is left in the result, and no finding says so")
