"""The graph that a script, or an object, makes by name: `graph = tf.Graph()`; blocks of `graph.as_default()` build it.

Natively there is none. So nothing may be built beside it, and its name may serve for such blocks, for sessions and for
summary writers only.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import FREEZING
from tf_migrate.names.sessions import SESSION_CLASSES
from tf_migrate.stages.summaries import WRITERS
from tf_migrate.syntax.module import Module


@dataclass(frozen=True)
class NamedGraph:
    """The statement that makes it, and all other places that name it; `odd` is one of another kind, if there is one."""

    made: ast.Assign
    uses: frozenset[ast.expr]
    odd: ast.expr | None

    @property
    def name(self) -> str:
        """What it is called."""
        return ast.unparse(self.made.targets[0])

    def is_entered(self, item: ast.withitem) -> bool:
        """Whether a context makes it the default graph: its own, or a session's of it."""
        call = item.context_expr
        inside = ast.walk(call) if isinstance(call, ast.Call) else ()
        return any(node in self.uses for node in inside)


def named_graph(module: Module, names: Names) -> NamedGraph | None:
    """The one graph that a module makes, where that has a name; None where it makes none, or several."""
    made = [call for call in module.calls if names.resolve(call.func) == "tf.Graph"]
    statement = module.parents[made[0]] if len(made) == 1 else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(statement, ast.Assign) or target is None or made[0].args or made[0].keywords:
        return None
    loads = _loads(module, target)
    if loads is None:
        return None
    odd = next((load for load in loads if not _serves(module, names, load)), None)
    uses = (load for load in loads if ast.unparse(load) == ast.unparse(target))
    return NamedGraph(statement, frozenset(uses), odd)


def _loads(module: Module, target: ast.expr) -> list[ast.expr] | None:
    """The places that read a name, or an attribute of objects; None where something else may be bound to it."""
    if isinstance(target, ast.Attribute):
        nodes = module.attributes.get(target.attr, [])
        own = isinstance(target.value, ast.Name) and target.value.id == "self"
        alone = [node for node in nodes if not isinstance(node.ctx, ast.Load)] == [target]
        return [node for node in nodes if node is not target] if own and alone else None
    if not isinstance(target, ast.Name):
        return None
    scope = module.scope_of(target)
    if len(scope.bindings.get(target.id, ())) != 1 or target.id in module.bound_globally or scope.is_class:
        return None
    return [load for load in module.loads.get(target.id, ()) if module.binding_scope(load) is scope]


def _serves(module: Module, names: Names, load: ast.expr) -> bool:
    parent = module.parents[load]
    call = module.parents[parent]
    if isinstance(parent, ast.Attribute):
        item = module.parents[call]
        if parent.attr == "as_graph_def" and isinstance(item, ast.Call) and names.resolve(item.func) in FREEZING:
            return True
        opened = isinstance(item, ast.withitem) and item.optional_vars is None
        return (
            opened and isinstance(call, ast.Call) and parent.attr == "as_default" and not (call.args or call.keywords)
        )
    if isinstance(parent, ast.keyword):
        of_session = isinstance(call, ast.Call) and names.resolve(call.func) in SESSION_CLASSES
        return parent.arg == "graph" and (of_session or _writes(names, call))
    return isinstance(parent, ast.Call) and load in parent.args[:2] and _writes(names, parent)


def _writes(names: Names, call: ast.AST) -> bool:
    """Whether a call makes a summary writer, or adds a graph to one."""
    if not isinstance(call, ast.Call):
        return False
    added = isinstance(call.func, ast.Attribute) and call.func.attr == "add_graph"
    return added or names.resolve(call.func) in WRITERS
