"""Names that a method gives to parts of the graph before it runs them: `loss = self.loss`, then `sess.run(loss)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.values import Stage

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_RUN = frozenset({Stage.EFFECT, Stage.TENSOR})


def aliased(evaluator: Evaluator, node: ast.Assign) -> ast.Name | None:
    """The name that a statement of a function which runs the session gives to an object's part of the graph."""
    target = node.targets[0] if len(node.targets) == 1 else None
    key = evaluator.key_of(node.value) if isinstance(node.value, ast.Attribute) else None
    known = evaluator.env.get(key or "")
    if not evaluator.running or not isinstance(target, ast.Name) or known is None or known.value.stage not in _RUN:
        return None
    deleted = any(
        isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Del) and inner.id == target.id
        for inner in ast.walk(evaluator.running[-1])
    )
    return None if deleted or _is_all(evaluator, node) else target


def _is_all(evaluator: Evaluator, node: ast.Assign) -> bool:
    """Whether a block holds such statements only, and would be empty without them."""
    parent = evaluator.module.parents[node]
    blocks = (value for _, value in ast.iter_fields(parent) if isinstance(value, list) and node in value)
    return all(isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Attribute) for inner in next(blocks))


def meant(evaluator: Evaluator, node: ast.expr) -> ast.expr:
    """What a fetched name is another name of; the expression itself, where it is none."""
    binding = evaluator.env.get(node.id) if isinstance(node, ast.Name) else None
    return node if binding is None else evaluator.aliases.get(binding, node)
