"""What the facts and all rules make of one module, its runs of sessions aside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tf_migrate import rules
from tf_migrate.changes import emission, symbols
from tf_migrate.changes.edits import Edit, apply
from tf_migrate.changes.unused_imports import unused_import_edits
from tf_migrate.facts import shims
from tf_migrate.names.canonical import Names
from tf_migrate.names.eras import holds_tf1, is_tf2
from tf_migrate.options import Options
from tf_migrate.report.model import Finding, Site
from tf_migrate.rules import Change, Context

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Rewritten:
    """The new text of a module, and its part of the report; ``shims`` are those that it used before already.

    ``concerned`` are the names of the functions that keep it from becoming native.
    """

    text: str
    findings: tuple[Finding, ...]
    sites: tuple[Site, ...]
    unchanged: int
    shims: tuple[str, ...] = ()
    concerned: frozenset[str] = frozenset()


def changes_of(context: Context, options: Options) -> tuple[list[Change], int]:
    """What becomes of each symbol of a module and of all that rules find, and how many uses stay as they are."""
    changes: list[Change] = []
    unchanged = 0
    for change in symbols.changes(context):
        if change is None:
            unchanged += 1
        else:
            changes.append(change)
    for rule in rules.all():
        if rule.find is not None and (not rule.advice or options.advises(rule.id)):
            changes += rule.find(context)
    return [_settled(change, options) for change in changes if _is_enabled(change, options)], unchanged


def shims_of(context: Context) -> tuple[str, ...]:
    """The shims that a module used before."""
    return tuple(shim for path in context.names.shims if (shim := context.shims.of(path)) is not None)


def context_of(names: Names) -> Context:
    """What rules see of a module."""
    module, index = names.module, names.index
    return Context(
        module=module,
        names=names,
        shims=shims.installed(),
        compat=emission.compat_name(names),
        compat_module=names.compat_module,
        tf=names.tf_roots[0] if names.tf_roots else "",
        new_tf=emission.new_tf_name(names),
        tf2=is_tf2(names),
        imported=module.name in index.imported_modules,
        builds=names.keeps_keras2
        or holds_tf1(names)
        or index.imports_tf1(module.name)
        or index.serves_tf1(module.name),
    )


def text_of(context: Context, changes: Sequence[Change]) -> str:
    """The text of a module with all changes made, and the imports that these need."""
    edits: list[Edit] = [edit for change in changes for edit in change.edits]
    if not edits:
        return context.module.source.text
    needs = _read(context, edits, frozenset(need for change in changes for need in change.needs))
    starts = [edit for change in changes if change.needs for edit in change.edits]
    edits += unused_import_edits(context.names, tuple(edits))
    early = [edit for change in changes if change.early for edit in change.edits]
    edits += emission.import_edits(context.names, context.compat, context.new_tf, needs, starts, early, edits)
    source = context.module.source
    text = apply(source.text, edits)
    return text if source.cells is None else source.cells.trimmed(text)


def _read(context: Context, edits: Sequence[Edit], needs: frozenset[str]) -> frozenset[str]:
    """The names that the text reads once the edits are made: what needed the others may be gone with its statement."""
    if not needs:
        return needs
    words = set(_WORD.findall(apply(context.module.source.text, edits)))
    called = {"compat": context.compat, "tf": context.new_tf}
    return frozenset(need for need in needs if called.get(need, need) in words)


def _is_enabled(change: Change, options: Options) -> bool:
    return change.finding is None or options.enabled(change.finding.rule)


def _settled(change: Change, options: Options) -> Change:
    return change.settled(asked=change.finding is not None and options.asks(change.finding.rule))
