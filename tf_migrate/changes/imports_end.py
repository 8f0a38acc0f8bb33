"""Where a statement goes that is to run behind the imports that a module begins with."""

from __future__ import annotations

import ast

from tf_migrate.syntax.module import Module

__all__ = ["behind_imports"]


def behind_imports(module: Module, bound: str | None) -> int | None:
    """The offset behind the imports that a module begins with, or behind those among which a module is `bound`.

    None where there are none on lines of their own.
    """
    body = module.tree.body
    kept = None if bound is None else module.root.bindings[bound][0]
    begun: ast.stmt | None = kept[0] if isinstance(kept, tuple) and kept[0] in body else None
    for node in body[0 if begun is None else body.index(begun) + 1 :]:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not isinstance(node, ast.Import | ast.ImportFrom) and not text:
            break
        begun = begun if text else node
    if begun is None or begun.end_lineno is None or begun.end_lineno >= len(module.source.line_starts):
        return None
    following = body[body.index(begun) + 1 :]
    shared = any(node.lineno == begun.end_lineno for node in following)
    return None if shared else module.source.line_starts[begun.end_lineno]
