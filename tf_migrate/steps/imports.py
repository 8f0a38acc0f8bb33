"""Imports of parts of TensorFlow lose the names that went with placeholders and sessions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.changes.edits import Edit, apply
from tf_migrate.rules import Change, Context


def without_unused(context: Context, changes: Sequence[Change]) -> list[Change]:
    """The changes, those of imports without the names that the module read before and no longer reads.

    Where no name of an import is left, the whole statement goes with all other unused ones.
    """
    module = context.module
    nodes = [node for node, _ in module.imports if isinstance(node, ast.ImportFrom) and _is_tensorflow(node)]
    try:
        tree = ast.parse(apply(module.source.text, [edit for change in changes for edit in change.edits]))
    except (SyntaxError, ValueError):
        return list(changes)  # the verification tells it
    read: set[object] = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    read |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}  # `__all__`
    made: list[Edit] = []
    for node in nodes:
        names = [alias.asname or alias.name for alias in node.names]
        gone = {name for name in names if name not in read and _may_go(context, name)}
        if gone and len(gone) < len(names):
            start, end = module.source.span(node)
            edits = [edit for change in changes for edit in change.edits if start <= edit.start and edit.end <= end]
            text = _without(apply(module.source.text[start:end], [_moved(edit, -start) for edit in edits]), gone)
            if text is not None:
                changes = [_outside(change, start, end) for change in changes]
                made.append(Edit(start, end, text.replace("\n", module.source.newline + _space(context, node))))
    return [*changes, Change(None, tuple(made))] if made else list(changes)


def _is_tensorflow(node: ast.ImportFrom) -> bool:
    return not node.level and (node.module or "").partition(".")[0] == "tensorflow"


def _may_go(context: Context, name: str) -> bool:
    """Whether the module read a name, and no other module may."""
    module = context.module
    return bool(module.loads.get(name)) and not context.names.index.is_taken(module.name, name)


def _moved(edit: Edit, by: int) -> Edit:
    return replace(edit, start=edit.start + by, end=edit.end + by)


def _outside(change: Change, start: int, end: int) -> Change:
    return replace(change, edits=tuple(edit for edit in change.edits if not (start <= edit.start and edit.end <= end)))


def _space(context: Context, node: ast.ImportFrom) -> str:
    line = context.module.source.line_text(node.lineno)
    return line[: len(line) - len(line.lstrip())]


def _without(text: str, gone: set[str]) -> str | None:
    """Import statements without some names."""
    try:
        body = ast.parse("\n".join(line.strip() for line in text.splitlines())).body
    except SyntaxError:
        return None
    left: list[str] = []
    for node in body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            return None
        node.names = [alias for alias in node.names if (alias.asname or alias.name) not in gone]
        if node.names:
            left.append(ast.unparse(node))
    return "\n".join(left) or None
