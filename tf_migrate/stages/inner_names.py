"""Attributes of an object that only its builders use, each what it binds itself: local names of theirs in each call.

Builders are methods, or functions inside of methods, that are called to build a part of the graph.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tf_migrate.stages.objects import ObjectClass
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator


def local_uses(evaluator: Evaluator, home: ast.AST, target: ast.Attribute) -> Sequence[ast.Attribute]:
    """All uses of an attribute, where they stand in such functions, each of which always binds it first."""
    module = evaluator.module
    owner = _owner(evaluator, home)
    uses = module.attributes.get(target.attr, [])
    if owner is None or any(_is_bound(statement, target.attr) for statement in owner.node.body):
        return ()
    homes = {use: function for use in uses if (function := module.function_of(use)) is not None}
    own = all(use in homes and ast.unparse(use.value) == "self" for use in uses)
    if not own or any(_owner(evaluator, function) is not owner for function in homes.values()):
        return ()
    apart = all(_called(owner, function).isdisjoint(homes.values()) for function in set(homes.values()))
    return uses if apart and all(_is_sure(module, use, function) for use, function in homes.items()) else ()


def _owner(evaluator: Evaluator, home: ast.AST) -> ObjectClass | None:
    """The class of an object whose method a function is, or stands in."""
    method = evaluator.module.function_of(home)
    inside = evaluator.methods.get(method) if isinstance(method, ast.FunctionDef) else None
    return evaluator.methods.get(home, inside) if isinstance(home, ast.FunctionDef) else None


def _called(owner: ObjectClass, function: ast.AST) -> set[ast.AST]:
    """The methods that a function may call, itself or by others."""
    found: set[ast.AST] = set()
    pending = [function]
    while pending:
        inner = (node for node in ast.walk(pending.pop()) if isinstance(node, ast.Attribute))
        named = {method for node in inner if (method := owner.methods.get(node.attr)) is not None} - found
        found |= named
        pending += named
    return found


def _is_bound(statement: ast.stmt, word: str) -> bool:
    """Whether a statement of a class gives it something of that name."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    named = {inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    return word in named or getattr(statement, "name", None) == word


def _is_sure(module: Module, use: ast.Attribute, home: ast.AST) -> bool:
    """Whether one use binds the attribute, or stands behind a statement that does."""
    parent = module.parents[use]
    if not isinstance(use.ctx, ast.Load):
        return isinstance(module.parents[parent] if isinstance(parent, ast.Tuple) else parent, ast.Assign)
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
    items = (item for target in targets for item in (target.elts if isinstance(target, ast.Tuple) else [target]))
    return any(isinstance(item, ast.Attribute) and item.attr == word for item in items)
