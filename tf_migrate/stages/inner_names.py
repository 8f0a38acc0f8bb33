"""Attributes of an object that only a function inside a method uses: they are local names of its, one for each call."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator


def local_uses(evaluator: Evaluator, home: ast.AST, target: ast.Attribute) -> Sequence[ast.Attribute]:
    """All uses of an attribute, where they stand in one function inside a method, which always binds it first."""
    module = evaluator.module
    method = module.function_of(home) if isinstance(home, ast.FunctionDef) else None
    owner = evaluator.methods.get(method) if isinstance(method, ast.FunctionDef) else None
    uses = module.attributes.get(target.attr, [])
    if owner is None or any(_is_bound(statement, target.attr) for statement in owner.node.body):
        return ()
    alone = all(module.function_of(use) is home and ast.unparse(use.value) == "self" for use in uses)
    return uses if alone and all(_is_sure(module, use, home) for use in uses) else ()


def _is_bound(statement: ast.stmt, word: str) -> bool:
    """Whether a statement of a class gives it something of that name."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    named = {inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    return word in named or getattr(statement, "name", None) == word


def _is_sure(module: Module, use: ast.Attribute, home: ast.AST) -> bool:
    """Whether one use binds the attribute, or stands behind a statement that does."""
    parent = module.parents[use]
    if not isinstance(use.ctx, ast.Load):
        return isinstance(parent, ast.Assign)
    place: ast.AST = module.statement_of(use)
    while place is not home:
        outer = module.parents[place]
        for _, block in ast.iter_fields(outer):
            if isinstance(block, list) and place in block:
                before = block[: block.index(place)]
                if any(_binds(statement, use.attr) for statement in before):
                    return True
        place = outer
    return False


def _binds(statement: ast.stmt, word: str) -> bool:
    """Whether a statement binds the attribute whenever it comes to its end."""
    if isinstance(statement, ast.With):
        return any(_binds(inner, word) for inner in statement.body)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(target, ast.Attribute) and target.attr == word for target in targets)
