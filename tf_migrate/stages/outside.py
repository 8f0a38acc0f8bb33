"""Tensors that functions see from outside: they become local names of other functions, so they are handed over."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages.branches import is_passed
from tf_migrate.stages.notes import own_name
from tf_migrate.stages.objects import ObjectClass, uses_of
from tf_migrate.stages.values import Binding, Refused, Stage
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_LOCAL = frozenset({Stage.TENSOR, Stage.PLACEHOLDER, Stage.STATIC})
"""What is a local name of the functions that replace runs."""


def hand_over(evaluator: Evaluator, node: ast.Name | ast.Attribute, key: str, binding: Binding) -> None:
    """Notes that the functions which are evaluated take a tensor that they read; refuses where they cannot."""
    if not (evaluator.frames and evaluator.active and binding.value.stage in _LOCAL):
        return
    reader, text, name = evaluator.active[-1], ast.unparse(node), own_name(key, binding)
    hidden = any(name in frame for frame in evaluator.frames)
    own = isinstance(node, ast.Name) or (isinstance(node.value, ast.Name) and node.value.id == "self")
    known = all(
        function not in evaluator.nested and _is_only_called(evaluator, function) for function in evaluator.active
    )
    if not own or hidden or not known:
        what = f"`{reader.name}` reads the tensor `{text}` from outside"
        raise Refused(node, what, f"pass `{text}` to `{reader.name}` as an argument")
    for function in evaluator.active:
        evaluator.handed.setdefault(function, {})[name] = None


def calls_of(module: Module, function: ast.FunctionDef, owner: ObjectClass | None) -> list[ast.Call]:
    """The calls of a function, or of a method of `owner`, that nothing else is done with."""
    uses = module.loads.get(function.name, []) if owner is None else uses_of(module, owner, function.name)
    parents = ((use, module.parents[use]) for use in uses)
    return [parent for use, parent in parents if isinstance(parent, ast.Call) and parent.func is use]


def passed(module: Module, names: Names, function: ast.FunctionDef) -> list[ast.Name]:
    """The places where a condition or a loop of the graph is given a function."""
    return [load for load in module.loads.get(function.name, []) if is_passed(module, names, load)]


def _is_only_called(evaluator: Evaluator, function: ast.FunctionDef) -> bool:
    """Whether a function is nothing but called, by the one name that it has, with arguments that others may follow.

    What calls it may be a condition or a loop of the graph.
    """
    module, owner = evaluator.module, evaluator.methods.get(function)
    if owner is not None:
        # A method of tests is read for each of them, and there is no constructor.
        uses = uses_of(module, owner, function.name)
        alone = "__init__" in owner.methods
        return alone and all(
            ast.unparse(use.value) == "self" and _is_plain_call(module.parents[use], use) for use in uses
        )
    bound = sum(len(scope.bindings.get(function.name, [])) for scope in module.every_scope)
    loads = module.loads.get(function.name, [])
    method = isinstance(module.parents.get(function), ast.ClassDef)
    known = (_is_plain_call(module.parents[load], load) or is_passed(module, evaluator.names, load) for load in loads)
    return bound == 1 and not method and all(known)


def _is_plain_call(node: ast.AST, name: ast.expr) -> bool:
    given = isinstance(node, ast.Call) and node.func is name
    return given and isinstance(node, ast.Call) and not any(isinstance(item, ast.GeneratorExp) for item in node.args)
