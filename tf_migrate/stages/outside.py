"""Tensors that functions see from outside: they become local names of other functions, so they are handed over."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.values import Locals, Refused, Stage, Value
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_LOCAL = frozenset({Stage.TENSOR, Stage.PLACEHOLDER, Stage.STATIC})
"""What is a local name of the functions that replace runs."""


def hand_over(evaluator: Evaluator, node: ast.Name | ast.Attribute, value: Value) -> None:
    """Notes that the functions which are evaluated take a tensor that they read; refuses where they cannot."""
    if not (evaluator.frames and evaluator.active and value.stage in _LOCAL):
        return
    reader, text = evaluator.active[-1], ast.unparse(node)
    hidden = any(isinstance(frame, Locals) and text in frame for frame in evaluator.frames)
    known = all(
        function not in evaluator.nested and _is_only_called(evaluator.module, function)
        for function in evaluator.active
    )
    if not isinstance(node, ast.Name) or hidden or not known:
        what = f"`{reader.name}` reads the tensor `{text}` from outside"
        raise Refused(node, what, f"pass `{text}` to `{reader.name}` as an argument")
    for function in evaluator.active:
        evaluator.handed.setdefault(function, {})[text] = None


def calls_of(module: Module, function: ast.FunctionDef) -> list[ast.Call]:
    """The calls of a function that nothing else is done with."""
    parents = (module.parents[load] for load in module.loads.get(function.name, []))
    return [parent for parent in parents if isinstance(parent, ast.Call)]


def _is_only_called(module: Module, function: ast.FunctionDef) -> bool:
    """Whether a function is nothing but called, by the one name that it has, with arguments that others may follow."""
    bound = sum(len(scope.bindings.get(function.name, [])) for scope in module.every_scope)
    loads = module.loads.get(function.name, [])
    method = isinstance(module.parents.get(function), ast.ClassDef)
    return bound == 1 and not method and all(_is_plain_call(module.parents[load], load) for load in loads)


def _is_plain_call(node: ast.AST, name: ast.Name) -> bool:
    given = isinstance(node, ast.Call) and node.func is name
    return given and isinstance(node, ast.Call) and not any(isinstance(item, ast.GeneratorExp) for item in node.args)
