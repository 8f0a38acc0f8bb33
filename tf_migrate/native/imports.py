"""Imports of which the native code needs no name any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.changes import statements
from tf_migrate.changes.edits import Edit, apply
from tf_migrate.rules import Context


def unused_import_edits(context: Context, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Takes out statements that import from TensorFlow what all other edits together leave without a use."""
    module, index = context.module, context.names.index
    found = [node for node in module.tree.body if isinstance(node, ast.ImportFrom) and _from_tensorflow(node)]
    if not found:
        return
    left = {node.id for node in ast.walk(ast.parse(apply(module.source.text, edits))) if isinstance(node, ast.Name)}
    for node in found:
        names = [alias.asname or alias.name for alias in node.names]
        start, end = module.source.span(node)
        untouched = not any(edit.start < end and start < edit.end for edit in edits)
        used = all(module.loads.get(name) and name not in left for name in names)
        if used and untouched and not any(index.is_taken(module.name, name) for name in names):
            yield statements.remove(module, node)


def _from_tensorflow(node: ast.ImportFrom) -> bool:
    return not node.level and (node.module or "").partition(".")[0] == "tensorflow" and node.names[0].name != "*"
