"""Names for what runs fetch: `loss = self.loss`, or `fetches = [train, loss]`, then `sess.run(fetches)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.built_to_run import fetched_by
from tf_migrate.stages.values import TENSORS, Refused, Stage, flatten

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


def together(evaluator: Evaluator, node: ast.Assign) -> ast.Name | None:
    """The name that a statement gives to a list, tuple or dictionary of parts of the graph, and only runs fetch."""
    target = node.targets[0] if len(node.targets) == 1 else None
    if not isinstance(target, ast.Name) or not _is_written_out(node.value) or _is_alone(evaluator, node):
        return None
    module = evaluator.module
    scope = module.binding_scope(target)
    loads = [load for load in module.loads.get(target.id, []) if module.binding_scope(load) is scope]
    fetched = [fetched_by(site) for site in evaluator.sites.values()]
    if scope is None or len(scope.bindings[target.id]) > 1 or not loads or not all(load in fetched for load in loads):
        return None
    with evaluator.aside(), evaluator.fetching_names():
        parts = list(flatten([evaluator.value(node.value)]))
    return target if parts and all(part.stage in TENSORS | {Stage.EFFECT} for part in parts) else None


def _is_written_out(node: ast.expr) -> bool:
    """Whether an expression is a container of names and attributes, or of such containers."""
    if isinstance(node, ast.Dict):
        return all(isinstance(key, ast.Constant) for key in node.keys) and all(map(_is_item, node.values))
    return isinstance(node, ast.List | ast.Tuple) and all(map(_is_item, node.elts))


def _is_item(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) or _is_written_out(node)


def _is_alone(evaluator: Evaluator, node: ast.stmt) -> bool:
    """Whether a block holds nothing but a statement."""
    parent = evaluator.module.parents[node]
    return any(value == [node] for _, value in ast.iter_fields(parent))


def require_meant(evaluator: Evaluator, name: ast.expr, listed: ast.expr) -> None:
    """Refuses a list that was written out where its names meant something else than where the run fetches it."""
    for inner in ast.walk(listed):
        if isinstance(inner, ast.Name | ast.Attribute) and evaluator.resolved.get(inner, inner) is None:
            what = f"`{ast.unparse(inner)}` in `{ast.unparse(name)}` means something else by the time of the run"
            raise Refused(name, what, "write what is fetched into the call")


def _is_all(evaluator: Evaluator, node: ast.Assign) -> bool:
    """Whether a block holds such statements only, and would be empty without them."""
    parent = evaluator.module.parents[node]
    blocks = (value for _, value in ast.iter_fields(parent) if isinstance(value, list) and node in value)
    return all(isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Attribute) for inner in next(blocks))


def meant(evaluator: Evaluator, node: ast.expr) -> ast.expr:
    """What a fetched name is another name of; the expression itself, where it is none."""
    binding = evaluator.env.get(node.id) if isinstance(node, ast.Name) else None
    return node if binding is None else evaluator.aliases.get(binding, node)
