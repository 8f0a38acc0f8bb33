"""Imports from TensorFlow of which the rewritten code needs no name any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.changes.edits import Edit, apply
from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module


def unused_import_edits(names: Names, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Takes out each `from tensorflow… import …` of which the module read every name and the `edits` leave no use.

    What another module of the tree may take from this one stays, and so does `import tensorflow` itself.
    """
    module = names.module
    found = [node for node in module.tree.body if isinstance(node, ast.ImportFrom) and _may_go(names, node)]
    if not found:
        return
    try:
        written = list(ast.walk(ast.parse(apply(module.source.text, edits))))
    except SyntaxError:
        return  # the verification tells it
    left: set[object] = {node.id for node in written if isinstance(node, ast.Name)}
    left |= {node.value for node in written if isinstance(node, ast.Constant)}  # `__all__`
    gone = [node for node in found if left.isdisjoint(_names(node))]
    for group in _adjacent(gone):
        yield _removed(module, group[0], group[-1])


def _names(node: ast.ImportFrom) -> list[str]:
    return [alias.asname or alias.name for alias in node.names]


def _may_go(names: Names, node: ast.ImportFrom) -> bool:
    module, own = names.module, _names(node)
    if node.level or (node.module or "").partition(".")[0] != "tensorflow" or "*" in own:
        return False
    start, end = _lines(module, node, node)
    alone = module.source.text[start:end].strip() == module.source.segment(node).strip()
    return alone and all(module.loads.get(name) and not names.index.is_taken(module.name, name) for name in own)


def _lines(module: Module, first: ast.stmt, last: ast.stmt) -> tuple[int, int]:
    """Where the first line of one statement begins and the last one of another ends."""
    starts, row = module.source.line_starts, last.end_lineno or last.lineno
    return starts[first.lineno - 1], starts[row] if row < len(starts) else len(module.source.text)


def _adjacent(nodes: Sequence[ast.ImportFrom]) -> Iterator[list[ast.ImportFrom]]:
    group: list[ast.ImportFrom] = []
    for node in nodes:
        if group and node.lineno != (group[-1].end_lineno or 0) + 1:
            yield group
            group = []
        group.append(node)
    if group:
        yield group


def _removed(module: Module, first: ast.stmt, last: ast.stmt) -> Edit:
    """Takes out statements, with the blank line above them where one follows, too."""
    source = module.source
    start, end = _lines(module, first, last)
    above, below = first.lineno - 1, (last.end_lineno or last.lineno) + 1
    if above and below <= len(source.line_starts) and not (source.line_text(above) + source.line_text(below)).strip():
        start = source.line_starts[above - 1]
    return Edit(start, end, "", encloses=True)
