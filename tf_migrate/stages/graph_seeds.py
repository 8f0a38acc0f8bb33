"""The seed of a graph: another graph that begins does not have it, TensorFlow 2's one seed would stay."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module


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
