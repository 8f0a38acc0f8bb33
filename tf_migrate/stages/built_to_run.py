"""What a block builds for the run right behind it: `guess = tf.argmax(logits, 1)`, then `sess.run(guess, {x: image})`.

Such a run computes that by itself, or assigns: `step = tf.assign(v, value)`. Nothing happens between the two, and
nothing else reads the name.
"""

from __future__ import annotations

import ast

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages import effects
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

_METHODS = frozenset(effects.ASSIGNMENTS.values())


def fetched_by(site: RunSite) -> ast.expr | None:
    """What a run fetches."""
    if not site.is_of_session:
        return argument(site.node, "global_step_tensor", 1) if site.counts else None
    receiver = site.node.func.value if isinstance(site.node.func, ast.Attribute) else None
    return argument(site.node, "fetches", 0) if site.kind == "Session.run" else receiver


def built_for(module: Module, names: Names, fetched: ast.expr | None) -> ast.Assign | None:
    """The statement right before a run that builds what it fetches, and nothing else does."""
    if not isinstance(fetched, ast.Name):
        return None
    running = module.statement_of(fetched)
    before = _before(module, running)
    plain = isinstance(running, ast.Expr | ast.Assign | ast.Return) and isinstance(before, ast.Assign)
    if not plain or not isinstance(before, ast.Assign) or not _is_built_alone(names, before.value):
        return None
    target = before.targets[0]
    scope = module.binding_scope(fetched)
    own = [load for load in module.loads.get(fetched.id, []) if module.binding_scope(load) is scope]
    named = isinstance(target, ast.Name) and target.id == fetched.id and len(before.targets) == 1
    return before if named and own == [fetched] else None


def _is_built_alone(names: Names, value: ast.expr) -> bool:
    """Whether an expression builds an assignment, or an operation that only computes."""
    if not isinstance(value, ast.Call):
        return False
    method = value.func.attr if isinstance(value.func, ast.Attribute) else ""
    symbol = names.resolve(value.func)
    return method in _METHODS if symbol is None else symbol in effects.ASSIGNMENTS or symbol in effects.PURE


def _before(module: Module, statement: ast.stmt) -> ast.stmt | None:
    """The statement before another one in its block."""
    around = module.parents[statement]
    for block in (getattr(around, name, []) for name in ("body", "orelse", "finalbody")):
        if statement in block:
            index = block.index(statement)
            return block[index - 1] if index else None
    return None
