"""The seed of a graph: another graph that begins does not have it, TensorFlow 2's one seed would stay."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_RESET = "tf.reset_default_graph"


@dataclass(frozen=True)
class Reset:
    """The statement that throws the default graph away; `seeded` says that the function around it sets a seed too."""

    statement: ast.Expr
    seeded: bool = False


def resetting(module: Module, names: Names, node: ast.Expr) -> Reset | None:
    """What throws the default graph away in a statement: `tf.reset_default_graph()`, or a function that does no more.

    Such a function may set seeds behind it, and do what has nothing to do with TensorFlow.
    """
    call = node.value
    if not isinstance(call, ast.Call):
        return None
    if names.resolve(call.func) == _RESET:
        return Reset(node)
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    function = next((item for item in module.tree.body if getattr(item, "name", None) == name), None)
    if not isinstance(function, ast.FunctionDef) or len(module.root.bindings.get(name, [])) != 1:
        return None
    found = [item for item in function.body if isinstance(item, ast.Expr) and _calls(names, item) == _RESET]
    seeds = [
        item for item in function.body if isinstance(item, ast.Expr) and _calls(names, item) in effects.GRAPH_SEEDS
    ]
    known = {inner for item in (*found, *seeds) for inner in ast.walk(item)}
    others = [inner for inner in ast.walk(function) if inner not in known]
    used = any(isinstance(inner, ast.Name | ast.Attribute) and names.resolve(inner) is not None for inner in others)
    leaving = any(isinstance(inner, ast.Return | ast.Yield | ast.YieldFrom | ast.Await) for inner in others)
    if (
        len(found) != 1
        or used
        or leaving
        or function.decorator_list
        or any(seed.lineno < found[0].lineno for seed in seeds)
    ):
        return None
    return Reset(found[0], bool(seeds))


def _calls(names: Names, node: ast.Expr) -> str | None:
    return names.resolve(node.value.func) if isinstance(node.value, ast.Call) else None


def require_own_seed(module: Module, names: Names, node: ast.stmt) -> None:
    """Refuses a graph that begins at `node` where another one was given a seed, unless it is given one first."""
    home = module.function_of(node)
    seeds = [call for call in module.calls if names.resolve(call.func) in effects.GRAPH_SEEDS]
    lost = [call for call in seeds if call.lineno < node.lineno or module.function_of(call) is not home]
    if lost and not _begins_with(names, _first(module, node), seeds):
        what = f"`{ast.unparse(lost[0])}` is a seed of another graph than the one that begins here"
        raise Refused(node, what, "set the seed of this graph first")


def _first(module: Module, node: ast.stmt) -> list[ast.stmt]:
    """The statements that come first in the graph: those of its block, or those behind what throws another away."""
    if isinstance(node, ast.With):
        return node.body
    parent = module.parents[node]
    blocks = (block for _, block in ast.iter_fields(parent) if isinstance(block, list) and node in block)
    block = next(blocks, [node])
    return block[block.index(node) + 1 :]


def _begins_with(names: Names, statements: Iterable[ast.stmt], seeds: list[ast.Call]) -> bool:
    """Whether a seed is set before anything else is done that TensorFlow knows of."""
    for statement in statements:
        if isinstance(statement, ast.Expr) and statement.value in seeds:
            return True
        inner = (part for part in ast.walk(statement) if isinstance(part, ast.Name | ast.Attribute))
        if any(names.resolve(part) is not None for part in inner):
            return False
    return False
