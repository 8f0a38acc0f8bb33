"""Names for what asks for the default session: `getsess = tf.get_default_session` goes with all that calls it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.report.model import Reason
from tf_migrate.steps.part import Part
from tf_migrate.syntax.module import Module

_SYMBOL = "get_default_session"


class SessionGetters(Part):
    """Takes such names out of a program, where nothing is done with them but to call them."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for module in self.facts.modules.values():
            for statement in module.tree.body:
                if isinstance(statement, ast.Assign) and _names_getter(statement, module):
                    self._drop(statement, module, ast.unparse(statement.targets[0]))
        return self.reasons

    def _drop(self, statement: ast.Assign, module: Module, name: str) -> None:
        imports = list(self._imports(module, name))
        places = [(module, name), *((other, alias.asname or alias.name) for other, _, alias in imports)]
        others = [load for owner, word in places for load in owner.loads.get(word, ()) if not self._is_called(load)]
        if others:
            self.refuse("session-use", others[0], f"`{name}` is used otherwise than to run", "run in its place")
            return
        self.plan_of(statement).dropped.add(statement)
        for other, node, alias in imports:
            plan, left = self.plans[other.name], [each for each in node.names if each is not alias]
            if left:
                plan.replaced[node] = ast.unparse(ast.ImportFrom(node.module, left, node.level))
            else:
                plan.dropped.add(node)

    def _is_called(self, load: ast.AST) -> bool:
        call = self.facts.parent(load)
        return isinstance(call, ast.Call) and call.func is load and "session" in self.facts.kinds(call)

    def _imports(self, module: Module, name: str) -> Iterator[tuple[Module, ast.ImportFrom, ast.alias]]:
        """Where other modules import the name."""
        for other in self.facts.modules.values():
            for node in other.nodes:
                if isinstance(node, ast.ImportFrom) and f".{module.name}".endswith(f".{node.module or module.name}"):
                    yield from ((other, node, alias) for alias in node.names if alias.name == name)


def _names_getter(statement: ast.Assign, module: Module) -> bool:
    """Whether a statement gives TensorFlow's function another name, which nothing else has."""
    target, value = statement.targets[0], statement.value
    if len(statement.targets) != 1 or not isinstance(target, ast.Name) or not isinstance(value, ast.Attribute):
        return False
    return value.attr == _SYMBOL and len(module.root.bindings.get(target.id, ())) == 1
