"""Three verbs for the engine's tests: a text becomes another, stays unchanged, or is left to a person."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from tf_migrate.changes.application import Rewritten
from tf_migrate.files.source import read
from tf_migrate.names.exports import Index
from tf_migrate.names.summary import summarize
from tf_migrate.options import Options
from tf_migrate.report.model import Finding
from tf_migrate.rewrite import rewrite
from tf_migrate.syntax.module import module_name
from tf_migrate.syntax.outline import outline


def migrated(
    code: str, path: str = "train.py", others: Mapping[str, str] | None = None, **options: object
) -> Rewritten:
    """Rewrites one module of a tree of the modules given."""
    texts = {path: code, **{name: textwrap.dedent(text) for name, text in (others or {}).items()}}
    chosen = Options(paths=(Path("."),), **{"tier": "bridge", **options})  # type: ignore[arg-type]
    modules = [(module_name(name)[0], name.endswith("__init__.py")) for name in texts]
    bare = Index(modules, {})
    found = [summarize(outline(read(name, text.encode())), bare, chosen.compat_module) for name, text in texts.items()]
    index = Index(modules, {exports.module: exports for exports in found})
    return rewrite(read(path, code.encode()), index, chosen)


def becomes(before: str, after: str, path: str = "train.py", select: tuple[str, ...] = (), **others: str) -> Rewritten:
    """The text becomes the other, and that one stays as it is."""
    before, after = textwrap.dedent(before), textwrap.dedent(after)
    result = migrated(before, path, others, select=select)
    assert result.text == after
    again = migrated(after, path, others, select=select)
    assert again.text == after, "a second run changes it"
    return result


def unchanged(code: str, path: str = "train.py", **others: str) -> Rewritten:
    """The text stays as it is, and nothing is left to a person."""
    code = textwrap.dedent(code)
    result = migrated(code, path, others)
    assert result.text == code
    assert not [finding for finding in result.findings if finding.action == "manual"]
    return result


def refuses(code: str, symbol: str, path: str = "train.py", **others: str) -> Finding:
    """The symbol is left to a person, with a reason and a next step, and its text as it stood."""
    code = textwrap.dedent(code)
    result = migrated(code, path, others)
    found = [finding for finding in result.findings if finding.symbol == symbol]
    assert [finding.action for finding in found] == ["manual"]
    assert found[0].message
    assert found[0].next_step
    return found[0]
